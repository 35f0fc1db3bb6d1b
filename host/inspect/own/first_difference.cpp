#include "host/inspect/own/first_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "host/inspect/bisect/events.hpp"
#include "host/inspect/debug/show.hpp"
#include "host/inspect/own/model_changes.hpp"
#include "host/inspect/own/run_workload.hpp"
#include "isa.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::inspect::own {
namespace {

using Kind = bisect::TileEvent::Kind;

/// A difference in a tile: what the RTL does there, what the model does, or nothing.
struct Difference {
  std::size_t tile = 0;
  std::optional<Change> rtl, model;
  std::uint64_t last = 0;  ///< cycle of the tile's last work, if the RTL lacks what the model does
};

/// Compares a tile of the RTL with the model's changes.
class ComparedTile final : public bisect::EventSource {
 public:
  ComparedTile(std::size_t tile, const machine::TileState& before, int lanes, const assembler::Program& program,
               const ModelChanges::ByPlace& model)
      : EventSource(program),
        tile_(tile),
        program_(program),
        model_(model),
        changes_(before, lanes, [this](const Change& change) { compare(change); }) {}

  /// Call at the end of the run: the first difference by the RTL's cycle, or one that the RTL lacks if the model has it
  /// before.
  std::optional<Difference> end() {
    changes_.flush();
    for (const auto& [key, list] : model_)
      for (std::size_t n = seen_[key]; n < list.size(); ++n) {
        if (ignored(list[n])) continue;
        if (!first_ || (first_->model && order(list[n]) < order(*first_->model)))
          first_ = Difference{tile_, {}, list[n], last_};
        break;
      }
    return first_;
  }

 private:
  /// A tile's own work comes before what it takes.
  static std::tuple<bool, std::uint64_t, std::uint32_t> order(const Change& c) {
    return {c.place.kind == Kind::Takes, c.time, c.place.key()};
  }
  void event(const bisect::TileEvent& e) override {
    if (e.kind != Kind::Takes) last_ = e.cycle;
    const Change change{.place = {e.kind, e.index, e.lane},
                        .value = e.value,
                        .cause = e.cause.value_or(bisect::Cause{}),
                        .time = e.cycle};
    if (e.kind == Kind::Memory || e.kind == Kind::Accumulator)
      changes_.write(change);
    else if (e.index != 0)  // W comes from the host
      changes_.message(change);
  }

  /// Accumulators that vr leaves behind are undefined (docs/reference/pe.md).
  bool ignored(const Change& c) const {
    return c.place.kind == Kind::Accumulator && c.cause.pc < program_.words.size() &&
           isa::decode(program_.words[c.cause.pc]).op == isa::Opcode::Vr;
  }

  void compare(const Change& rtl) {
    if (ignored(rtl)) return;
    const std::uint32_t key = rtl.place.key();
    const auto found = model_.find(key);
    const Change* model = nullptr;
    for (std::size_t& n = seen_[key]; found != model_.end() && n < found->second.size() && !model; ++n)
      if (!ignored(found->second[n])) model = &found->second[n];
    if (model && model->value == rtl.value) return;
    if (first_ && first_->rtl->time <= rtl.time) return;
    first_ = Difference{tile_, rtl, model ? std::optional(*model) : std::nullopt, 0};
  }

  const std::size_t tile_;
  std::uint64_t last_ = 0;  // cycle of the last event that is its own work
  const assembler::Program& program_;
  const ModelChanges::ByPlace& model_;
  Changes changes_;
  std::unordered_map<std::uint32_t, std::size_t> seen_;  // changes of the model that were compared, by place
  std::optional<Difference> first_;
};

/// All tiles of the RTL.
class Comparison final : public sim::TileWatch {
 public:
  Comparison(const weft::programs::Replay& run, const RunWorkload& names, const ModelChanges& model)
      : wafer_(sim::make_clocked_wafer(run.image.shape)) {
    std::vector<sim::TilePlace> places;
    const machine::WaferShape& shape = run.image.shape;
    wafer_->feed(run.image.load);
    wafer_->settle();
    for (std::size_t n = 0; n < run.states.size(); ++n) {
      const sim::TilePlace at{static_cast<int>(n) / shape.cols, static_cast<int>(n) % shape.cols};
      places.push_back(at);
      wafer_->set_state(at.row, at.col, run.states[n]);
      tiles_.push_back(
          std::make_unique<ComparedTile>(n, run.states[n], shape.lanes, names.names(at).program, model.tiles[n]));
    }
    wafer_->watch(this, places);
    begin_ = wafer_->cycle_number();
    wafer_->queue(run.messages);
  }
  ~Comparison() override { wafer_->watch(nullptr); }

  /// Returns false if interrupted.
  bool run(const std::function<bool()>& interrupted) {
    constexpr std::uint64_t kBetweenAsks = 4096;
    for (std::uint64_t n = 1; wafer_->can_move(); ++n) {
      wafer_->tick();
      if (n % kBetweenAsks == 0 && interrupted && interrupted()) return false;
    }
    return true;
  }

  std::optional<Difference> first() {
    std::optional<Difference> first;
    for (const auto& tile : tiles_) {
      std::optional<Difference> here = tile->end();
      if (here && (!first || order(*here) < order(*first))) first = std::move(here);
    }
    return first;
  }
  std::uint64_t begin() const { return begin_; }

 private:
  /// Tiles that lack changes come last, in the order in which they stop: others may wait for the first of them.
  static std::tuple<bool, std::uint64_t, std::size_t> order(const Difference& d) {
    return {!d.rtl, d.rtl ? d.rtl->time : d.last, d.tile};
  }
  void observe(std::uint64_t cycle, std::size_t n, const sim::TileView& view) override {
    tiles_[n]->observe(cycle, n, view);
  }

  const std::unique_ptr<sim::ClockedWafer> wafer_;
  std::vector<std::unique_ptr<ComparedTile>> tiles_;
  std::uint64_t begin_ = 0;
};

/// "M[0x12] (u[2])"
std::string name_of(const Place& place, const debug::Names& names) {
  if (place.kind == Kind::Takes || place.kind == Kind::Sends)
    return (place.kind == Kind::Takes ? "takes " : "sends ") + debug::color_name(names, place.index);
  const bool memory = place.kind == Kind::Memory;
  std::string text =
      memory ? fmt::format("M[{:#x}]", place.index) : fmt::format("R[{}] lane {}", place.index, place.lane);
  const unsigned lanes = memory ? 1 : static_cast<unsigned>(names.wafer.lanes);
  for (const assembler::Array& array : names.own->arrays) {
    const unsigned at = place.index * lanes + place.lane, first = static_cast<unsigned>(array.address) * lanes;
    if (array.in_memory() == memory && at >= first && at < first + static_cast<unsigned>(array.count))
      text += fmt::format(" ({}[{}])", array.name, at - first);
  }
  return text;
}

std::string value_of(const std::optional<Change>& change) {
  if (!change) return "nothing";
  if (change->place.kind != Kind::Memory)
    return fmt::format("{:08x} {}", change->value, trace::decimal_fp32(change->value));
  const auto value = static_cast<std::uint16_t>(change->value);
  return fmt::format("{:04x} {}", value, trace::decimal_bf16(value));
}

}  // namespace

bisect::Finding first_difference(const weft::programs::Replay& rtl, const weft::programs::Replay& model,
                                 const std::function<bool()>& interrupted) {
  const ModelChanges expected = model_changes(model, interrupted);
  if (expected.interrupted) return {};
  const RunWorkload workload(std::make_shared<const weft::programs::Replay>(rtl));
  Comparison comparison(rtl, workload, expected);
  if (!comparison.run(interrupted)) return {};
  const std::optional<Difference> first = comparison.first();
  if (!first) return {};
  const int tile = static_cast<int>(first->tile), cols = rtl.image.shape.cols;
  bisect::Finding finding;
  finding.kind = bisect::Kind::Tile;
  finding.phase = rtl.kernel;
  finding.row = tile / cols;
  finding.col = tile % cols;
  const debug::Names names = workload.names({finding.row, finding.col});
  const trace::InstructionNames instructions(names.program);
  const Place place = (first->rtl ? first->rtl : first->model)->place;
  finding.place = name_of(place, names);
  if (first->rtl) finding.place += fmt::format(" in cycle {} of the run", first->rtl->time - comparison.begin());
  finding.a = value_of(first->rtl);
  finding.b = value_of(first->model);
  if (place.kind == Kind::Takes) return finding;
  if (first->model) finding.by_b = bisect::instruction(first->model->cause, instructions);
  // The RTL does not show which instruction has sent a word: the model's has.
  if (first->rtl && (place.kind != Kind::Sends || !first->model))
    finding.by_a = bisect::instruction(first->rtl->cause, instructions);
  return finding;
}

std::string text(const bisect::Finding& f) {
  if (f.kind == bisect::Kind::Nothing) return "";
  std::string lines = fmt::format("tile    {},{}\nplace   {}\n", f.row, f.col, f.place);
  const auto side = [&](const char* name, const std::string& value, const std::string& by) {
    lines += fmt::format("{:<8}{}\n", name, value);
    if (!by.empty()) lines += fmt::format("  by    {}\n", by);
  };
  side("rtl", f.a, f.by_a);
  side("model", f.b, f.by_b);
  return lines;
}

}  // namespace weft::inspect::own
