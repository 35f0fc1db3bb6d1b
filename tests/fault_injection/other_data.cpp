/// Texts and parameters that change before a restart: the program trains with the new ones or rejects them, never a
/// mixture.
#include <fmt/format.h>

#include <sstream>

#include "tests/fault_injection/damage.hpp"
#include "tests/fault_injection/fault.hpp"
#include "tests/fault_injection/verdict.hpp"

namespace weft::fault_injection {
namespace {

namespace fs = std::filesystem;

/// The last checkpoint and the metrics; equal for two runs with the same inputs.
std::string result_of(const std::string& folder, int step) {
  std::string result = checkpoint::text_of(folder + "/" + checkpoint_name(step));
  std::istringstream lines(checkpoint::text_of(folder + "/metrics.jsonl"));
  for (std::string line; std::getline(lines, line);) result += metrics_line(line).dump() + "\n";
  return result;
}

/// Changes a file for this session only. A twin of the run, with a different number of wafers, must give the same
/// result.
class Other : public Fault {
 public:
  bool before(Session& session) override {
    Scene& scene = session.scene;
    file_ = name(scene);
    before_ = checkpoint::text_of(file_);
    model_ = snapshot(scene.model());
    const std::string now = change(scene, before_);
    if (now == before_) return false;
    checkpoint::write_text(file_, now);
    session.foreign = true;
    session.codes.insert({1, 2});
    return true;
  }
  void after(Session& session, const End& end) override {
    Scene& scene = session.scene;
    judge_prefix(session);
    if (end.hung) return;
    restore(scene.path("twin"), model_);
    const std::string own = std::exchange(scene.model_dir, "twin");
    const End twin = run(scene.command(scene.target));
    scene.model_dir = own;
    session.expect(!twin.hung, "hangs, too, in its twin");
    session.expect(twin.code == end.code, fmt::format("ends with {}, its twin with {}", end.code, twin.code));
    if (end.code == 0 && twin.code == 0) {
      session.expect(result_of(scene.model(), scene.target) == result_of(scene.path("twin"), scene.target),
                     "trains other bits than its twin with other wafers");
    }
    fs::remove_all(scene.path("twin"));
    check(session, end);
  }
  void mend(Session& session) override {
    checkpoint::write_text(file_, before_);
    restore(session.scene.model(), model_);
  }

 private:
  virtual std::string name(Scene& scene) const = 0;
  virtual std::string change(Scene& scene, const std::string& text) const = 0;
  virtual void check(Session&, const End&) const {}

  /// Checks that the results of earlier steps are unchanged.
  static void judge_prefix(Session& session) {
    std::istringstream lines(checkpoint::text_of(session.scene.in_model("metrics.jsonl")));
    std::string line;
    for (int step = session.scene.metrics_from; step <= session.first; ++step) {
      const bool same = std::getline(lines, line) && metrics_line(line) == session.scene.reference.metrics(step);
      session.expect(same || session.scene.metrics_from > 1 || session.scene.cut.contains(step),
                     "changes metrics of steps that were done");
    }
  }

  std::string file_, before_;
  Snapshot model_;
};

class OtherText : public Other {
 public:
  enum Change { Cut, Letters, Nul };
  explicit OtherText(Change how) : how_(how) {}

 private:
  std::string name(Scene& scene) const override { return scene.inputs[0]; }
  std::string change(Scene& scene, const std::string& text) const override {
    test::Rng& rng = scene.rng;
    if (how_ != Letters) return damaged(text, how_ == Cut ? Damage::Cut : Damage::Nul, rng);
    std::string now = text;
    const int letters = rng.chance(10) ? 40 : 13;  // 40: includes characters that no vocabulary has
    for (std::uint32_t i = 0; i < 1 + rng.below(100); ++i) {
      now[rng.below(static_cast<std::uint32_t>(now.size()))] =
          static_cast<char>('a' + rng.below(static_cast<std::uint32_t>(letters)));
    }
    return now;
  }
  void check(Session& session, const End& end) const override {
    session.expect(end.code != 0 || end.out.find("\nnote    ") != std::string::npos,
                   "goes on with another text without a word");
  }

  Change how_;
};

class OtherParameters : public Other {
 public:
  explicit OtherParameters(How how) : how_(how) {}

 private:
  std::string name(Scene& scene) const override {
    return scene.rng.chance(80) ? scene.path("params.yaml") : scene.in_model("train/params.yaml");
  }
  std::string change(Scene& scene, const std::string& text) const override { return damaged(text, how_, scene.rng); }

  How how_;
};

/// Writes NUL bytes into a random file.
class NulBytes : public Fault {
 public:
  bool before(Session& session) override {
    test::Rng& rng = session.scene.rng;
    switch (rng.below(session.scene.shape.input == Input::Shards ? 3 : 5)) {
      case 0:
        one_ = damaged_checkpoints(Damage::Nul);
        break;
      case 1:
        one_ = damaged_metrics(Damage::Nul);
        break;
      case 2:
        one_ = std::make_unique<OtherParameters>(Damage::Nul);
        break;
      case 3:
        one_ = damaged_vocabulary(Damage::Nul);
        break;
      default:
        one_ = std::make_unique<OtherText>(OtherText::Nul);
    }
    return one_->before(session);
  }
  void after(Session& session, const End& end) override { one_->after(session, end); }
  void mend(Session& session) override { one_->mend(session); }

 private:
  std::unique_ptr<Fault> one_;
};

}  // namespace

std::vector<Kind> other_data_kinds() {
  constexpr unsigned kNeeds = Kind::Saved | Kind::Alone;
  return {kind<OtherText>("text cut", kNeeds | Kind::Text, OtherText::Cut),
          kind<OtherText>("text changed", kNeeds | Kind::Text, OtherText::Letters),
          kind<OtherParameters>("parameters damaged", kNeeds, How()), kind<NulBytes>("NUL bytes", kNeeds)};
}

}  // namespace weft::fault_injection
