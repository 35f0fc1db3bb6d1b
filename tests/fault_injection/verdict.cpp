#include "tests/fault_injection/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace weft::fault_injection {
namespace {

namespace fs = std::filesystem;

/// Describes the error in a line of metrics.jsonl that should be the line of `step`; empty if there is none.
std::string fault(const Scene& scene, const std::string& line, int step) {
  const auto object = metrics_line(line);
  if (object.is_null()) return "a line that is not JSON";
  if (!object.contains("step") || object["step"] != step) return fmt::format("no line of step {} in its place", step);
  if (step > kReferenceSteps) return "too many steps";
  auto expected = scene.reference.metrics(step);
  if (object == expected) return {};
  expected.erase("eval_loss");
  if (object == expected && scene.cut.contains(step)) return {};
  return fmt::format("other values of step {}", step);
}

/// Checks that the lines cover every step from 1 (or from the first one that the test has kept) to the newest
/// checkpoint. The last line may be torn after a kill.
void judge_metrics(Scene& scene, const std::string& folder, bool killed) {
  const std::vector<int> saved = scene.checkpoints(folder);
  const int newest = saved.empty() ? 0 : saved.back();
  const std::string file = folder + "/metrics.jsonl";
  if (scene.damaged.contains(file) || (fs::exists(file) && !fs::is_regular_file(file))) return;
  int step = 1;
  bool first = true;
  std::istringstream lines(checkpoint::text_of(file));
  for (std::string line; std::getline(lines, line); ++step) {
    if (first && scene.metrics_from > 1) {
      const auto object = metrics_line(line);
      if (object.is_object() && object.contains("step"))
        step = std::clamp(object["step"].get<int>(), 1, scene.metrics_from);
    }
    first = false;
    const std::string wrong = fault(scene, line, step);
    if (wrong.empty()) continue;
    if (killed && step > newest && lines.peek() == EOF) return;
    return scene.complain("metrics.jsonl: " + wrong);
  }
  const bool may_lack = scene.metrics_from > newest;
  if (step <= newest && !(first && may_lack)) scene.complain("metrics.jsonl ends before its checkpoint");
}

/// Checks a run that ends with 0: it must have reported its last state and saved it.
void judge_success(Session& session, const End& end) {
  Scene& scene = session.scene;
  const int target = scene.target;
  session.expect(!session.replaced, "ends with 0 although another run has finished in its folder");
  session.expect(scene.newest() == target, "ends with 0 without the last checkpoint");
  if (!session.heard) return;
  const std::string state = "state " + scene.reference.state_hash(session.asked);
  const bool reported = end.out.find(state) != std::string::npos || end.out.find("\ndone    ") != std::string::npos;
  session.expect(reported, "ends with 0 without telling the right state");
  int lines = 0;
  std::istringstream text(checkpoint::text_of(scene.in_model("metrics.jsonl")));
  int last = 0;
  for (std::string line; std::getline(text, line); ++lines) last = metrics_line(line).value("step", 0);
  session.expect(lines > 0 && last == target, "ends with 0 without the last line of metrics");
}

/// Checks a run that ends with another code: it keeps all reported steps, or leaves no folder.
void judge_rest(Session& session, const Process& process, const End& end) {
  Scene& scene = session.scene;
  const bool killed = end.code == 128 + SIGKILL;
  // The newest checkpoint may not be on disk yet: it is written while the next steps run, and is complete before the
  // next one.
  const int due = ((process.reported() - 1) / scene.every - 1) * scene.every;
  const int kept = killed || !session.saves ? 0 : process.reported();
  if (session.saves) {
    session.expect(scene.newest() >= std::max({session.first, kept, killed ? due : 0}),
                   fmt::format("ends with {}: steps that it reported are lost", end.code));
  }
  if (killed || process.reported() > 0 || !session.heard || session.was_there) return;
  session.expect(!fs::exists(scene.model()) || scene.newest() > 0,
                 fmt::format("ends with {} before a step was done, and leaves a folder", end.code));
}

}  // namespace

std::vector<std::string> problem_lines(const std::string& errors) {
  std::vector<std::string> result;
  std::istringstream text(errors);
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("interrupted")) result.push_back(line);
  }
  return result;
}

bool is_clear(const std::string& line) {
  const std::size_t subject = line.find(": "), hint = line.find(". HINT: ");
  return subject != std::string::npos && hint != std::string::npos && subject < hint;
}

bool never_began(const End& end) { return end.code == 127 && end.out.empty(); }

void judge_folder(Scene& scene, const std::string& folder, bool killed) {
  if (!fs::exists(folder)) return;
  for (const int step : scene.checkpoints(folder)) {
    if (checkpoint::text_of(folder + "/" + checkpoint_name(step)) == scene.reference.checkpoint(step)) continue;
    scene.complain("a checkpoint is not that of the undisturbed run");
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!killed && name.starts_with('.') && name != ".lock") scene.complain("leaves an unfinished file");
  }
  judge_metrics(scene, folder, killed);
}

void judge(Session& session, const Process& process, const End& end) {
  Scene& scene = session.scene;
  if (end.hung) return scene.complain("hangs");
  session.expect(session.codes.contains(end.code), fmt::format("ends with {} | {}", end.code, end.errors));
  const std::vector<std::string> lines = problem_lines(end.errors);
  if ((end.code == 1 || end.code == 2) && session.heard) {
    const auto is_of_a_key = [](const std::string& line) { return line.starts_with("params.yaml: "); };
    session.expect(lines.size() == 1 || (lines.size() > 1 && std::ranges::all_of(lines, is_of_a_key)),
                   fmt::format("ends with {} and {} lines | {}", end.code, lines.size(), end.errors));
    for (const std::string& line : lines)
      session.expect(is_clear(line), "says a line without problem and hint | " + line);
  }
  if (end.code == 2 && session.heard && session.alone && !lines.empty()) {
    for (const std::string& name : session.names) {
      session.expect(lines[0].find(name) != std::string::npos,
                     "says a line that does not name " + name + " | " + lines[0]);
    }
  }
  if (session.foreign) return;
  if (end.code != 0) {  // the interruption may have cancelled an evaluation
    const int last = session.heard ? process.reported() + 1 : std::max(process.reported(), scene.newest()) + 1;
    for (int step = process.reported(); step <= last; ++step) scene.cut.insert(step);
  }
  judge_folder(scene, scene.model(), end.code == 128 + SIGKILL);
  if (end.code == 0) return judge_success(session, end);
  judge_rest(session, process, end);
}

}  // namespace weft::fault_injection
