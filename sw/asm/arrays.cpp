#include "sw/asm/arrays.hpp"

#include <algorithm>

#include "isa_machine.hpp"
#include "sw/base/did_you_mean.hpp"

namespace weft::assembler {
namespace {

constexpr const char* kUsage = "'.array NAME, bf16, 64'";
constexpr std::int64_t kMemory = 0x10000;  // addresses have 16 bits

ElementType read_type(Cursor& at) {
  const Cursor before = at;
  const std::string_view word = at.word();
  const auto found = std::ranges::find(kElementTypes, word);
  if (found == kElementTypes.end())
    throw Complaint{"expected a type of elements " + before.here(),
                    did_you_mean(word, {{"bf16", "int16", "fp32"}}, "use bf16, int16 or fp32")};
  return static_cast<ElementType>(found - kElementTypes.begin());
}

}  // namespace

Array ArrayPlaces::read(Cursor& at, Symbols& symbols, const Place& place) {
  Array array{.name = std::string(at.word()), .file = file_of(place), .line = place.line};
  at.expect(',', kUsage);
  array.type = read_type(at);
  at.expect(',', kUsage);
  array.count = static_cast<int>(symbols.read_number(at, 1, kMemory, "the number of elements"));
  at.expect_end(kUsage);
  const bool in_memory = array.in_memory();
  Cursor lanes("LANES");
  const std::int64_t unit = in_memory ? kAlignment : symbols.read_number(lanes, 2, 16, "LANES");
  const std::int64_t units = (array.count + unit - 1) / unit;
  std::int64_t& used = in_memory ? memory_ : entries_;
  array.address = static_cast<int>(used);
  used += in_memory ? units * unit : units;
  if (memory_ > kMemory)
    throw Complaint{
        "the arrays in memory have " + std::to_string(memory_) + " elements, more than addresses of 16 bits",
        "declare smaller arrays"};
  if (entries_ > isa::kRDepth)
    throw Complaint{"the arrays of fp32 take " + std::to_string(entries_) +
                        " entries of the accumulator file, which has " + std::to_string(isa::kRDepth),
                    "declare smaller arrays; an entry holds LANES elements"};
  symbols.define_value(array.name, array.address, place);
  return array;
}

}  // namespace weft::assembler
