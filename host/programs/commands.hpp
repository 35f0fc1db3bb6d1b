/// Lists of commands for tiles.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "host/programs/routes.hpp"
#include "sw/asm/program.hpp"
#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"

namespace weft::programs {

class Commands {
 public:
  void add(machine::Command code, int arg, int value) {
    list_.push_back(machine::Message::command(code, static_cast<std::uint8_t>(arg), static_cast<std::uint16_t>(value)));
  }
  void add(std::span<const machine::Message> messages) { list_.insert(list_.end(), messages.begin(), messages.end()); }
  void select(machine::Selection tiles) { list_.push_back(machine::Message::select(tiles)); }
  void write(int address, std::span<const std::uint16_t> elements) {
    add(machine::Command::Maddr, 0, address);
    for (const std::uint16_t element : elements) add(machine::Command::Mdata, 0, element);
  }
  void route(int color, machine::Port port, unsigned outputs) {
    add(machine::Command::Route, 0,
        static_cast<int>(static_cast<unsigned>(color) << 11 | static_cast<unsigned>(port) << 8 | outputs));
  }
  /// Writes instructions from the load address on.
  void add_words(std::span<const std::uint32_t> words) {
    for (const std::uint32_t word : words) {
      add(machine::Command::Ilo, 0, static_cast<int>(word & 0xffff));
      add(machine::Command::Ihi, 0, static_cast<int>(word >> 16));
    }
  }
  /// Sets the registers of a kernel's parameters to `values`, in their order.
  void set_registers(const assembler::Kernel& kernel, std::span<const int> values) {
    for (std::size_t i = 0; i < values.size(); ++i) add(machine::Command::Setreg, kernel.parameters[i].reg, values[i]);
  }
  /// Calls a kernel with `values` for its parameters, in their order.
  void call(const assembler::Kernel& kernel, std::span<const int> values) {
    set_registers(kernel, values);
    add(machine::Command::Call, 0, kernel.address);
  }
  std::vector<machine::Message> take() { return std::move(list_); }

 private:
  std::vector<machine::Message> list_;
};

/// The fewest SELECTs that name the tiles of a region one after the other.
inline std::vector<machine::Selection> selections(const Region& region, const machine::WaferShape& shape) {
  constexpr int kAll = machine::Selection::kAll;
  const bool all_rows = region.rows == shape.rows, all_cols = region.cols == shape.cols;
  std::vector<machine::Selection> list;
  for (int row = 0; row < (all_rows ? 1 : region.rows); ++row)
    for (int col = 0; col < (all_cols ? 1 : region.cols); ++col)
      list.push_back({all_rows ? kAll : region.row + row, all_cols ? kAll : region.col + col});
  return list;
}

}  // namespace weft::programs
