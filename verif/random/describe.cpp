/// Text form of a case.
#include <algorithm>
#include <sstream>

#include "sw/asm/assembler.hpp"
#include "verif/random/case.hpp"

namespace weft::random {

namespace {

std::string name(const Item& item) {
  switch (item.kind) {
    case Item::Kind::Load:
      return "load all programs";
    case Item::Kind::Settle:
      return "settle, compare";
    case Item::Kind::Reset:
      return "reset";
    default:
      break;
  }
  const std::uint32_t data = item.message.data;
  std::ostringstream text;
  const unsigned code = data >> 24;
  if (!item.message.ctrl)
    text << std::hex << "weight index 0x" << (data >> 16) << " value 0x" << (data & 0xffff);
  else if (code < std::size(isa::kCmdNames))
    text << isa::kCmdNames[code] << " " << (data >> 16 & 255) << ", 0x" << std::hex << (data & 0xffff);
  else
    text << "command " << code << " 0x" << std::hex << (data & 0xffffff);
  return text.str();
}

void print(std::ostringstream& text, const Case& c, const Program& program) {
  for (std::size_t i = 0; i < program.size(); ++i) {
    const std::uint32_t word = c.word(program[i]);
    const auto nop = [](const Line& line) { return line.word == kNop && line.target == Line::kNone; };
    if (nop(program[i])) {
      const auto end = std::find_if_not(program.begin() + static_cast<std::ptrdiff_t>(i), program.end(), nop);
      const auto n = static_cast<std::size_t>(end - program.begin()) - i;
      text << "            ; " << n << " that do nothing\n";
      i += n - 1;
      continue;
    }
    text << "  " << (static_cast<std::size_t>(c.base) + i) % machine::WaferShape::kIDepth << ":\t"
         << assembler::disassemble(word) << "\n";
  }
}

}  // namespace

std::string describe(const Case& c) {
  std::ostringstream text;
  text << c.shape.rows << " x " << c.shape.cols << " tiles, " << c.shape.lanes << " lanes, " << c.shape.sram_kib
       << " KiB, " << c.shape.valves << " valves, " << c.shape.colors << " colors; the host takes words in " << c.takes
       << " and offers messages in " << c.offers << " of 100 cycles\n";
  std::string last;
  int times = 0;
  const auto flush = [&] {
    if (times) text << "host: " << last << (times > 1 ? " (" + std::to_string(times) + " times)" : "") << "\n";
  };
  for (const Item& item : c.items) {
    const std::string next = name(item);
    if (next != last) flush(), times = 0;
    last = next, ++times;
  }
  flush();
  for (std::size_t tile = 0; tile < c.programs.size(); ++tile) {
    if (c.programs.size() > 1)
      text << "tile " << static_cast<int>(tile) / c.shape.cols << "," << static_cast<int>(tile) % c.shape.cols << ":\n";
    else
      text << "all tiles:\n";
    print(text, c, c.programs[tile]);
  }
  return text.str();
}

}  // namespace weft::random
