#include "tests/fault_injection/faulty_run.hpp"

#include <algorithm>

#include "tests/fault_injection/session.hpp"

namespace weft::fault_injection {
namespace {

using KindList = std::vector<const Kind*>;

/// Draws the inputs, as `first` needs them.
Shape draw_shape(test::Rng& rng, const Kind& first) {
  const auto text = [&] { return rng.chance(70) ? Input::Characters : Input::Bytes; };
  const bool shards = first.is(Kind::Shards) || (!first.is(Kind::Text) && rng.chance(40));
  return {.hidden = rng.chance(50) ? 8 : 16, .evaluates = rng.chance(30), .input = shards ? Input::Shards : text()};
}

bool fits(const Kind& kind, const Shape& shape) {
  const bool shards = shape.input == Input::Shards;
  return !kind.is(Kind::Peers) && !(shards && kind.is(Kind::Text)) && !(!shards && kind.is(Kind::Shards));
}

/// Draws the kinds of a run: `first` and up to two more.
KindList draw_kinds(test::Rng& rng, const Kind& first, const Shape& shape) {
  KindList result = {&first};
  for (auto more = rng.below(3); more > 0;) {
    const Kind& kind = kinds()[rng.below(static_cast<std::uint32_t>(kinds().size()))];
    if (!fits(kind, shape)) continue;
    result.push_back(&kind);
    --more;
  }
  return result;
}

/// Removes the kinds of the next session from `left` and returns them: one, or two that are compatible.
KindList next(test::Rng& rng, KindList& left) {
  KindList result = {left.front()};
  left.erase(left.begin());
  if (!left.empty() && left.front() != result[0] && !result[0]->is(Kind::Alone) && !left.front()->is(Kind::Alone) &&
      rng.chance(50)) {
    result.push_back(left.front());
    left.erase(left.begin());
  }
  return result;
}

/// Injects all kinds. A kind that was too late is tried again, because the machine may have been busy.
void run_all(Scene& scene, KindList left, Report& report) {
  for (int sessions = 0; !left.empty() && scene.target < kReferenceSteps - 20 && sessions < 6; ++sessions) {
    const KindList now = next(scene.rng, left);
    const std::vector<Outcome> outcomes = run_session(scene, now, left.empty(), report);
    report.outcomes.insert(report.outcomes.end(), outcomes.begin(), outcomes.end());
    if (sessions < 3 && outcomes[0].state == Outcome::TooLate) left.insert(left.begin(), now[0]);
  }
}

}  // namespace

Report faulty_run(std::uint64_t seed, bool loud) {
  constexpr std::uint64_t kStride = 17;  // lets some runs combine all families
  const Kind& first = kinds()[seed * kStride % kinds().size()];
  if (first.is(Kind::Peers)) return peer_run(seed, first, loud);
  test::Rng rng(test::mix(~seed));
  const Shape shape = draw_shape(rng, first);
  KindList left = draw_kinds(rng, first, shape);
  Report report;
  Scene scene(seed, shape, loud);
  const auto on_disk = [](const Kind* kind) { return kind->is(Kind::Disk); };
  if (std::ranges::any_of(left, on_disk) && !scene.mount_disk(8 << 20)) {
    for (const Kind* kind : left) {
      if (on_disk(kind)) report.outcomes.push_back({.kind = kind, .state = Outcome::Skipped});
    }
    std::erase_if(left, on_disk);
  }
  try {
    run_all(scene, left, report);
    finish_run(scene, report);
  } catch (const std::exception& e) {
    report.violations.push_back({"the test", std::string("cannot go on: ") + e.what(), seed});
  }
  return report;
}

}  // namespace weft::fault_injection
