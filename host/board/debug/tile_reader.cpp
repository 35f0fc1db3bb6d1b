#include "host/board/debug/tile_reader.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "host/board/debug/node_status.hpp"
#include "isa.hpp"
#include "sw/asm/assembler.hpp"

namespace weft::board {
namespace {

std::uint32_t word(const std::string& line) { return assembler::assemble(line + "\n", "debug").words.at(0); }

float widened(std::uint16_t bf16) { return std::bit_cast<float>(std::uint32_t{bf16} << 16); }

/// Reassembles an fp32 from three bf16 pieces, each the rounded remainder after subtracting the previous ones.
std::uint32_t whole(const std::array<std::uint16_t, 3>& pieces) {
  const float first = widened(pieces[0]);
  if (!std::isfinite(first) || first == 0) return std::uint32_t{pieces[0]} << 16;
  const double sum = double{first} + double{widened(pieces[1])} + double{widened(pieces[2])};
  return std::bit_cast<std::uint32_t>(static_cast<float>(sum));
}

}  // namespace

std::vector<std::vector<std::uint16_t>> TileReader::run(const std::vector<std::uint32_t>& words, bool psum) {
  std::vector<NodeCommands> list;
  for (const std::uint32_t w : words)
    list.emplace_back(chain_.nodes(),
                      NodeCommand{.run = true, .psum = psum, .index = psum ? kPsumWord : kMainWord, .word = w});
  std::vector<std::vector<std::uint16_t>> results;
  for (const NodeWords& came : chain_.exchange(list)) {
    std::vector<std::uint16_t>& result = results.emplace_back();
    for (int row = 0; row < shape_.rows; ++row)
      for (int col = 0; col < shape_.cols; ++col) result.push_back(came[chain_.tile(row, col)]);
  }
  return results;
}

std::vector<std::uint16_t> TileReader::run(const std::string& line, bool psum) {
  return run(std::vector{word(line)}, psum).front();
}

std::vector<std::vector<std::uint16_t>> TileReader::load(int elements) {
  std::vector<std::uint32_t> words;
  const std::uint32_t ld = word("ld r0, r0, 0");
  for (int at = 0; at < elements; ++at) words.push_back(ld | static_cast<std::uint32_t>(at));
  return run(words, false);
}

void TileReader::registers(machine::HangSnapshot& s) {
  for (const bool psum : {false, true}) {
    const auto thread = [&](std::size_t tile) -> machine::ThreadState& {
      return psum ? s.tiles[tile].state.psum : s.tiles[tile].state.main;
    };
    for (std::size_t r = 1; r < 16; ++r) {
      const auto values = run(fmt::format("add r0, r0, r{}", r), psum);
      for (std::size_t t = 0; t < s.tiles.size(); ++t) thread(t).registers[r] = values[t];
    }
    for (std::size_t c = 0; c < (psum ? 1 : s.tiles.front().state.main.control.size()); ++c) {
      const auto values = run(fmt::format("csrr r0, {}", isa::kCsrNames[c]), psum);
      for (std::size_t t = 0; t < s.tiles.size(); ++t) thread(t).control[c] = values[t];
    }
  }
}

void TileReader::memories(machine::HangSnapshot& s, int elements, int entries) {
  const auto memory = load(elements);
  for (std::size_t t = 0; t < s.tiles.size(); ++t) {
    auto& to = s.tiles[t].state.memory;
    for (const auto& row : memory) to.push_back(row[t]);
  }
  // Accumulators are copied through the first elements of memory in three pieces of 8 bits.
  const int numbers = entries * shape_.lanes;
  std::vector<std::vector<std::uint16_t>> pieces[3];
  const std::string vl = fmt::format("li r1, {}", entries);
  for (const char* line :
       {vl.c_str(), "csrw VL, r1", "li r1, 1", "csrw REP, r1", "li r1, 0x8000", "li r2, 0x3f80", "li r3, 0xbf80"})
    run(std::string(line));
  for (auto& piece : pieces) {
    run("vf.fma M[r0], S[r1], S[r2], R[r0]");  // -0 * 1 + R
    piece = load(numbers);
    run("vf.fma R[r0], M[r0], S[r3], R[r0]");
  }
  for (std::size_t t = 0; t < s.tiles.size(); ++t)
    for (std::size_t e = 0; e < static_cast<std::size_t>(numbers); ++e)
      s.tiles[t].state.accumulators.push_back(whole({pieces[0][e][t], pieces[1][e][t], pieces[2][e][t]}));
}

}  // namespace weft::board
