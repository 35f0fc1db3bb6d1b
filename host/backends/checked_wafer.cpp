#include "host/backends/checked_wafer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace weft::backends {
namespace {

class CheckedWafer final : public Wafer {
 public:
  struct Side {
    std::string name;
    std::unique_ptr<Wafer> wafer;
    std::vector<std::vector<std::uint32_t>> ahead = {};  // [row]: words returned by this side and not compared yet
  };

  CheckedWafer(Side first, Side second) : a_(std::move(first)), b_(std::move(second)) {
    const auto rows = static_cast<std::size_t>(shape().all_rows());
    a_.ahead.resize(rows);
    b_.ahead.resize(rows);
    outlets_.resize(rows);
    agreed_.resize(rows);
    ops_.emplace_back();
    ops_.back().place.phase = "load";
    ops_.back().begin.resize(rows);
  }

  const machine::WaferShape& shape() const override { return a_.wafer->shape(); }

  void feed(std::span<const machine::Message> messages) override {
    a_.wafer->feed(messages);
    b_.wafer->feed(messages);
    compare();
  }
  void feed_group(int group, std::span<const machine::Message> messages) override {
    a_.wafer->feed_group(group, messages);
    b_.wafer->feed_group(group, messages);
    compare();
  }
  void await(std::span<const std::uint64_t> totals) override {
    a_.wafer->await(totals);
    b_.wafer->await(totals);
    compare();
  }
  void settle() override {
    a_.wafer->settle();
    b_.wafer->settle();
    compare();
    for (std::size_t r = 0; r < agreed_.size(); ++r) {
      if (a_.ahead[r].size() == b_.ahead[r].size()) continue;
      differ(r, agreed_[r], fmt::format("{} more words", a_.ahead[r].size()),
             fmt::format("{} more words", b_.ahead[r].size()));
    }
  }
  void reset() override {
    a_.wafer->reset();
    b_.wafer->reset();
    for (auto* words : {&outlets_, &a_.ahead, &b_.ahead})
      for (auto& row : *words) row.clear();
    std::ranges::fill(agreed_, 0);
    ops_.erase(ops_.begin(), ops_.end() - 1);
    ops_.back().begin = agreed_;
  }

  void at(const machine::StreamPlace& place) override {
    a_.wafer->at(place);
    b_.wafer->at(place);
    b_.wafer->settle();
    compare();
    SentOp op{place, agreed_};
    for (std::size_t r = 0; r < agreed_.size(); ++r) op.begin[r] += b_.ahead[r].size();
    ops_.push_back(std::move(op));
    while (ops_.size() > 1 && all_agreed(ops_[1])) ops_.pop_front();
  }

  bool count_progress(std::atomic<std::uint64_t>& count) override {
    return a_.wafer->count_progress(count) && b_.wafer->count_progress(count);
  }
  std::vector<std::uint32_t>& outlet(int row) override { return outlets_.at(static_cast<std::size_t>(row)); }
  std::vector<std::uint16_t> sram(int row, int col) const override { return a_.wafer->sram(row, col); }
  machine::TileState state(int row, int col) const override { return a_.wafer->state(row, col); }
  WaferCounters counters() const override { return a_.wafer->counters(); }
  std::vector<std::uint64_t> row_beats() const override { return a_.wafer->row_beats(); }
  std::string flags() const override { return a_.wafer->flags(); }

 private:
  struct SentOp {
    machine::StreamPlace place;
    std::vector<std::uint64_t> begin;  // [row]: number of words before the op's first
  };

  bool all_agreed(const SentOp& op) const {
    for (std::size_t r = 0; r < agreed_.size(); ++r)
      if (agreed_[r] < op.begin[r]) return false;
    return true;
  }

  static void take(Side& side, std::size_t row) {
    auto& from = side.wafer->outlet(static_cast<int>(row));
    side.ahead[row].insert(side.ahead[row].end(), from.begin(), from.end());
    from.clear();
  }

  /// Compares the words of all rows; throws the difference that belongs to the earliest op.
  void compare() {
    struct Found {
      std::size_t op, row;
      std::uint64_t word;
      std::uint32_t a, b;
    };
    std::vector<Found> found;
    for (std::size_t r = 0; r < agreed_.size(); ++r) {
      take(a_, r);
      take(b_, r);
      auto &a = a_.ahead[r], &b = b_.ahead[r];
      const auto both = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
      const auto [x, y] = std::mismatch(a.begin(), a.begin() + both, b.begin());
      if (x != a.begin() + both) {
        const std::uint64_t word = agreed_[r] + static_cast<std::uint64_t>(x - a.begin());
        found.push_back({op_of(r, word), r, word, *x, *y});
        continue;
      }
      outlets_[r].insert(outlets_[r].end(), a.begin(), x);
      agreed_[r] += static_cast<std::uint64_t>(both);
      a.erase(a.begin(), x);
      b.erase(b.begin(), y);
    }
    if (found.empty()) return;
    const Found first = *std::ranges::min_element(found, {}, &Found::op);
    differ(first.row, first.word, fmt::format("0x{:08x}", first.a), fmt::format("0x{:08x}", first.b));
  }

  /// The last op that had begun before this word.
  std::size_t op_of(std::size_t row, std::uint64_t word) const {
    std::size_t op = ops_.size() - 1;
    while (op > 0 && ops_[op].begin[row] > word) --op;
    return op;
  }

  [[noreturn]] void differ(std::size_t row, std::uint64_t word, const std::string& a, const std::string& b) const {
    const SentOp& op = ops_[op_of(row, word)];
    throw CheckFailed(
        fmt::format("wafer {}, step {}, micro-batch {}: {} returns another word {} of row {}: {} {}, {} {}",
                    std::max(op.place.wafer, 0), op.place.step + 1, op.place.micro_batch, op.place.phase,
                    word - std::min(word, op.begin[row]), row, a_.name, a, b_.name, b));
  }

  Side a_, b_;
  std::vector<std::vector<std::uint32_t>> outlets_;  // [row]: equal words not yet taken by the caller
  std::vector<std::uint64_t> agreed_;                // [row]: equal words since construction or reset
  std::deque<SentOp> ops_;                           // ops whose words may still arrive
};

}  // namespace

std::unique_ptr<Wafer> make_checked_wafer(std::string first_name, std::unique_ptr<Wafer> first, std::string second_name,
                                          std::unique_ptr<Wafer> second) {
  return std::make_unique<CheckedWafer>(CheckedWafer::Side{std::move(first_name), std::move(first)},
                                        CheckedWafer::Side{std::move(second_name), std::move(second)});
}

}  // namespace weft::backends
