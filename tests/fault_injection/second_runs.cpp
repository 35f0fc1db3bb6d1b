/// A second run in the folder of a live first one: only one of them may own it.
#include <fmt/format.h>

#include "tests/fault_injection/fault.hpp"
#include "tests/fault_injection/verdict.hpp"

namespace weft::fault_injection {
namespace {

namespace fs = std::filesystem;

class SecondRun : public Fault {
 public:
  enum Gone { Nothing, Lock, Folder };
  explicit SecondRun(Gone gone) : gone_(gone) {}

  /// Freezes the first run while the second starts; the first then continues together with the second, or after it.
  bool during(Session& session, Process& first) override {
    if (!first.freeze()) return false;
    Scene& scene = session.scene;
    left_ = session.left(first);
    held_ = first.reported();
    target_ = scene.target;
    if (gone_ == Lock) fs::remove(scene.in_model(".lock"));
    if (gone_ == Folder) fs::remove_all(scene.model());
    const Snapshot before = snapshot(scene.model());
    const int every = scene.every;
    Process second(scene.command(scene.target + static_cast<int>(scene.rng.below(4))));
    const bool together = gone_ != Nothing && scene.rng.chance(50);
    if (together) {
      second.reach(scene.rng.chance(50) ? 1 : target_);
      first.thaw();
    }
    const End end = second.finish();
    if (end.code != 0) scene.every = every;
    judge_second(session, end, together);
    after_ = snapshot(scene.model());
    session.expect(end.code == 0 || gone_ != Nothing || before == after_, "a second run changes files of the first");
    first.thaw();
    return true;
  }
  void after(Session& session, const End& end) override {
    Scene& scene = session.scene;
    if (!took_) return session.expect(!session.alone || end.code == 0, "ends although the second run was refused");
    session.expect(end.code != 0 || left_ < 2, "goes on in the folder of a second run");
    const Snapshot now = others(snapshot(scene.model()));
    for (const auto& [name, text] : others(after_))
      session.expect(now.contains(name) && now.at(name) == text,
                     "changes " + name + " of the run that has its folder now");
    session.expect(now.size() == others(after_).size(), "adds files to the folder of another run");
  }

 private:
  /// Files of the second run: without unfinished files, and without checkpoints that the first run was saving when it
  /// was frozen or deletes afterwards.
  Snapshot others(Snapshot all) const {
    std::erase_if(all, [&](const auto& file) {
      int step = 0;
      return file.first.find(".weft-part") != std::string::npos ||
             (sscanf(file.first.c_str(), "checkpoint_%d.", &step) == 1 && step <= held_ + 1);
    });
    return all;
  }

  void judge_second(Session& session, const End& end, bool together) {
    Scene& scene = session.scene;
    session.expect(!end.hung, "a second run hangs");
    session.expect(end.code == 0 || end.code == 2, fmt::format("a second run ends with {}", end.code));
    const auto lines = problem_lines(end.errors);
    session.expect(end.code == 0 || (lines.size() == 1 && is_clear(lines[0])),
                   "a second run is refused without one clear line");
    took_ = end.code == 0;
    if (!took_) return;
    session.expect(gone_ != Nothing, "a second run has the folder of the first");
    session.codes.insert(2);
    session.saves = false;  // the state is now the second run's
    if (left_ >= 2) session.replaced = true;
    judge_folder(scene, scene.model(), together || gone_ == Lock);  // the first run may have left an unfinished file
    // The rest of this session is checked against the second run's target.
    scene.target = scene.newest();
    session.expect(scene.target >= target_, "a second run ends with 0 without its last checkpoint");
  }

  Gone gone_;
  bool took_ = false;
  int left_ = 0, target_ = 0, held_ = 0;
  Snapshot after_;
};

}  // namespace

std::vector<Kind> second_run_kinds() {
  constexpr unsigned kNeeds = Kind::Moment | Kind::Step | Kind::Alone;
  return {kind<SecondRun>("second run", kNeeds, SecondRun::Nothing),
          kind<SecondRun>("second run, no lock", kNeeds, SecondRun::Lock),
          kind<SecondRun>("second run, no folder", kNeeds, SecondRun::Folder)};
}

}  // namespace weft::fault_injection
