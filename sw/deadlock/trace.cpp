/// Reader: effects of commands.
#include "sw/deadlock/trace.hpp"

#include <algorithm>

namespace weft::deadlock {

using Kind = Event::Kind;

Reader::Reader(const machine::WaferShape& shape, int row, int col)
    : shape_(shape),
      row_(row),
      col_(col),
      code_(isa::kIDepth),
      decoded_(isa::kIDepth, isa::decode(0)),
      verdicts_(isa::kIDepth, {isa::Verdict::BadInstr, isa::Verdict::BadInstr}),
      memory_(static_cast<std::size_t>(shape.sram_elements())),
      loaded_(memory_.size()) {
  for (auto& port : routes_) port.assign(static_cast<std::size_t>(shape.colors), 0);
  constexpr unsigned kEast = 1u << 1, kRamp = 1u << 4;
  // For a whole row: as in all columns but the last.
  routes_[3][0] = static_cast<std::uint8_t>(kRamp | (col == shape.cols - 1 ? 0 : kEast));
}

void Reader::wrong(bool psum, std::uint16_t pc, const std::string& text) const {
  throw Finding{Finding::Kind::Wrong, row_, col_, psum, true, pc, text};
}

void Reader::unknown(bool psum, std::uint16_t pc, const std::string& text) const {
  throw Finding{Finding::Kind::Unknown, row_, col_, psum, true, pc, text};
}

Trace Reader::read(std::span<const machine::Message> w, bool known) {
  w_ = w, next_ = 0, known_ = known, trace_ = {};
  while (next_ < w_.size()) {
    const machine::Message& m = w_[next_];
    if (!m.ctrl)
      throw Finding{Finding::Kind::Wrong,
                    row_,
                    col_,
                    false,
                    false,
                    0,
                    "a weight arrives while the tile rests, so no kernel takes it"};
    ++next_;
    steps_ = 0;
    auto& events = trace_.main;
    if (!events.empty() && events.back().kind == Kind::Command)
      ++events.back().n;
    else
      events.push_back({.kind = Kind::Command});
    command(m);
  }
  return std::move(trace_);
}

void Reader::forget_registers() {
  for (Thread* const thread : {&main_, &psum_}) thread->known = 1, thread->csr_known = 0;
}

void Reader::command(const machine::Message& m) {
  const auto code = static_cast<machine::Command>(m.data >> 24);
  const std::size_t arg = m.data >> 16 & 15;
  const auto value = static_cast<std::uint16_t>(m.data);
  const auto bad = [&](const std::string& text) {
    throw Finding{Finding::Kind::Wrong, row_, col_, false, false, 0, text};
  };
  if (code == machine::Command::Select) {
    const machine::Selection tiles = machine::Selection::of(m.data);
    selected_ = tiles.has_row(row_);
    one_column_ = tiles.col != machine::Selection::kAll && shape_.cols > 1 && col_ < 0;
    column_ = tiles.col;
    if (col_ >= 0 && !tiles.has_col(col_)) selected_ = false;
    if (tiles.col != machine::Selection::kAll && tiles.col >= shape_.cols) selected_ = false;
    return;
  }
  if (code == machine::Command::Mark) return;  // for every tile; without an external effect
  if (code == machine::Command::CR) bad("a CR arrives while the tile rests");
  if (!selected_) return;
  if (one_column_ && code != machine::Command::Maddr && code != machine::Command::Mdata) throw ColumnsDiffer{};
  switch (code) {
    case machine::Command::Setreg:
      main_.set(static_cast<int>(arg), {value, true});
      return;
    case machine::Command::Call:
      psum_may_run_ = forked_ = false;
      main_.csr[at(isa::Csr::Str)] = 0, main_.csr_known |= 1u << at(isa::Csr::Str);
      return run(false, value);
    case machine::Command::Iaddr:
      iaddr_ = value & kMask;
      return;
    case machine::Command::Ilo:
      low_ = value;
      return;
    case machine::Command::Ihi: {
      const auto a = static_cast<std::size_t>(iaddr_);
      code_[a] = static_cast<std::uint32_t>(value) << 16 | low_;
      decoded_[a] = isa::decode(code_[a]);
      for (const bool psum : {false, true})
        verdicts_[a][psum] = isa::verdict(code_[a], psum ? isa::Thread::Psum : isa::Thread::Main, shape_.colors);
      iaddr_ = (iaddr_ + 1) & kMask;
      return;
    }
    case machine::Command::Maddr:
      if (one_column_) {
        other_maddr_ = value, other_column_ = column_, maddr_known_ = false;
      } else {
        maddr_ = value, maddr_known_ = true;
      }
      return;
    case machine::Command::Mdata: {
      if (one_column_ ? other_column_ != column_ : !maddr_known_) {
        for (Value& v : memory_) v.known = false;
        return;
      }
      std::uint16_t& address = one_column_ ? other_maddr_ : maddr_;
      if (address >= memory_.size()) bad("MDATA behind the end of memory");
      memory_[address++] = {value, !one_column_ && known_};
      return;
    }
    case machine::Command::Route:
      return route(value);
    default:
      bad("an unknown command, code " + std::to_string(m.data >> 24));
  }
}

void Reader::route(std::uint16_t value) {
  const int color = value >> 11, port = value >> 8 & 7, outputs = value & 31;
  const auto bad = [&](const std::string& text) {
    throw Finding{Finding::Kind::Wrong, row_, col_, false, false, 0, "a route " + text};
  };
  if (color >= shape_.colors) bad("of color " + std::to_string(color) + ", which is not built");
  if (port > 4 || (value >> 5 & 7)) bad("that is malformed");
  if (outputs & 1 && row_ == 0) bad("off the northern edge");
  if (outputs & 4 && row_ == shape_.rows - 1) bad("off the southern edge");
  if (outputs & 2) {
    if (col_ < 0) throw ColumnsDiffer{};
    if (col_ == shape_.cols - 1) bad("off the eastern edge");
  }
  routes_[static_cast<std::size_t>(port)][static_cast<std::size_t>(color)] = static_cast<std::uint8_t>(outputs);
}

}  // namespace weft::deadlock
