#include "verif/model/grouped_wafer.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace weft::model {
namespace {

class GroupedWafer final : public Wafer {
 public:
  explicit GroupedWafer(std::vector<std::unique_ptr<Wafer>> groups)
      : groups_(std::move(groups)), shape_(groups_.front()->shape()) {
    shape_.row_groups = static_cast<int>(groups_.size());
  }

  const machine::WaferShape& shape() const override { return shape_; }

  void feed(std::span<const machine::Message> messages) override {
    each([&](Wafer& group, std::size_t) { group.feed(messages); });
  }
  void feed_piece(const machine::StreamPiece& piece) override {
    each([&](Wafer& group, std::size_t) { group.feed_piece(piece); });
  }
  void feed_group(int group, std::span<const machine::Message> messages) override {
    in_group(static_cast<std::size_t>(group), [&](Wafer& one) { one.feed(messages); });
  }
  void await(std::span<const std::uint64_t> totals) override {
    const auto rows = static_cast<std::size_t>(shape_.rows);
    if (totals.size() != rows * groups_.size()) throw std::invalid_argument("await: one total per row of all groups");
    each([&](Wafer& group, std::size_t g) { group.await(totals.subspan(g * rows, rows)); });
  }
  void settle() override {
    each([](Wafer& group, std::size_t) { group.settle(); });
  }
  void reset() override {
    for (auto& group : groups_) group->reset();
  }
  std::vector<std::uint32_t>& outlet(int row) override { return of(row).outlet(row % shape_.rows); }
  std::vector<std::uint16_t> sram(int row, int col) const override { return of(row).sram(row % shape_.rows, col); }
  machine::TileState state(int row, int col) const override { return of(row).state(row % shape_.rows, col); }
  void at(const machine::StreamPlace& place) override {
    for (auto& group : groups_) group->at(place);
  }
  bool count_progress(std::atomic<std::uint64_t>& count) override {
    return std::ranges::all_of(groups_, [&](auto& group) { return group->count_progress(count); });
  }
  WaferCounters counters() const override {
    WaferCounters sum;
    for (const auto& group : groups_) {
      const WaferCounters one = group->counters();
      sum.fma_lanes += one.fma_lanes;
      sum.beats += one.beats;
      sum.edge_messages += one.edge_messages;
    }
    return sum;
  }
  std::vector<std::uint64_t> row_beats() const override {
    std::vector<std::uint64_t> beats;
    for (const auto& group : groups_) {
      const std::vector<std::uint64_t> rows = group->row_beats();
      beats.insert(beats.end(), rows.begin(), rows.end());
    }
    return beats;
  }
  std::string flags() const override {
    std::string text;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (const std::string flags = groups_[g]->flags(); !flags.empty())
        text += (text.empty() ? "group " : "; group ") + std::to_string(g) + ": " + flags;
    return text;
  }

 private:
  Wafer& of(int row) const { return *groups_.at(static_cast<std::size_t>(row / shape_.rows)); }

  /// Calls `work` with the group; an error that the group hangs then names it.
  template <class Work>
  void in_group(std::size_t group, const Work& work) {
    try {
      work(*groups_.at(group));
    } catch (const WaferHang& hang) {
      const std::string name = "group " + std::to_string(group) + " of the rows: ";
      if (!hang.hang_snapshot) throw WaferHang(name + hang.what());
      auto snapshot = std::make_shared<machine::HangSnapshot>(*hang.hang_snapshot);
      snapshot->why = name + snapshot->why;
      throw WaferHang(name + hang.what(), std::move(snapshot));
    }
  }
  template <class Work>
  void each(const Work& work) {
    for (std::size_t g = 0; g < groups_.size(); ++g) in_group(g, [&](Wafer& group) { work(group, g); });
  }

  const std::vector<std::unique_ptr<Wafer>> groups_;
  machine::WaferShape shape_;
};

}  // namespace

std::unique_ptr<Wafer> make_grouped_wafer(std::vector<std::unique_ptr<Wafer>> groups) {
  return std::make_unique<GroupedWafer>(std::move(groups));
}

}  // namespace weft::model
