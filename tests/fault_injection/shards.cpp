/// Token shards that change while a run reads them: the program must reject them by name and train on none of the
/// changed tokens.
#include <fcntl.h>
#include <unistd.h>

#include "tests/fault_injection/fault.hpp"

namespace weft::fault_injection {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeader = 1024;

class Shard : public Fault {
 public:
  enum Change { Shrinks, OtherTokens, BeyondVocabulary, Deleted };
  explicit Shard(Change how) : how_(how) {}

  bool during(Session& session, Process& process) override {
    if (!process.freeze()) return false;
    Scene& scene = session.scene;
    left_ = session.left(process);
    file_ = scene.inputs[scene.rng.below(static_cast<std::uint32_t>(scene.inputs.size()))];
    before_ = checkpoint::text_of(file_);
    if (before_.empty()) {  // another fault has deleted it
      file_.clear();
      process.thaw();
      return false;
    }
    session.codes.insert(2);
    session.names = {fs::path(file_).filename()};
    change(scene.rng);
    process.thaw();
    return true;
  }
  void after(Session& session, const End& end) override {
    session.expect(!whole_ || left_ < 2 || end.code != 0, "does not see that a shard has changed");
  }
  void mend(Session&) override {
    if (!file_.empty()) checkpoint::write_text(file_, before_);
  }

 private:
  /// Changes all of the file, or a part that the run may never read.
  void change(test::Rng& rng) {
    if (how_ == Deleted) return void(fs::remove(file_));
    if (how_ == Shrinks) {
      whole_ = rng.chance(30);
      return fs::resize_file(file_, whole_ ? 0 : rng.below(static_cast<std::uint32_t>(before_.size())));
    }
    std::string now = before_;
    whole_ = rng.chance(50);
    const std::size_t from = whole_ ? kHeader : kHeader + 2 * rng.below(4000);
    for (std::size_t at = from; at < now.size(); at += 2) {
      const std::uint32_t id = how_ == OtherTokens ? rng.below(14) : 14 + rng.below(65000);
      now[at] = static_cast<char>(id & 255);
      now[at + 1] = static_cast<char>(id >> 8);
    }
    const int fd = open(file_.c_str(), O_WRONLY | O_CLOEXEC);  // keeps the inode
    if (fd < 0 || pwrite(fd, now.data(), now.size(), 0) != static_cast<ssize_t>(now.size())) {
      throw std::runtime_error("cannot write " + file_);
    }
    close(fd);
  }

  Change how_;
  bool whole_ = false;
  int left_ = 0;
  std::string file_, before_;
};

}  // namespace

std::vector<Kind> shard_kinds() {
  constexpr unsigned kNeeds = Kind::Shards | Kind::Moment | Kind::Step;
  return {kind<Shard>("shard shrinks", kNeeds, Shard::Shrinks),
          kind<Shard>("shard overwritten", kNeeds, Shard::OtherTokens),
          kind<Shard>("shard beyond vocabulary", kNeeds, Shard::BeyondVocabulary),
          kind<Shard>("shard deleted", kNeeds, Shard::Deleted)};
}

}  // namespace weft::fault_injection
