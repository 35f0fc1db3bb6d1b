/// Conversion of values, as a waveform viewer writes them, to text: the process filter `weft-words`.
///
/// A viewer sends hexadecimal digits, a value per line, and reads a line for each. GTKWave paints an answer that begins
/// with `?Color?`.
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <string_view>

#include "verif/trace/words.hpp"

namespace weft::trace {

/// Names that the bits of a trace's values do not contain. Stored in a text file next to the trace (`.words`), a fact
/// per line: `rows 4`, `pairs 2`, `kernel 12 gemm`, `at 14 vaxs R[r5], ...`.
struct TraceNames {
  MessageNames messages;
  std::map<unsigned, std::string> instructions;  ///< by address
};

void write_names(const TraceNames& names, std::ostream& out);
/// Ignores unknown lines, which a newer program may have written.
TraceNames read_names(std::istream& in);

enum class WordsMode : std::uint8_t { Message, Bf16, Fp32, Pc, Flags };

/// Parses "message", "bf16", "fp32", "pc" or "flags". Throws Refusal.
WordsMode words_mode(std::string_view name);

/// The text for a value. An unknown value (x, z) becomes `-`; text that is not a value is returned unchanged.
/// `message`: 38 bits {ctrl, color, data}; excess bits, like unknown flags, are reported in the text. `bf16`, `fp32`:
/// lanes, the first one lowest. `pc`: an instruction's address.
std::string words_of(WordsMode mode, std::string_view hex, const TraceNames& names, bool paint);

}  // namespace weft::trace
