#include "tests/fault_injection/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "tests/fault_injection/verdict.hpp"

namespace weft::fault_injection {
namespace {

namespace fs = std::filesystem;

struct Part {
  const Kind* kind;
  std::unique_ptr<Fault> fault;
  bool begun = false, injected = false;
};

Session open_session(Scene& scene, int steps) {
  scene.target = steps;
  Session session{.scene = scene, .start = scene.command(steps), .asked = steps};
  session.first = scene.newest();
  session.was_there = fs::exists(scene.model());
  std::string line;
  for (const std::string& word : session.start.words) line += " " + word;
  scene.log("weft", line);
  return session;
}

void start_afresh(Scene& scene) {
  fs::remove_all(scene.model());
  scene.metrics_from = 1;
  scene.cut.clear();
  scene.damaged.clear();
}

/// Runs the command without faults; it must do all its steps.
bool run_clean(Scene& scene, int steps) {
  const auto complaints = scene.complaints.size();
  for (int attempt = 0; attempt < 2; ++attempt) {
    Session session = open_session(scene, steps);
    Process process(session.start);
    const End end = process.finish();
    scene.log("clean: ", end.code, " ", end.errors);
    const bool metrics = end.code == 2 && end.errors.find("metrics.jsonl") != std::string::npos;
    if (attempt == 0 && scene.metrics_from > 1 && metrics) {  // rightly rejected: the test has removed lines
      start_afresh(scene);
      continue;
    }
    judge(session, process, end);
    break;
  }
  return scene.complaints.size() == complaints;
}

/// Waits for a random moment: soon after the start, or after a step. Returns false if the program has ended.
bool wait_for_moment(Session& session, const Kind& kind, Process& process) {
  test::Rng& rng = session.scene.rng;
  const auto pause = [&](std::uint32_t most) {
    std::this_thread::sleep_for(std::chrono::microseconds(rng.below(1000 * most)));
  };
  if (!kind.is(Kind::Step) && rng.chance(35)) {
    const bool begun = process.begin();
    pause(30);
    return begun;
  }
  const int step = std::max(session.first, process.reported()) + 1 + static_cast<int>(rng.below(3));
  if (!process.reach(step)) return false;
  if (rng.chance(60)) pause(4);
  return true;
}

End run_faulty(Session& session, std::vector<Part>& parts) {
  Scene& scene = session.scene;
  for (Part& part : parts) part.begun = part.injected = part.fault->before(session);
  Process process(session.start);
  for (Part& part : parts) {
    if (!part.begun || !part.kind->is(Kind::Moment)) continue;
    part.injected = wait_for_moment(session, *part.kind, process) && part.fault->during(session, process);
    scene.log(part.kind->name, part.injected ? ": after step " : ": too late, after step ", process.reported());
  }
  const End end = process.finish();
  scene.log("ends with ", end.code, end.hung ? ", hung: " : ": ", end.errors);
  if (never_began(end)) {
    for (Part& part : parts) part.injected = false;
  } else {
    judge(session, process, end);
    for (Part& part : parts) {
      if (part.injected) part.fault->after(session, end);
    }
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (part->begun) part->fault->mend(session);
  }
  return end;
}

/// Moves the scene's complaints to the report.
bool report_complaints(Scene& scene, const std::string& kinds, Report& report) {
  const bool any = !scene.complaints.empty();
  for (const std::string& text : scene.complaints) report.violations.push_back({kinds, text, scene.seed});
  scene.complaints.clear();
  return any;
}

}  // namespace

std::vector<Outcome> run_session(Scene& scene, const std::vector<const Kind*>& kinds, bool last, Report& report) {
  const auto need = [&](Kind::Needs what) {
    return std::ranges::any_of(kinds, [&](const Kind* kind) { return kind->is(what); });
  };
  if (need(Kind::Saved) && scene.newest() == 0 && !run_clean(scene, scene.target + 3)) {
    report_complaints(scene, "none", report);
  }
  std::vector<Part> parts;
  std::string names;
  for (const Kind* kind : kinds) {
    names += (names.empty() ? "" : " + ") + kind->name;
    parts.push_back({kind, kind->make()});
  }
  Session session = open_session(scene, scene.target + 6 + static_cast<int>(scene.rng.below(3)));
  session.alone = kinds.size() == 1;
  const End end = run_faulty(session, parts);
  const bool goes_on = end.code == 130 || end.code == 128 + SIGKILL;
  bool equal = end.code == 0 && scene.complaints.empty() && !session.foreign;
  if ((end.code != 0 || session.foreign) && (last || !goes_on || scene.rng.chance(60))) {
    equal = run_clean(scene, std::max(scene.target, scene.newest()));
    if (!equal) scene.complain("is not as it was after a clean restart");
  } else if (goes_on) {
    equal = true;  // the next session checks it
  }
  if (report_complaints(scene, names, report)) start_afresh(scene);
  std::vector<Outcome> outcomes;
  for (const Part& part : parts) {
    const auto not_done = part.begun || part.kind->is(Kind::Moment) ? Outcome::TooLate : Outcome::Skipped;
    outcomes.push_back({part.kind, part.injected ? Outcome::Injected : not_done, end.code, equal});
  }
  return outcomes;
}

void finish_run(Scene& scene, Report& report) {
  run_clean(scene, scene.target + 2);
  report_complaints(scene, "the end of all", report);
}

}  // namespace weft::fault_injection
