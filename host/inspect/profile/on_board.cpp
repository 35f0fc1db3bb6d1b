#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "host/board/wafer/board_wafer.hpp"
#include "host/inspect/profile/counting_wafer.hpp"
#include "sw/base/refusal.hpp"

namespace weft::inspect::profile {
namespace {

constexpr std::uint16_t kIdle = 0xffff;  ///< tag of the time between two phases

class OnBoard final : public CountingWafer {
 public:
  OnBoard(const compiler::Plan& plan, Wafer& board) : plan_(plan), board_(board) {
    if (plan.ops.size() + 1 >= kIdle) throw std::logic_error("more phases than tags");
    board::read_counts(board);  // rejects a board without counters now
  }

  Wafer& wafer() override { return board_; }
  std::uint64_t cycles() override { return cycles_; }
  void begin(std::vector<Phase>& phases) override { phases_ = &phases; }

  void phase(std::vector<machine::Message> messages) override {
    messages.insert(messages.begin(), mark(kIdle));
    messages.push_back(mark(number_));
    Phase& phase = phases_->at(number_++);
    board_.feed(messages);
    board_.settle();
    phase.tiles = board::read_counts(board_);
    const std::uint64_t begin = cycles_;
    for (sim::StallRecord& r : phase.tiles) {
      const std::string where = fmt::format("{}: tile {},{}", phase.name, r.row, r.col);
      if (r.tag != number_ - 1) throw std::runtime_error(where + " has counts of a phase that was not requested");
      if (r.overflow)
        throw Refusal("fpga.device", where + ": the phase took longer than the board's counts reach",
                      "make fpga MESH=\"debug=1 tally=31\" makes a board with longer ones");
      r.begin = begin;
      r.end = begin + std::accumulate(r.counts[0].begin(), r.counts[0].end(), std::uint64_t{0});
      cycles_ = std::max(cycles_, r.end);
    }
    phase.valves = {{.messages = messages.size() - 1, .begin = begin, .end = cycles_}};  // without the MARK
    phase.outlets.resize(static_cast<std::size_t>(plan_.wafer.rows));
    if (number_ == 1) return;  // tokens return nothing
    const auto& returned = plan_.ops[number_ - 2].returned;
    for (std::size_t row = 0; row < returned.size(); ++row)
      if (returned[row] > 0) phase.outlets[row] = {.messages = returned[row], .begin = begin, .end = cycles_};
  }

  void end() override {}

 private:
  const compiler::Plan& plan_;
  Wafer& board_;
  std::vector<Phase>* phases_ = nullptr;
  std::size_t number_ = 0;
  std::uint64_t cycles_ = 0;  // sum over the phases so far, each with its slowest tile
};

}  // namespace

std::unique_ptr<CountingWafer> on_board(const compiler::Plan& plan, Wafer& board) {
  return std::make_unique<OnBoard>(plan, board);
}

}  // namespace weft::inspect::profile
