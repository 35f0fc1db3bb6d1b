#include "host/programs/check_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "isa_legal.hpp"
#include "sw/base/refusal.hpp"

namespace weft::programs {
namespace {

/// True if an instruction of the program, without the routines of transfer.s, takes or sends words of the color.
bool uses(const LoadedProgram& loaded, int color, bool takes) {
  for (std::size_t i = 0; i < loaded.program.words.size(); ++i) {
    if (loaded.program.lines[i].file + 1 == loaded.program.files.size()) continue;
    const std::uint32_t word = loaded.program.words[i];
    for (const isa::ColorUse& use : isa::kColorUses)
      if (static_cast<std::uint32_t>(use.op) == word >> 26 && use.taken == takes && use.used(word) &&
          static_cast<int>(use.field.of(word)) == color)
        return true;
  }
  return false;
}

const LoadedProgram* program_of(const Image& image, Tile tile) {
  const auto found = std::ranges::find_if(image.programs, [&](const LoadedProgram& p) { return p.region.has(tile); });
  return found == image.programs.end() ? nullptr : &*found;
}

void check_stream(const Image& image, const LoadedStream& stream) {
  for (const Tile tile : stream.ends.receivers) {
    const LoadedProgram* const at = program_of(image, tile);
    if (!at || !uses(*at, stream.color, true))
      throw Refusal(
          stream.name,
          fmt::format("it has no reader in {}: {}", name_of(tile),
                      at ? at->program.files[0] + " has no instruction that takes it" : "the tile has no program"),
          "take its words there with rcv, or with in= of vs or vb, or give the stream a smaller region");
  }
  const auto sends = [&](Tile tile) {
    const LoadedProgram* const at = program_of(image, tile);
    return at && uses(*at, stream.color, false);
  };
  if (!stream.ends.senders.empty() && std::ranges::none_of(stream.ends.senders, sends))
    throw Refusal(stream.name, "no program sends on it",
                  "send words with snd, or with out= of vs or vb, or leave it out");
}

}  // namespace

void check_programs(const Image& image) {
  for (std::size_t a = 0; a < image.programs.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const LoadedProgram &one = image.programs[b], &other = image.programs[a];
      if (one.region.meets(other.region))
        throw Refusal(other.program.files[0], "its region meets that of " + one.program.files[0],
                      "give each tile one program");
      for (const assembler::Array& array : one.arrays)
        if (std::ranges::find(other.arrays, array.name, &assembler::Array::name) != other.arrays.end())
          throw Refusal(other.program.files[0],
                        fmt::format("array {} is also declared by {}", array.name, one.program.files[0]),
                        "choose another name");
    }
  for (const LoadedStream& stream : image.streams) check_stream(image, stream);
}

}  // namespace weft::programs
