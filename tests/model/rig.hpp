/// A wafer, by default a model, and the operations of tests: load programs and memory, call, compare.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/program/load.hpp"
#include "verif/wafer.hpp"

namespace weft::model {

class Rig {
 public:
  /// A model wafer with RING, NORTH and WEST routed as for the kernels.
  explicit Rig(const machine::WaferShape& shape, int threads = 1) : Rig(make_model_wafer(shape, threads)) {
    pending = compiler::route_messages(shape);
  }
  explicit Rig(std::unique_ptr<Wafer> w) : wafer(std::move(w)) {}

  Rig& command(machine::Command code, int arg, int value) {
    pending.push_back(
        machine::Message::command(code, static_cast<std::uint8_t>(arg), static_cast<std::uint16_t>(value)));
    return *this;
  }
  Rig& cr() { return command(machine::Command::CR, 0, 0); }
  Rig& weight(int index, int value) {
    pending.push_back(machine::Message::weight(static_cast<std::uint16_t>(index), static_cast<std::uint16_t>(value)));
    return *this;
  }
  Rig& select(int row, int col) {
    pending.push_back(machine::Message::select({row, col}));
    return *this;
  }
  Rig& select() { return select(machine::Selection::kAll, machine::Selection::kAll); }
  Rig& select_row(int row) { return select(row, machine::Selection::kAll); }
  Rig& reg(int r, int value) { return command(machine::Command::Setreg, r, value); }

  /// Loads a program into the selected rows.
  Rig& load(std::string_view source, const assembler::Constants& constants = {}) {
    program = assembler::assemble(source, "test.s", constants);
    command(machine::Command::Iaddr, 0, 0);
    for (const std::uint32_t word : program.words)
      command(machine::Command::Ilo, 0, word & 0xffff).command(machine::Command::Ihi, 0, word >> 16);
    return *this;
  }
  Rig& call(const std::string& label) { return command(machine::Command::Call, 0, program.labels.at(label)); }

  /// Writes elements of one PE, then selects all tiles again.
  Rig& store(int row, int col, int address, const std::vector<std::uint16_t>& elements) {
    select(row, col).command(machine::Command::Maddr, 0, address);
    for (const std::uint16_t e : elements) command(machine::Command::Mdata, 0, e);
    return select();
  }

  /// Feeds the pending messages, all at once or `chunk` messages at a time.
  Rig& feed(std::size_t chunk = 0) {
    if (!chunk) chunk = pending.size();
    for (std::size_t i = 0; i < pending.size(); i += chunk)
      wafer->feed(std::span(pending).subspan(i, std::min(chunk, pending.size() - i)));
    pending.clear();
    return *this;
  }
  /// Feeds the pending messages and waits until the wafer is at rest.
  Rig& go(std::size_t chunk = 0) {
    feed(chunk);
    wafer->settle();
    return *this;
  }

  std::uint16_t element(int row, int col, int address) const { return wafer->sram(row, col).at(address); }

  std::unique_ptr<Wafer> wafer;
  std::vector<machine::Message> pending;
  assembler::Program program;
};

}  // namespace weft::model
