#include <cstdint>
#include <optional>
#include <stdexcept>

#include "host/inspect/profile/counting_wafer.hpp"
#include "host/inspect/profile/edge_traffic.hpp"

namespace weft::inspect::profile {
namespace {

constexpr std::uint16_t kLoaded = 0xffff;  ///< tag of the time before the first phase

class Simulated final : public CountingWafer {
 public:
  Simulated(const compiler::Plan& plan, sim::ClockedWafer& rtl) : plan_(plan), rtl_(rtl) {
    if (plan.ops.size() + 1 >= kLoaded) throw std::logic_error("more phases than tags");
  }

  Wafer& wafer() override { return rtl_; }
  std::uint64_t cycles() override { return rtl_.counters().cycles; }

  void begin(std::vector<Phase>& phases) override {
    phases_ = &phases;
    traffic_.emplace(plan_, phases);
    const machine::Message first = mark(kLoaded);
    rtl_.log_stalls(&log_);
    rtl_.feed({&first, 1});
    rtl_.settle();
    rtl_.record(&events_);
  }

  void phase(std::vector<machine::Message> messages) override {
    messages.push_back(mark(number_++));
    rtl_.feed(messages);
    drain();
  }

  void end() override {
    drain();
    const auto tiles = static_cast<std::size_t>(plan_.wafer.rows) * static_cast<std::size_t>(plan_.wafer.cols);
    for (Phase& phase : *phases_) phase.tiles.resize(tiles);
    std::size_t records = 0;
    for (const sim::StallRecord& r : log_) {
      if (r.tag == kLoaded) continue;
      if (r.overflow) throw std::runtime_error("a phase was too long to be counted");
      phases_->at(r.tag).tiles[static_cast<std::size_t>(r.row * plan_.wafer.cols + r.col)] = r;
      ++records;
    }
    if (records != tiles * phases_->size()) throw std::logic_error("a tile has not taken every MARK");
  }

 private:
  void drain() {
    traffic_->take(events_);
    events_.clear();
  }

  const compiler::Plan& plan_;
  sim::ClockedWafer& rtl_;
  std::vector<Phase>* phases_ = nullptr;
  std::size_t number_ = 0;
  std::optional<EdgeTraffic> traffic_;
  sim::StallLog log_;
  std::vector<sim::EdgeEvent> events_;
};

}  // namespace

std::unique_ptr<CountingWafer> simulated(const compiler::Plan& plan, sim::ClockedWafer& rtl) {
  return std::make_unique<Simulated>(plan, rtl);
}

}  // namespace weft::inspect::profile
