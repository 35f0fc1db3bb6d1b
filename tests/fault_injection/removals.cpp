/// Files and folders that are deleted or moved during a run.
#include <fmt/format.h>

#include "tests/fault_injection/fault.hpp"
#include "tests/fault_injection/verdict.hpp"

namespace weft::fault_injection {
namespace {

namespace fs = std::filesystem;

/// Removes a file or folder of model_dir that the program does not need to continue.
class Removed : public Fault {
 public:
  explicit Removed(std::string name) : name_(std::move(name)) {}
  bool during(Session& session, Process& process) override {
    if (!process.freeze()) return false;
    left_ = session.left(process);
    Scene& scene = session.scene;
    const std::string name = name_ == "newest" ? checkpoint_name(scene.newest()) : name_;
    const bool gone = fs::remove_all(scene.in_model(name)) > 0;
    if (name_ == "newest") session.saves = false;  // if another fault kills the program now, steps are lost
    process.thaw();
    return gone;
  }
  void after(Session& session, const End& end) override {
    if (name_ == ".lock" && left_ >= 2 && end.code == 0) {
      session.expect(session.scene.has(".lock"), "goes on without its .lock");
    }
  }

 private:
  std::string name_;
  int left_ = 0;
};

/// Removes metrics.jsonl. The program rejects this or creates a new file, which lacks the removed lines.
class MetricsRemoved : public Fault {
 public:
  bool during(Session& session, Process& process) override {
    if (!process.freeze()) return false;
    Scene& scene = session.scene;
    const bool gone = fs::remove(scene.in_model("metrics.jsonl"));
    scene.metrics_from = std::max(session.first, process.reported()) + 2;
    session.codes.insert(2);
    session.names = {"metrics.jsonl"};
    process.thaw();
    return gone;
  }
  void after(Session& session, const End&) override {
    session.scene.metrics_from = std::max(session.scene.metrics_from, session.scene.newest() + 1);
  }
};

/// Deletes or moves the folder. The state must be saved in the moved or a new folder, and one error line must name that
/// folder.
class FolderGone : public Fault {
 public:
  explicit FolderGone(bool moved) : moved_(moved) {}
  bool during(Session& session, Process& process) override {
    if (!process.freeze()) return false;
    Scene& scene = session.scene;
    left_ = session.left(process);
    session.codes.insert(2);
    if (left_ < 2) session.saves = false;  // the program may have done its last check of the folder
    if (!moved_) scene.metrics_from = kReferenceSteps;
    session.names = {scene.model_dir + (moved_ ? "_moved" : "")};
    if (moved_) {
      fs::rename(scene.model(), moved(scene));
    } else {
      fs::remove_all(scene.model());
    }
    held_ = process.reported();
    scene_saves_ = session.saves;
    if (moved_) session.saves = false;  // checked in `after`
    process.thaw();
    return true;
  }
  void after(Session& session, const End& end) override {
    Scene& scene = session.scene;
    session.expect(left_ < 2 || end.code != 0, "ends with 0 although its folder is gone");
    if (!moved_) {
      scene.metrics_from = std::max(1, scene.newest() + 1);
      return;
    }
    judge_folder(scene, moved(scene), false);
    const std::vector<int> steps = scene.checkpoints(moved(scene));
    session.expect(!scene_saves_ || (!steps.empty() && steps.back() >= held_), "its state is not in the moved folder");
    session.expect(!fs::exists(scene.model()) || left_ < 2, "makes the folder that was moved again");
  }
  void mend(Session& session) override {
    if (!moved_ || !fs::exists(moved(session.scene))) return;
    fs::remove_all(session.scene.model());
    fs::rename(moved(session.scene), session.scene.model());
  }

 private:
  static std::string moved(const Scene& scene) { return scene.model() + "_moved"; }

  bool moved_, scene_saves_ = true;
  int left_ = 0, held_ = 0;
};

}  // namespace

std::vector<Kind> removal_kinds() {
  constexpr unsigned kRunning = Kind::Moment | Kind::Step;
  return {kind<FolderGone>("folder deleted", kRunning | Kind::Alone, false),
          kind<FolderGone>("folder moved", kRunning | Kind::Alone, true),
          kind<Removed>("lock deleted", kRunning, ".lock"),
          kind<Removed>("vocabulary deleted", kRunning | Kind::Text, "vocab.json"),
          kind<Removed>("train/ deleted", kRunning, "train"),
          kind<Removed>("checkpoint deleted", kRunning | Kind::Saved, "newest"),
          kind<MetricsRemoved>("metrics deleted", kRunning | Kind::Alone)};
}

}  // namespace weft::fault_injection
