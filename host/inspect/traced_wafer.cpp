#include "host/inspect/traced_wafer.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "host/inspect/snapshot_to_rtl.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/train/load_weights.hpp"
#include "sw/base/quoted_lines.hpp"
#include "sw/base/refusal.hpp"
#include "sw/base/shell_word.hpp"
#include "verif/trace/tile_list.hpp"
#include "verif/trace/trace.hpp"

namespace weft::inspect {
namespace {

class TracedWafer final : public Wafer {
 public:
  TracedWafer(std::unique_ptr<sim::ClockedWafer> wafer, TraceRequest request,
              std::function<assembler::Program()> program)
      : wafer_(std::move(wafer)), request_(std::move(request)), make_program_(std::move(program)) {}
  ~TracedWafer() override {
    try {
      if (!done_)
        std::cerr << "note    step " << request_.step << " was not run here: no trace of " << request_.phase << '\n';
      end();
    } catch (const std::exception& e) {
      std::cerr << "weft: " << quoted_lines(e.what()) << '\n';
    }
  }

  const machine::WaferShape& shape() const override { return wafer_->shape(); }
  void feed(std::span<const machine::Message> messages) override {
    if (trace_ && !phase_begun_) {
      trace_->phase(wafer_->cycle_number(), name_, calls_of(messages));
      phase_begun_ = true;
    }
    wafer_->feed(messages);
  }
  void await(std::span<const std::uint64_t> totals) override { wafer_->await(totals); }
  void settle() override { wafer_->settle(); }
  void reset() override { wafer_->reset(); }
  std::vector<std::uint32_t>& outlet(int row) override { return wafer_->outlet(row); }
  std::vector<std::uint16_t> sram(int row, int col) const override { return wafer_->sram(row, col); }
  machine::TileState state(int row, int col) const override { return wafer_->state(row, col); }
  WaferCounters counters() const override { return wafer_->counters(); }
  std::vector<std::uint64_t> row_beats() const override { return wafer_->row_beats(); }
  std::string flags() const override { return wafer_->flags(); }
  bool count_progress(std::atomic<std::uint64_t>& count) override { return wafer_->count_progress(count); }

  void at(const machine::StreamPlace& place) override {
    wafer_->at(place);
    name_ = place.phase;
    phase_begun_ = false;
    if (trace_ && ++later_ == 2) end();
    if (!done_ && place.step + 1 == request_.step && place.phase == request_.phase) begin();
  }

 private:
  void begin() {
    done_ = true;  // trace only once
    later_ = 0;
    program_ = make_program_();
    trace_ = std::make_unique<trace::Trace>(
        trace::Trace::Options{.file = request_.file, .tiles = request_.tiles, .origin = wafer_->cycle_number()},
        wafer_->shape(), &program_);
    wafer_->watch(trace_.get(), request_.tiles);
  }
  void end() {
    if (!trace_) return;
    wafer_->watch(nullptr);
    const std::unique_ptr<trace::Trace> trace = std::move(trace_);
    trace->close();
    std::cerr << "trace   " << request_.file.string() << ": gtkwave " << shell_word(trace->view().string()) << '\n';
  }

  const std::unique_ptr<sim::ClockedWafer> wafer_;
  const TraceRequest request_;
  const std::function<assembler::Program()> make_program_;
  assembler::Program program_;
  std::unique_ptr<trace::Trace> trace_;
  std::string name_;          // name of the current phase
  bool phase_begun_ = false;  // in the trace
  bool done_ = false;
  int later_ = 0;  // phases begun since the traced one
};

}  // namespace

std::optional<TraceRequest> trace_request(const config::Config& config, const config::Options& options,
                                          const planning::LoadedPlan* loaded) {
  TraceRequest request;
  request.phase = config::option(options, "trace.phase", "");
  if (request.phase.empty()) {
    for (const auto& [name, value] : options)
      if (name.starts_with("trace."))
        throw Refusal("--" + name, "has no --trace.phase", "name the phase; weft waves --phase list prints them");
    return std::nullopt;
  }
  const std::string& mode = config.runconfig.mode;
  if (mode != "train" && mode != "train_and_eval")
    throw Refusal("--trace.phase", "mode " + mode + " has no training steps", "use --mode train");
  if (config.row_groups > 1)
    throw Refusal("--trace.phase", "applies to wafers of one group of rows",
                  "use weft waves, which shows one group, or --wafer.row_groups 1");
  const compiler::Plan plan = planning::compile_plan(config, train::first_mask(config), loaded);
  const std::size_t phase = find_phase(plan, request.phase);
  std::cerr << note_other_name(plan, phase, request.phase);
  request.phase = plan.ops[phase].name;
  request.step = config::number(options, "trace.step", 1);
  const std::uint64_t wafer = config::number(options, "trace.wafer", 0);
  if (request.step == 0) throw Refusal("--trace.step", "0 is not a step", "the first step is 1");
  if (wafer >= static_cast<std::uint64_t>(config.runconfig.num_csx))
    throw Refusal("--trace.wafer", "does not exist", "wafers are 0 to " + std::to_string(config.runconfig.num_csx - 1));
  request.wafer = static_cast<int>(wafer);
  if (config.backend_of(request.wafer) != "rtl")
    throw Refusal("--trace.phase", "wafer " + std::to_string(wafer) + " has no RTL that can be traced",
                  "use --backend rtl, or weft waves, which needs no run");
  request.tiles = trace::parse_tiles(config::option(options, "trace.tiles", "0,0"), config.wafer);
  request.file = config::option(options, "trace.out", "out/waves/run.fst");
  if (request.file.extension() != ".fst")
    throw Refusal("--trace.out", "does not end in .fst", "name the trace, e.g. out/run.fst");
  std::error_code error;
  if (request.file.has_parent_path()) std::filesystem::create_directories(request.file.parent_path(), error);
  const std::filesystem::path folder = request.file.has_parent_path() ? request.file.parent_path() : ".";
  if (error || std::filesystem::is_directory(request.file, error) || ::access(folder.c_str(), W_OK | X_OK) != 0)
    throw Refusal("--trace.out", request.file.string() + " cannot be written",
                  "name a file in a folder that can be written");
  return request;
}

std::unique_ptr<Wafer> traced(std::unique_ptr<sim::ClockedWafer> wafer, TraceRequest request,
                              std::function<assembler::Program()> program) {
  return std::make_unique<TracedWafer>(std::move(wafer), std::move(request), std::move(program));
}

}  // namespace weft::inspect
