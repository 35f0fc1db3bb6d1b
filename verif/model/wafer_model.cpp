/// The functional model: rows that run until they block.
#include <sstream>

#include "verif/message.hpp"
#include "verif/model/numbers.hpp"
#include "verif/model/row.hpp"

namespace weft {
namespace {

using model::Row;

class WaferModel final : public Wafer {
 public:
  explicit WaferModel(const WaferShape& shape) : shape_(shape), shift_(shape.row_shift()) {
    for (int r = 0; r < shape.rows; ++r) rows_.push_back(std::make_unique<Row>(shape, r));
    for (int r = 0; r < shape.rows; ++r) {
      rows_[r]->ring_out = &rows_[(r + 1) % shape.rows]->ring;
      rows_[r]->north_out = r ? &rows_[r - 1]->north : nullptr;
    }
  }

  const WaferShape& shape() const override { return shape_; }

  void feed(std::span<const Message> messages) override {
    // In portions, so that what is queued stays in the cache.
    constexpr std::size_t kPortion = 4096;
    while (!messages.empty()) {
      const std::size_t n = std::min(messages.size(), kPortion);
      distribute(messages.first(n));
      messages = messages.subspan(n);
      settle();
    }
  }

  void await(std::span<const std::uint64_t> totals) override {
    if (static_cast<int>(totals.size()) != shape_.rows) throw std::invalid_argument("await: one total per row");
    settle();
    for (int r = 0; r < shape_.rows; ++r)
      if (rows_[r]->delivered < totals[r]) throw WaferStuck(stuck(totals));
  }

  void settle() override {
    FlushDenormals mode;
    for (bool moved = true; moved;) {
      moved = false;
      for (auto& row : rows_) moved |= row->run();
    }
  }

  std::vector<std::uint32_t>& outlet(int row) override { return rows_.at(row)->outlet; }
  std::vector<std::uint16_t> sram(int row, int col) const override { return rows_.at(row)->sram(col); }

  WaferCounters counters() const override {
    WaferCounters sum;
    sum.edge_messages = edge_in_;
    for (const auto& row : rows_) {
      sum.fma_lanes += row->fma_lanes;
      sum.beats += row->beats;
      sum.edge_messages += row->delivered;
    }
    return sum;
  }

  std::vector<std::uint64_t> row_beats() const override {
    std::vector<std::uint64_t> beats;
    for (const auto& row : rows_) beats.push_back(row->beats / static_cast<std::uint64_t>(shape_.cols));
    return beats;
  }

  std::string flags() const override {
    std::string text;
    for (int r = 0; r < shape_.rows; ++r)
      for (unsigned f = 0; f < std::size(isa::kFlagNames); ++f)
        if (rows_[r]->flags >> f & 1)
          text += (text.empty() ? "row " : ", row ") + std::to_string(r) + " " + std::string(isa::kFlagNames[f]);
    return text;
  }

 private:
  void distribute(std::span<const Message> messages) {
    for (auto& row : rows_) row->inbox.make_room(messages.size());
    for (const Message& m : messages) {
      if (m.ctrl) {
        edge_in_ += shape_.valves;  // every valve gets the commands
        for (auto& row : rows_) row->inbox.push_control(m.data);
        continue;
      }
      ++edge_in_;
      const unsigned row = m.data >> 16 >> shift_;
      if (row < rows_.size())
        rows_[row]->inbox.push_data(m.data);
      else
        rows_.back()->flag(isa::Flag::NoRow);
    }
  }

  std::string stuck(std::span<const std::uint64_t> totals) const {
    std::ostringstream text;
    text << "the wafer is stuck:\n";
    for (int r = 0; r < shape_.rows; ++r)
      text << "row " << r << ": delivered " << rows_[r]->delivered << " of " << totals[r] << "; "
           << rows_[r]->describe() << "\n";
    if (const std::string set = flags(); !set.empty()) text << "flags: " << set << "\n";
    return text.str();
  }

  const WaferShape shape_;
  const int shift_;
  std::vector<std::unique_ptr<Row>> rows_;
  std::uint64_t edge_in_ = 0;
};

void check(bool good, const char* what) {
  if (!good) throw std::invalid_argument(std::string("wafer: ") + what);
}

}  // namespace

std::unique_ptr<Wafer> make_model_wafer(const WaferShape& shape) {
  check(shape.rows >= 1 && shape.rows <= 128, "rows must be 1..128");
  check(shape.cols >= 1 && shape.cols <= 128, "cols must be 1..128");
  check(shape.lanes >= 2 && shape.lanes <= 64 && !(shape.lanes & (shape.lanes - 1)), "lanes must be 2, 4, 8, ... 64");
  check(shape.sram_kib >= 1 && shape.sram_kib <= 128, "sram_kib must be 1..128: addresses have 16 bits");
  check(shape.valves >= 1 && shape.valves <= shape.rows, "valves must be 1..rows");
  return std::make_unique<WaferModel>(shape);
}

}  // namespace weft
