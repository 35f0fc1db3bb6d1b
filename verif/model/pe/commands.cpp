#include "verif/model/pe/commands.hpp"

#include "sw/machine/message.hpp"

namespace weft::model {

Commands::Commands(Machine& m)
    : m_(m),
      first_(m.parts ? 0 : m.place.columns.first),
      memory_address_(static_cast<std::size_t>(m.parts ? m.place.shape.cols : 1)) {}

Outcome Commands::accept(std::uint32_t word) {
  const auto code = static_cast<machine::Command>(word >> 24);
  const std::size_t arg = word >> 16 & 15;
  const auto value = static_cast<std::uint16_t>(word);
  m_.work.w_came();
  if (code == machine::Command::Select) return select(machine::Selection::of(word)), done();
  if (code == machine::Command::Mark) return done();  // applies to every tile; the model has no cycles to count
  if (code == machine::Command::CR || code > machine::Command::Mark) return m_.flags.set(isa::Flag::BadCommand), done();
  const int known = first_ + static_cast<int>(memory_address_.size());
  if (!row_selected_ || (col_selected_ != kAll && (col_selected_ < first_ || col_selected_ >= known))) return done();
  const auto color = static_cast<isa::Color>(Route(value).color);
  const bool of_row = code == machine::Command::Route && (color == isa::Color::W || color == isa::Color::East);
  if (one_column() && code != machine::Command::Maddr && code != machine::Command::Mdata && !of_row)
    return m_.main.not_in_lockstep("a command for one column");
  switch (code) {
    case machine::Command::Setreg:
      if (arg) m_.main.r[arg] = value;
      m_.per_column.drop(1u << arg);
      return done();
    case machine::Command::Call:
      m_.mp = {};
      m_.pm = {};
      m_.main.csr[static_cast<std::size_t>(isa::Csr::Str)] = 0;
      m_.main.running = true;
      m_.main.pc = value;
      return done();
    case machine::Command::Iaddr:
      instruction_address_ = value & InstructionMemory::kMask;
      return done();
    case machine::Command::Ilo:
      low_half_ = value;
      return done();
    case machine::Command::Ihi:
      m_.program.set(instruction_address_, static_cast<std::uint32_t>(value) << 16 | low_half_);
      instruction_address_ = (instruction_address_ + 1) & InstructionMemory::kMask;
      return done();
    case machine::Command::Maddr:
      for (int col = first_; col < known; ++col)
        if (selected(col)) memory_address_[static_cast<std::size_t>(col - first_)] = value;
      return done();
    case machine::Command::Mdata:
      return store(value);
    default:
      return route(value);
  }
}

void Commands::take_column(const Commands& from) {
  row_selected_ = from.row_selected_;
  col_selected_ = from.col_selected_;
  instruction_address_ = from.instruction_address_;
  low_half_ = from.low_half_;
  memory_address_[0] = from.memory_address(first_);
}

void Commands::set_state(const machine::TileState& state) {
  row_selected_ = state.selected;
  col_selected_ = kAll;
  instruction_address_ = state.instruction_address & InstructionMemory::kMask;
  low_half_ = state.low_half;
  memory_address_[0] = state.memory_address;
}

void Commands::join_column(const Commands& from, int col) {
  instruction_address_ = from.instruction_address_;
  low_half_ = from.low_half_;
  memory_address_[static_cast<std::size_t>(col)] = from.memory_address(col);
}

void Commands::select(machine::Selection tiles) {
  row_selected_ = tiles.has_row(m_.place.row);
  col_selected_ = m_.place.shape.cols == 1 && tiles.col == 0 ? kAll : tiles.col;
}

Outcome Commands::store(std::uint16_t value) {
  const int lanes = m_.place.shape.lanes, elements = m_.place.shape.sram_elements();
  int good = 0, bad = 0;
  for (std::size_t i = 0; i < memory_address_.size(); ++i)
    if (selected(first_ + static_cast<int>(i))) ++(memory_address_[i] < elements ? good : bad);
  if (bad && m_.in_lockstep() && (good || one_column()))
    return m_.main.not_in_lockstep("a BAD_ADDRESS of some columns");
  if (bad) m_.flags.set(isa::Flag::BadAddress);
  for (std::size_t i = 0; i < memory_address_.size(); ++i) {
    const int col = first_ + static_cast<int>(i), own = col - m_.place.columns.first;
    if (!selected(col)) continue;
    const std::uint16_t address = memory_address_[i]++;
    if (address >= elements || own < 0 || own >= m_.place.columns.count) continue;
    const int lane = address & (lanes - 1);
    m_.sram.note(address, 1);
    m_.sram.at(static_cast<std::uint16_t>(address - lane))[own * lanes + lane] = value;
  }
  return done();
}

Outcome Commands::route(std::uint16_t value) {
  const Route route(value);
  const Place& place = m_.place;
  int first = m_.parts ? 0 : place.columns.first, last = m_.parts ? place.shape.cols - 1 : first;
  if (one_column()) first = last = col_selected_;
  const auto fault = route.fault(place.shape, place.row, first);
  if (fault != route.fault(place.shape, place.row, last))
    return m_.main.not_in_lockstep("a BAD_ROUTE of the last column");
  if (fault && one_column()) return m_.main.not_in_lockstep("a BAD_ROUTE of one column");
  if (fault)
    m_.flags.set(*fault);
  else if (!m_.ports.set_route(route, first, last))
    return m_.main.not_in_lockstep("a route that differs between columns");
  return done();
}

}  // namespace weft::model
