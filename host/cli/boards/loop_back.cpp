#include "host/cli/boards/loop_back.hpp"

#include <fmt/format.h>

#include <random>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/program/load.hpp"

namespace weft::cli {
namespace {

constexpr int kWords = 64;  // words per tile

/// Each tile sends its own words west, then forwards those of the tiles to its east.
constexpr const char* kProgram = R"(
        fork away
        join
        halt
away:   csrr r6, COL
        csrr r7, COLS
        sub  r7, r7, r6
        addi r7, r7, -1
        li   r2, 0
        li   r3, WORDS
own:    ld   r4, r2, 0
        snd  WEST, r4
        addi r2, r2, 1
        dbnz r3, own
        beq  r7, r0, done
tile:   li   r3, WORDS
word:   rcv  r4, WEST
        snd  WEST, r4
        dbnz r3, word
        dbnz r7, tile
done:   halt
)";

}  // namespace

LoopBack loop_back(Wafer& wafer, std::uint64_t seed) {
  const machine::WaferShape& shape = wafer.shape();
  std::mt19937_64 random(seed);
  std::vector<machine::Message> messages = compiler::route_messages(shape);
  const auto program = compiler::program_messages(assembler::assemble(kProgram, "loop_back.s", {{"WORDS", kWords}}));
  messages.insert(messages.end(), program.begin(), program.end());
  std::vector<std::vector<std::uint32_t>> expected(static_cast<std::size_t>(shape.rows));
  for (int row = 0; row < shape.rows; ++row) {
    for (int col = 0; col < shape.cols; ++col) {
      messages.push_back(machine::Message::select({row, col}));
      messages.push_back(machine::Message::command(machine::Command::Maddr, 0, 0));
      for (int i = 0; i < kWords; ++i) {
        const auto word = static_cast<std::uint16_t>(random());
        messages.push_back(machine::Message::command(machine::Command::Mdata, 0, word));
        expected[static_cast<std::size_t>(row)].push_back(word);
      }
    }
  }
  messages.push_back(machine::Message::select());
  messages.push_back(machine::Message::command(machine::Command::Call, 0, 0));

  wafer.reset();
  wafer.feed(messages);
  wafer.await(std::vector<std::uint64_t>(expected.size(), static_cast<std::uint64_t>(kWords) * shape.cols));
  wafer.settle();
  LoopBack result;
  for (int row = 0; row < shape.rows; ++row) {
    const auto& want = expected[static_cast<std::size_t>(row)];
    const auto& came = wafer.outlet(row);
    result.words += came.size();
    for (int col = 0; col < shape.cols; ++col) {
      int wrong = 0;
      for (int i = 0; i < kWords; ++i) {
        const auto at = static_cast<std::size_t>(col * kWords + i);
        wrong += at >= came.size() || came[at] != want[at];
      }
      if (wrong > 0)
        result.wrong_tiles.push_back(fmt::format("row {} column {}: {} of {} words differ", row, col, wrong, kWords));
    }
  }
  return result;
}

}  // namespace weft::cli
