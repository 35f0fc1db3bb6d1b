/// A damaged metrics.jsonl, or one that is not a regular file, at a restart.
#include <sys/stat.h>

#include <sstream>

#include "tests/fault_injection/damage.hpp"
#include "tests/fault_injection/fault.hpp"
#include "tests/fault_injection/verdict.hpp"

namespace weft::fault_injection {
namespace {

namespace fs = std::filesystem;

/// Damages metrics.jsonl. The program must reject the file and keep it as it is if a line up to the checkpoint is
/// unreadable.
class MetricsDamaged : public Fault {
 public:
  explicit MetricsDamaged(How how) : how_(how) {}
  bool before(Session& session) override {
    Scene& scene = session.scene;
    const std::string file = scene.in_model("metrics.jsonl");
    if (scene.metrics_from > 1 || !fs::is_regular_file(file)) return false;
    whole_ = checkpoint::text_of(file);
    now_ = scene.damaged[file] = damage_file(session.scene, file, how_);
    session.codes.insert(2);
    session.names = {"metrics.jsonl"};
    return true;
  }
  void after(Session& session, const End& end) override {
    const std::string file = session.scene.in_model("metrics.jsonl");
    session.expect(readable(session.first) || end.code != 0, "goes on with damaged metrics");
    session.expect(end.code != 2 || !session.alone || checkpoint::text_of(file) == now_,
                   "replaces metrics that it refuses");
  }
  /// Restores the original lines up to the old checkpoint, followed by those that the run has added.
  void mend(Session& session) override {
    const std::string file = session.scene.in_model("metrics.jsonl");
    std::string text;
    if (checkpoint::text_of(file) == now_) return put_back(session, file, whole_);
    std::istringstream old(whole_), added(checkpoint::text_of(file));
    for (std::string line; std::getline(old, line);) {
      if (metrics_line(line).value("step", 0) <= session.first) text += line + "\n";
    }
    for (std::string line; std::getline(added, line);) {
      const auto object = metrics_line(line);
      if (object.is_object() && object.contains("step") && object["step"] > session.first) text += line + "\n";
    }
    put_back(session, file, text);
  }

 private:
  static void put_back(Session& session, const std::string& file, const std::string& text) {
    checkpoint::write_text(file, text);
    session.scene.damaged.erase(file);
    judge_folder(session.scene, session.scene.model(), true);
  }
  bool readable(int last) const {
    std::istringstream lines(now_);
    std::string line;
    for (int step = 1; step <= last; ++step) {
      const auto object = std::getline(lines, line) ? metrics_line(line) : nlohmann::json();
      if (!object.is_object() || !object.contains("step") || object["step"] != step) return false;
    }
    return true;
  }

  How how_;
  std::string whole_, now_;
};

/// Makes metrics.jsonl a pipe or a folder; the program must not replace it.
class NoFile : public Fault {
 public:
  explicit NoFile(bool folder) : folder_(folder) {}
  bool before(Session& session) override {
    const std::string file = session.scene.in_model("metrics.jsonl");
    if (fs::exists(file)) fs::rename(file, file + ".old");
    fs::create_directories(session.scene.model());
    session.was_there = true;
    if (folder_) {
      fs::create_directory(file);
    } else if (mkfifo(file.c_str(), 0666) != 0) {
      return false;
    }
    session.codes.insert(2);
    session.names = {"metrics.jsonl"};
    return true;
  }
  void after(Session& session, const End& end) override {
    const std::string file = session.scene.in_model("metrics.jsonl");
    session.expect(end.code != 0, "trains without a file for its metrics");
    session.expect(folder_ ? fs::is_directory(file) : fs::is_fifo(file), "replaces a file that is not its own");
  }
  void mend(Session& session) override {
    const std::string file = session.scene.in_model("metrics.jsonl");
    fs::remove(file);
    if (fs::exists(file + ".old")) fs::rename(file + ".old", file);
  }

 private:
  bool folder_;
};

}  // namespace

std::unique_ptr<Fault> damaged_metrics(How how) { return std::make_unique<MetricsDamaged>(how); }

std::vector<Kind> metrics_kinds() {
  return {kind<MetricsDamaged>("metrics damaged", Kind::Saved, How()),
          kind<NoFile>("metrics a pipe", Kind::Alone, false), kind<NoFile>("metrics a folder", Kind::Alone, true)};
}

}  // namespace weft::fault_injection
