/// Values as a waveform viewer writes them, to words: the process filter `weft-words`.
///
/// A viewer gives hexadecimal digits, a value a line, and reads a line for each. `?Color?` in front of an answer is
/// GTKWave's way to paint it.
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <string_view>

#include "verif/trace/words.hpp"

namespace weft {

/// What a trace's values mean that their bits do not say. A text file beside the trace (`.words`), a fact a line:
/// `rows 4`, `pairs 2`, `kernel 12 gemm`, `at 14 vaxs R[r5], ...`.
struct TraceNames {
  MessageNames messages;
  std::map<unsigned, std::string> instructions;  ///< by address
};

void write_names(const TraceNames& names, std::ostream& out);
/// Lines it does not know are passed over: of a newer program.
TraceNames read_names(std::istream& in);

enum class WordsMode : std::uint8_t { Message, Bf16, Fp32, Pc, Flags };

/// "message", "bf16", "fp32", "pc", "flags". Throws Refusal.
WordsMode words_mode(std::string_view name);

/// The words for a value. What is not known (x, z) is `-`; a text that is no value comes back as it is.
/// `message`: 38 bits {ctrl, color, data}; of more, as of more flags than there are, it says so. `bf16`, `fp32`: lanes,
/// the first one lowest. `pc`: an instruction's address.
std::string words_of(WordsMode mode, std::string_view hex, const TraceNames& names, bool paint);

}  // namespace weft
