#include "verif/cosim/cosim_wafer.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace weft::cosim {
namespace {

std::string hex(std::uint64_t value, int digits) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*llx", digits, static_cast<unsigned long long>(value));
  return text;
}

class CosimWafer final : public Wafer {
 public:
  struct Side {
    std::string name;
    std::unique_ptr<Wafer> wafer;
    std::vector<std::vector<std::uint32_t>> ahead = {};  // [row], delivered by this wafer but not yet by the other
  };

  CosimWafer(Side first, Side second) : a_(std::move(first)), b_(std::move(second)) {
    const std::size_t rows = static_cast<std::size_t>(shape().all_rows());
    outlets_.resize(rows);
    agreed_.resize(rows);
    a_.ahead.resize(rows);
    b_.ahead.resize(rows);
  }

  const machine::WaferShape& shape() const override { return b_.wafer->shape(); }

  void feed(std::span<const machine::Message> messages) override {
    a_.wafer->feed(messages);
    b_.wafer->feed(messages);
  }

  void feed_group(int group, std::span<const machine::Message> messages) override {
    a_.wafer->feed_group(group, messages);
    b_.wafer->feed_group(group, messages);
  }

  void await(std::span<const std::uint64_t> totals) override {
    a_.wafer->await(totals);
    b_.wafer->await(totals);
    compare_outlets();
  }

  void settle() override {
    a_.wafer->settle();
    b_.wafer->settle();
    compare_outlets();
    for (int row = 0; row < shape().all_rows(); ++row) {
      const std::size_t r = static_cast<std::size_t>(row);
      if (!a_.ahead[r].empty() || !b_.ahead[r].empty())
        differ("row " + std::to_string(row) + " has delivered", std::to_string(agreed_[r] + a_.ahead[r].size()),
               std::to_string(agreed_[r] + b_.ahead[r].size()));
      for (int col = 0; col < shape().cols; ++col) compare_memory(row, col);
    }
    const WaferCounters a = a_.wafer->counters(), b = b_.wafer->counters();
    if (a.beats != b.beats) differ("beats", std::to_string(a.beats), std::to_string(b.beats));
    if (a.fma_lanes != b.fma_lanes) differ("multiply-adds", std::to_string(a.fma_lanes), std::to_string(b.fma_lanes));
    if (a_.wafer->flags().empty() != b_.wafer->flags().empty()) differ("flags", a_.wafer->flags(), b_.wafer->flags());
  }

  void reset() override {
    a_.wafer->reset();
    b_.wafer->reset();
    for (auto* words : {&outlets_, &a_.ahead, &b_.ahead})
      for (auto& row : *words) row.clear();
    std::ranges::fill(agreed_, 0);
  }

  std::vector<std::uint32_t>& outlet(int row) override { return outlets_[static_cast<std::size_t>(row)]; }
  std::vector<std::uint16_t> sram(int row, int col) const override { return b_.wafer->sram(row, col); }
  WaferCounters counters() const override { return b_.wafer->counters(); }
  std::string flags() const override { return b_.wafer->flags(); }

 private:
  static void take(Side& side, int row) {
    auto& from = side.wafer->outlet(row);
    auto& ahead = side.ahead[static_cast<std::size_t>(row)];
    ahead.insert(ahead.end(), from.begin(), from.end());
    from.clear();
  }

  void compare_outlets() {
    for (int row = 0; row < shape().all_rows(); ++row) {
      const std::size_t r = static_cast<std::size_t>(row);
      take(a_, row);
      take(b_, row);
      auto &a = a_.ahead[r], &b = b_.ahead[r];
      const std::size_t both = std::min(a.size(), b.size());
      for (std::size_t i = 0; i < both; ++i) {
        if (a[i] != b[i])
          differ("row " + std::to_string(row) + " outlet message " + std::to_string(agreed_[r] + i), hex(a[i], 8),
                 hex(b[i], 8));
      }
      const auto end = a.begin() + static_cast<std::ptrdiff_t>(both);
      outlets_[r].insert(outlets_[r].end(), a.begin(), end);
      agreed_[r] += both;
      a.erase(a.begin(), end);
      b.erase(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(both));
    }
  }

  void compare_memory(int row, int col) {
    const auto a = a_.wafer->sram(row, col), b = b_.wafer->sram(row, col);
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (x == a.end()) return;
    differ("row " + std::to_string(row) + " column " + std::to_string(col) + " memory element " +
               std::to_string(x - a.begin()),
           hex(*x, 4), hex(*y, 4));
  }

  [[noreturn]] void differ(const std::string& what, const std::string& a, const std::string& b) const {
    throw CosimMismatch(what + ": " + a_.name + " " + a + ", " + b_.name + " " + b + " (cycle " +
                        std::to_string(b_.wafer->counters().cycles) + ")");
  }

  Side a_, b_;
  std::vector<std::vector<std::uint32_t>> outlets_;  // [row], agreed on but not yet taken by the caller
  std::vector<std::uint64_t> agreed_;                // [row], since construction or reset
};

}  // namespace

std::unique_ptr<Wafer> make_cosim_wafer(std::string first_name, std::unique_ptr<Wafer> first, std::string second_name,
                                        std::unique_ptr<Wafer> second) {
  return std::make_unique<CosimWafer>(CosimWafer::Side{std::move(first_name), std::move(first)},
                                      CosimWafer::Side{std::move(second_name), std::move(second)});
}

}  // namespace weft::cosim
