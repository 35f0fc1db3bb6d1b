/// Formats of other programs, recognized by their first bytes: one table for all readers of files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

/// First bytes of a file that are enough to recognize its format.
inline constexpr std::size_t kFormatBytes = 512;

/// The kind of file that a reader expects. BareTokens: token ids without a header, which may begin with any few bytes.
enum class Expected : std::uint8_t { Text, Weights, Tokenizer, Shard, Hdf5, Json, Parameters, BareTokens };

/// A problem, as "is a PyTorch file, not safetensors", and a hint for handling such a file.
struct OtherFormat {
  std::string problem, hint;
};

/// The format of a file that begins with `start`, if the table has that format and it is not the expected one. `file`:
/// the file's name, for commands in the hint.
std::optional<OtherFormat> other_format(std::string_view start, Expected expected, const std::string& file);

/// Throws Refusal that names `file` if its first bytes are those of another format.
void check_format(std::string_view start, Expected expected, const std::string& file);

/// The first kFormatBytes of a regular file; empty if there is none or it cannot be read.
std::string first_bytes(const std::string& file);

/// True for a vocabulary file of tiktoken: lines of base64 and a rank.
bool is_tiktoken(std::string_view start);
/// True for the protocol buffer of a SentencePiece model, whose first field is a piece.
bool is_sentencepiece(std::string_view start);

}  // namespace weft
