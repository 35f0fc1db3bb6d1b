#include "host/look/profile/measure.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>

#include "host/look/profile/edge_traffic.hpp"
#include "host/swarmx/outlets.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/reducer.hpp"

namespace weft::profile {
namespace {

constexpr std::uint16_t kLoaded = 0xffff;  ///< tag of what was before the first phase

Message mark(std::size_t tag) { return Message::command(Command::Mark, 0, static_cast<std::uint16_t>(tag)); }

class Measurement {
 public:
  Measurement(const Plan& plan, MemoryX& memoryx, ClockedWafer& rtl)
      : plan_(plan),
        memoryx_(memoryx),
        rtl_(rtl),
        model_(make_model_wafer(plan.wafer)),
        outlets_(plan, rtl),
        reducer_(plan, {{.name = "wafer 0"}}) {
    if (plan.ops.size() + 1 >= kLoaded) throw std::logic_error("more phases than tags");
    result_.wafer = plan.wafer;
    result_.phases.resize(plan.ops.size() + 1);
    result_.phases[0].name = "tokens";
    for (std::size_t op = 0; op < plan.ops.size(); ++op) result_.phases[op + 1].name = plan.ops[op].name;
    traffic_.emplace(plan, result_.phases);
  }

  Profile run(const Batch& batch, std::uint64_t step) {
    result_.step = step + 1;
    const auto sequences = static_cast<int>(batch.inputs.size()) / plan_.model.seq;
    load();
    memoryx_.begin_step(1);
    begin_round(step);
    outlets_.begin(plan_.ops.size(), sequences);
    phase(0, plan_.tokens(batch.inputs, batch.labels));
    std::vector<Message> messages;
    for (std::size_t op = 0; op < plan_.ops.size(); ++op) {
      const double seconds = time([&] {
        memoryx_.wait(plan_.ops[op].tensors);
        expand(plan_.ops[op], memoryx_.parameters(), messages);
      });
      did(HostWork::Who::Stream, "expand " + plan_.ops[op].name, seconds);
      phase(op + 1, messages);
      take(step);
    }
    rtl_.await(outlets_.totals());
    rtl_.settle();
    drain();
    take(step);
    const double seconds = time([&] {
      memoryx_.apply(step, tokens_);
      memoryx_.store();  // waits
    });
    did(HostWork::Who::Sums, "apply", seconds);
    sort_records();
    return std::move(result_);
  }

 private:
  template <class Work>
  static double time(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  void did(HostWork::Who who, std::string what, double seconds) {
    result_.host.push_back({who, std::move(what), rtl_.counters().cycles, seconds});
  }

  void load() {
    for (Wafer* wafer : {static_cast<Wafer*>(&rtl_), model_.get()}) {
      wafer->feed(plan_.load);
      wafer->settle();
    }
    const Message first = mark(kLoaded);
    rtl_.log_tallies(&log_);
    rtl_.feed({&first, 1});
    rtl_.settle();
    rtl_.record(&events_);
  }

  void begin_round(std::uint64_t step) {
    Frame frame{.type = FrameType::Begin, .step = step};
    reducer_.begin(frame.carry(encode_round({.train = true, .wafers = 1, .micro_batches = 1})));
  }

  void phase(std::size_t number, std::vector<Message> messages) {
    const std::uint64_t before = model_->counters().fma_lanes;
    model_->feed(messages);
    model_->settle();
    for (int row = 0; row < plan_.wafer.rows; ++row) model_->outlet(row).clear();
    result_.phases[number].multiply_adds = model_->counters().fma_lanes - before;
    messages.push_back(mark(number));
    rtl_.feed(messages);
    drain();
  }

  void drain() {
    traffic_->take(events_);
    events_.clear();
  }

  /// What has come back by now, through the tree into MemoryX's sums.
  void take(std::uint64_t step) {
    std::vector<Frame> frames;
    const double seconds = time([&] { outlets_.take(frames); });
    if (frames.empty()) return;
    did(HostWork::Who::Tree, "collect " + plan_.ops[frames.front().op].name, seconds);
    for (Frame& frame : frames) {
      const std::string& name = plan_.ops[frame.op].name;
      frame.step = step;
      frame.contains = 1;
      std::optional<Frame> sum;
      did(HostWork::Who::Tree, "reduce " + name, time([&] { sum = reducer_.add(0, frame); }));
      if (!sum) throw std::logic_error("the sum of one wafer is not complete");
      const std::vector<std::int64_t> values = decode_integers(sum->bytes());
      if (sum->type == FrameType::Loss) tokens_ += static_cast<std::uint64_t>(values[kLossTokens]);
      if (sum->type != FrameType::Gradient) continue;
      did(HostWork::Who::Sums, "sum " + name,
          time([&] { memoryx_.add(sum->op, std::size_t{sum->part} * kPartValues, values); }));
    }
  }

  void sort_records() {
    for (Phase& phase : result_.phases) phase.tiles.resize(result_.tiles());
    std::size_t records = 0;
    for (const TallyRecord& r : log_) {
      if (r.tag == kLoaded) continue;
      if (r.overflow) throw std::runtime_error("a phase was too long to be counted");
      result_.phases.at(r.tag).tiles[static_cast<std::size_t>(r.row * plan_.wafer.cols + r.col)] = r;
      ++records;
    }
    if (records != result_.tiles() * result_.phases.size()) throw std::logic_error("a tile has not taken every MARK");
  }

  const Plan& plan_;
  MemoryX& memoryx_;
  ClockedWafer& rtl_;
  std::unique_ptr<Wafer> model_;
  Outlets outlets_;
  Reducer reducer_;
  Profile result_;
  std::optional<EdgeTraffic> traffic_;
  TallyLog log_;
  std::vector<EdgeEvent> events_;
  std::uint64_t tokens_ = 0;
};

}  // namespace

Profile measure(const Plan& plan, MemoryX& memoryx, const Batch& batch, std::uint64_t step, ClockedWafer& rtl) {
  return Measurement(plan, memoryx, rtl).run(batch, step);
}

}  // namespace weft::profile
