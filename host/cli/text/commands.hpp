/// Commands of `weft` that convert between text and tokens.
#pragma once

#include <iosfwd>
#include <string_view>

#include "host/config/command_line/options.hpp"

namespace weft::cli {

/// weft tokenize IN --tokenizer FILE [--merges FILE] --out OUT.bin (docs/howto/text.md). Prints results to `out` and
/// progress to `notes`. Throws Refusal.
int tokenize_command(const config::Options& options, std::ostream& out, std::ostream& notes, bool terminal);

/// weft detokenize IN.bin --tokenizer FILE [--merges FILE]: prints the text of a shard to `out`. Other parameters as
/// above.
int detokenize_command(const config::Options& options, std::ostream& out, std::ostream& notes, bool terminal);

/// weft tokenizer train IN --vocab_size N --out DIR: trains a tokenizer on a corpus and writes vocab.json, merges.txt
/// and tokenizer.json. Parameters as above.
int tokenizer_command(const config::Options& options, std::ostream& out, std::ostream& notes, bool terminal);

using TextCommand = int (*)(const config::Options&, std::ostream&, std::ostream&, bool);
/// Command of this name, or null.
TextCommand text_command(std::string_view name);

}  // namespace weft::cli
