/// The commands of `weft` that turn text into tokens.
#pragma once

#include <iosfwd>
#include <string_view>

#include "host/config/options.hpp"

namespace weft {

/// weft tokenize IN --tokenizer FILE [--merges FILE] --out OUT.bin: docs/text.md. `out` gets what was made, `notes` how
/// far it is. Throws Refusal.
int tokenize_command(const Options& options, std::ostream& out, std::ostream& notes, bool terminal);

/// weft detokenize IN.bin --tokenizer FILE [--merges FILE]: the text of a shard to `out`. As above.
int detokenize_command(const Options& options, std::ostream& out, std::ostream& notes, bool terminal);

/// weft tokenizer train IN --vocab_size N --out DIR: vocab.json, merges.txt and tokenizer.json of a corpus. As above.
int tokenizer_command(const Options& options, std::ostream& out, std::ostream& notes, bool terminal);

using TextCommand = int (*)(const Options&, std::ostream&, std::ostream&, bool);
/// The one of this name; null: it is none of these.
TextCommand text_command(std::string_view name);

}  // namespace weft
