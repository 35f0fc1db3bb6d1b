/// The functional model as a Wafer.
#include "verif/model/model_wafer.hpp"

#include <sstream>

#include "verif/model/engine.hpp"
#include "verif/model/grouped_wafer.hpp"
#include "verif/model/tiles/names.hpp"

namespace weft::model {
namespace {

class WaferModel final : public ModelWafer {
 public:
  WaferModel(const machine::WaferShape& shape, int threads, int depth)
      : shape_(shape), engine_(std::make_unique<Engine>(shape, threads, depth)) {}

  const machine::WaferShape& shape() const override { return shape_; }

  void feed(std::span<const machine::Message> messages) override { engine_->feed(messages); }
  void feed_piece(const machine::StreamPiece& piece) override {
    if (!engine_->feed(piece)) Wafer::feed_piece(piece);
  }

  void await(std::span<const std::uint64_t> totals) override {
    if (static_cast<int>(totals.size()) != shape_.rows) throw std::invalid_argument("await: one total per row");
    engine_->wait();
    for (std::size_t r = 0; r < totals.size(); ++r)
      if (engine_->outlets.delivered[r] < totals[r])
        fail(totals, "row " + std::to_string(r) + "'s outlet has delivered " +
                         std::to_string(engine_->outlets.delivered[r]) + " of " + std::to_string(totals[r]) +
                         " messages");
  }

  void settle() override {
    engine_->wait();
    if (!engine_->fed()) fail({}, "messages are left in the intake");
    for (int r = 0; r < shape_.rows; ++r)
      for (int c = 0; c < shape_.cols; ++c)
        if (!engine_->pe(r, c).rests()) fail({}, "a program waits for words that do not arrive");
  }

  void reset() override {
    by_moves_ = false;
    engine_->reset();
  }
  void at(const machine::StreamPlace& place) override { place_ = place; }
  bool count_progress(std::atomic<std::uint64_t>& count) override {
    engine_->count_progress(count);
    return true;
  }

  std::vector<std::uint32_t>& outlet(int row) override {
    return engine_->outlets.words.at(static_cast<std::size_t>(row));
  }

  std::vector<std::uint16_t> sram(int row, int col) const override { return pe(row, col).sram(col); }
  machine::TileState state(int row, int col) const override { return pe(row, col).state(col); }

  WaferCounters counters() const override {
    engine_->drain();
    WaferCounters sum;
    sum.edge_messages = engine_->intake().messages();
    for (const std::uint64_t words : engine_->outlets.delivered) sum.edge_messages += words;
    for (int r = 0; r < shape_.rows; ++r)
      for (int c = 0; c < shape_.cols; ++c) {
        sum.fma_lanes += engine_->pe(r, c).machine.work.fma_lanes;
        sum.beats += beats(r, c);
      }
    return sum;
  }

  std::vector<std::uint64_t> row_beats() const override {
    engine_->drain();
    std::vector<std::uint64_t> means;
    for (int r = 0; r < shape_.rows; ++r) {
      std::uint64_t sum = 0;
      for (int c = 0; c < shape_.cols; ++c) sum += beats(r, c);
      means.push_back(sum / static_cast<std::uint64_t>(shape_.cols));
    }
    return means;
  }

  std::string flags() const override {
    engine_->drain();
    std::string text;
    const auto add = [&text](const std::string& place, unsigned bits) {
      for (unsigned f = 0; f < std::size(isa::kFlagNames); ++f)
        if (bits >> f & 1) text += (text.empty() ? "" : ", ") + place + " " + std::string(isa::kFlagNames[f]);
    };
    for (int r = 0; r < shape_.rows; ++r) {
      const auto bits = [&](int c) { return engine_->pe(r, c).machine.flags.bits; };
      bool same = true;
      for (int c = 1; c < shape_.cols; ++c) same &= bits(c) == bits(0);
      const std::string row = "row " + std::to_string(r);
      for (int c = 0; c < (same ? 1 : shape_.cols); ++c) add(same ? row : model::tile_name(r, c), bits(c));
      if (r == shape_.rows - 1 && engine_->intake().no_row())
        add(row + " edge", 1u << static_cast<unsigned>(isa::Flag::NoRow));
    }
    return text;
  }

  bool in_lockstep() const override {
    engine_->drain();
    return engine_->in_lockstep();
  }

  void pause(std::function<void()> between) override { engine_->pause(std::move(between)); }
  void leave_lockstep() override { engine_->leave_lockstep(); }

  void set_state(int row, int col, const machine::TileState& state) override { engine_->set_state(row, col, state); }
  void queue(std::span<const machine::Message> messages) override {
    engine_->queue(messages);
    by_moves_ = true;
  }
  bool move(ModelMove& moved) override { return engine_->move(moved); }
  std::uint8_t tile_flags(int row, int col) const override { return pe(row, col).machine.flags.bits; }
  std::shared_ptr<const machine::HangSnapshot> hang_snapshot(const std::string& why) const override {
    return shown({}, why);
  }

 private:
  const Pe& pe(int row, int col) const {
    if (!by_moves_) engine_->drain();  // during single moves the state is read as it is, even after an error
    return engine_->pe(row, col);
  }
  std::uint64_t beats(int row, int col) const {
    return engine_->pe(row, col).machine.work.beats_of(shape_.cols - 1 - col);
  }

  /// `totals`: words awaited, by row; empty: none.
  std::string hang_text(std::span<const std::uint64_t> totals) const {
    constexpr int kMost = 16;  // tiles
    std::ostringstream text;
    text << "the wafer hangs:\n";
    int tiles = 0;
    for (int r = 0; r < shape_.rows; ++r) {
      text << "row " << r << ": delivered " << engine_->outlets.delivered[static_cast<std::size_t>(r)];
      if (!totals.empty()) text << " of " << totals[static_cast<std::size_t>(r)];
      if (engine_->in_lockstep()) text << "; " << engine_->pe(r, 0).describe();
      text << "\n";
      for (int c = 0; c < shape_.cols && !engine_->in_lockstep(); ++c)
        if (const Pe& tile = engine_->pe(r, c); !tile.rests() && ++tiles <= kMost)
          text << model::tile_name(r, c) << ": " << tile.describe() << "\n";
    }
    if (tiles > kMost) text << "and " << tiles - kMost << " tiles more that do not rest\n";
    if (const std::string set = flags(); !set.empty()) text << "flags: " << set << "\n";
    return text.str();
  }

  std::shared_ptr<const machine::HangSnapshot> shown(std::span<const std::uint64_t> totals,
                                                     const std::string& why) const {
    auto s = std::make_shared<machine::HangSnapshot>();
    s->shape = shape_;
    s->machine = "model";
    s->why = why;
    s->place = place_;
    for (int r = 0; r < shape_.rows; ++r) {
      const auto row = static_cast<std::size_t>(r);
      for (int c = 0; c < shape_.cols; ++c) {
        s->tiles.push_back(engine_->pe(r, c).hang_snapshot(c));
        if (!machine::keeps_memories(shape_)) s->tiles.back().state.memory = {};
      }
      s->rows.push_back({.delivered = engine_->outlets.delivered[row], .awaited = totals.empty() ? 0 : totals[row]});
    }
    s->valves.resize(static_cast<std::size_t>(shape_.valves));
    engine_->show(*s);
    return s;
  }

  [[noreturn]] void fail(std::span<const std::uint64_t> totals, const std::string& why) const {
    throw WaferHang(hang_text(totals), shown(totals, why));
  }

  const machine::WaferShape shape_;
  const std::unique_ptr<Engine> engine_;
  machine::StreamPlace place_;
  bool by_moves_ = false;
};

void check(bool good, const char* what) {
  if (!good) throw std::invalid_argument(std::string("wafer: ") + what);
}

std::unique_ptr<ModelWafer> checked(const machine::WaferShape& shape, int threads, int depth) {
  check(shape.rows >= 1 && shape.rows <= machine::WaferShape::kMostRows, "rows must be 1..1024");
  check(shape.cols >= 1 && shape.cols <= machine::WaferShape::kMostCols, "cols must be 1..1024");
  check(shape.lanes >= 2 && shape.lanes <= 64 && !(shape.lanes & (shape.lanes - 1)), "lanes must be 2, 4, 8, ... 64");
  check(shape.sram_kib >= 1 && shape.sram_kib <= 128, "sram_kib must be 1..128: addresses have 16 bits");
  check(shape.valves >= 1 && shape.valves <= shape.rows, "valves must be 1..rows");
  check(shape.colors >= 1 && shape.colors <= 32, "colors must be 1..32: the field has 5 bits");
  check(threads >= 1, "threads must be at least 1");
  check(depth >= 0 && depth <= 128, "the depth of links must be 0 (no bound) or 1..128");
  check(shape.row_groups == 1, "this wafer of the model has one group of rows");
  return std::make_unique<WaferModel>(shape, std::min(threads, shape.cols), depth);
}

}  // namespace

}  // namespace weft::model

namespace weft {

std::unique_ptr<Wafer> make_model_wafer(const machine::WaferShape& shape, int threads, int depth) {
  if (shape.row_groups == 1) return model::checked(shape, threads, depth);
  machine::WaferShape one = shape;
  one.row_groups = 1;
  std::vector<std::unique_ptr<Wafer>> groups;
  for (int g = 0; g < shape.row_groups; ++g)
    groups.push_back(model::checked(one, std::max(1, threads / shape.row_groups), depth));
  return model::make_grouped_wafer(std::move(groups));
}

}  // namespace weft

namespace weft::model {

std::unique_ptr<ModelWafer> make_model_to_look_at(const machine::WaferShape& shape, int depth) {
  return checked(shape, 1, depth);
}

}  // namespace weft::model
