/// The functional model as a Wafer.
#include <sstream>

#include "verif/model/slices.hpp"

namespace weft {
namespace {

using model::Row;
using model::Slices;

class WaferModel final : public Wafer {
 public:
  WaferModel(const WaferShape& shape, int threads) : shape_(shape), slices_(std::make_unique<Slices>(shape, threads)) {}

  const WaferShape& shape() const override { return shape_; }

  void feed(std::span<const Message> messages) override { slices_->feed(messages); }

  void await(std::span<const std::uint64_t> totals) override {
    if (static_cast<int>(totals.size()) != shape_.rows) throw std::invalid_argument("await: one total per row");
    settle();
    for (int r = 0; r < shape_.rows; ++r)
      if (slices_->delivered[r] < totals[r]) throw WaferStuck(stuck(totals));
  }

  void settle() override { slices_->settle(); }

  std::vector<std::uint32_t>& outlet(int row) override { return slices_->outlets.at(row); }

  std::vector<std::uint16_t> sram(int row, int col) const override {
    return at_rest().of_column(col).rows.at(row)->sram(col);
  }

  WaferCounters counters() const override {
    const Slices& slices = at_rest();
    WaferCounters sum;
    sum.edge_messages = slices[0].edge_messages;
    for (const std::uint64_t words : slices.delivered) sum.edge_messages += words;
    for (std::size_t s = 0; s < slices.size(); ++s) {
      for (const auto& row : slices[s].rows) {
        sum.fma_lanes += row->fma_lanes;
        sum.beats += row->beats;
      }
    }
    return sum;
  }

  std::vector<std::uint64_t> row_beats() const override {
    const Slices& slices = at_rest();
    std::vector<std::uint64_t> beats(shape_.rows);
    for (int r = 0; r < shape_.rows; ++r) {
      for (std::size_t s = 0; s < slices.size(); ++s) beats[r] += slices[s].rows[r]->beats;
      beats[r] /= static_cast<std::uint64_t>(shape_.cols);
    }
    return beats;
  }

  /// Those of a row are the same in all slices.
  std::string flags() const override {
    const Slices& slices = at_rest();
    std::string text;
    for (int r = 0; r < shape_.rows; ++r)
      for (unsigned f = 0; f < std::size(isa::kFlagNames); ++f)
        if (slices[0].rows[r]->flags >> f & 1)
          text += (text.empty() ? "row " : ", row ") + std::to_string(r) + " " + std::string(isa::kFlagNames[f]);
    return text;
  }

 private:
  const Slices& at_rest() const {
    slices_->settle();
    return *slices_;
  }

  std::string stuck(std::span<const std::uint64_t> totals) const {
    std::ostringstream text;
    text << "the wafer is stuck:\n";
    for (int r = 0; r < shape_.rows; ++r)
      text << "row " << r << ": delivered " << slices_->delivered[r] << " of " << totals[r] << "; "
           << (*slices_)[0].rows[r]->describe() << "\n";
    if (const std::string set = flags(); !set.empty()) text << "flags: " << set << "\n";
    return text.str();
  }

  const WaferShape shape_;
  const std::unique_ptr<Slices> slices_;
};

void check(bool good, const char* what) {
  if (!good) throw std::invalid_argument(std::string("wafer: ") + what);
}

}  // namespace

std::unique_ptr<Wafer> make_model_wafer(const WaferShape& shape, int threads) {
  check(shape.rows >= 1 && shape.rows <= 128, "rows must be 1..128");
  check(shape.cols >= 1 && shape.cols <= 128, "cols must be 1..128");
  check(shape.lanes >= 2 && shape.lanes <= 64 && !(shape.lanes & (shape.lanes - 1)), "lanes must be 2, 4, 8, ... 64");
  check(shape.sram_kib >= 1 && shape.sram_kib <= 128, "sram_kib must be 1..128: addresses have 16 bits");
  check(shape.valves >= 1 && shape.valves <= shape.rows, "valves must be 1..rows");
  check(threads >= 1, "threads must be at least 1");
  return std::make_unique<WaferModel>(shape, std::min(threads, shape.cols));
}

}  // namespace weft
