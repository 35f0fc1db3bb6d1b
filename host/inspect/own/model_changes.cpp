#include "host/inspect/own/model_changes.hpp"

#include <array>
#include <memory>
#include <stdexcept>
#include <utility>

#include "sw/base/refusal.hpp"
#include "verif/model/model_wafer.hpp"

namespace weft::inspect::own {
namespace {

using Kind = bisect::TileEvent::Kind;
using model::ModelMove;

constexpr std::size_t kMost = std::size_t{1} << 25;  // 1.5 GB

class Recorder {
 public:
  explicit Recorder(const weft::programs::Replay& run)
      : run_(run), model_(model::make_model_to_look_at(run.image.shape, 0)), executions_(run.states.size()) {
    model_->feed(run.image.load);
    model_->settle();
    model_->leave_lockstep();
    changes_.tiles.resize(run.states.size());
    for (std::size_t n = 0; n < run.states.size(); ++n) {
      model_->set_state(row(n), col(n), run.states[n]);
      accumulators_.push_back(run.states[n].accumulators);
      tiles_.emplace_back(run.states[n], run.image.shape.lanes, [this, n](const Change& change) {
        if (++count_ > kMost)
          throw Refusal("kernel " + run_.kernel, "the run is too long to be compared instruction by instruction",
                        "compare a shorter one");
        changes_.tiles[n][change.place.key()].push_back(change);
      });
    }
    model_->queue(run.messages);
  }

  ModelChanges run(const std::function<bool()>& interrupted) {
    constexpr std::uint64_t kBetweenAsks = 1024;
    try {
      for (; model_->move(moved_); ++time_) {
        if (time_ % kBetweenAsks == 0 && interrupted && interrupted()) {
          changes_.interrupted = true;
          break;
        }
        record();
      }
      if (!changes_.interrupted) model_->settle();
    } catch (const Refusal&) {
      throw;
    } catch (const std::runtime_error& error) {  // a hang, or a program that the model rejects
      changes_.stopped = error.what();
    }
    for (Changes& tile : tiles_) tile.flush();
    return std::move(changes_);
  }

 private:
  int row(std::size_t tile) const { return static_cast<int>(tile) / run_.image.shape.cols; }
  int col(std::size_t tile) const { return static_cast<int>(tile) % run_.image.shape.cols; }

  void record() {
    if (moved_.tile < 0) return;
    const auto tile = static_cast<std::size_t>(moved_.tile);
    std::uint64_t& execution = executions_[tile][moved_.thread];
    const bisect::Cause cause{.thread = moved_.thread, .pc = moved_.did, .execution = execution};
    for (const ModelMove::Words& words : moved_.words) {
      if (words.color == 0) continue;  // W comes from the host
      Change change{.place = {words.out ? Kind::Sends : Kind::Takes, static_cast<unsigned>(words.color)},
                    .value = 0,
                    .cause = words.out ? cause : bisect::Cause{},
                    .time = time_};
      for (const std::uint32_t value : words.values) {
        change.value = value;
        tiles_[static_cast<std::size_t>(words.tile)].message(change);
      }
    }
    if (moved_.beats > 0 || !moved_.writes.empty()) writes(tile, cause);
    if (moved_.ends) ++execution;
  }

  void writes(std::size_t tile, const bisect::Cause& cause) {
    const machine::TileState state = model_->state(row(tile), col(tile));
    Change change{.place = {}, .value = 0, .cause = cause, .time = time_};
    for (const auto& [first, count] : moved_.writes)
      for (unsigned element = first; element < first + count; ++element) {
        change.place = {Kind::Memory, element};
        change.value = state.memory.at(element);
        tiles_[tile].write(change);
      }
    const auto lanes = static_cast<std::size_t>(run_.image.shape.lanes);
    std::vector<std::uint32_t>& before = accumulators_[tile];
    for (std::size_t n = 0; n < before.size(); ++n) {
      if (before[n] == state.accumulators[n]) continue;
      before[n] = change.value = state.accumulators[n];
      change.place = {Kind::Accumulator, static_cast<unsigned>(n / lanes), static_cast<unsigned>(n % lanes)};
      tiles_[tile].write(change);
    }
  }

  const weft::programs::Replay& run_;
  const std::unique_ptr<model::ModelWafer> model_;
  std::vector<std::array<std::uint64_t, 2>> executions_;  // [tile][thread]: vector instructions that have ended
  std::vector<std::vector<std::uint32_t>> accumulators_;  // [tile], after the last move
  std::vector<Changes> tiles_;
  ModelChanges changes_;
  ModelMove moved_;
  std::uint64_t time_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

ModelChanges model_changes(const weft::programs::Replay& run, const std::function<bool()>& interrupted) {
  return Recorder(run).run(interrupted);
}

}  // namespace weft::inspect::own
