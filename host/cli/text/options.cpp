#include "host/cli/text/options.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "host/cli/text/commands.hpp"
#include "host/data/file_names.hpp"
#include "host/tokenizer/shards/parts.hpp"
#include "sw/base/refusal.hpp"

namespace weft {

std::string needed(const Options& options, const std::string& name, const std::string& hint) {
  const std::string value = option(options, name, "");
  if (value.empty()) throw Refusal(name == "in" ? "IN" : "--" + name, "missing", hint);
  return value;
}

TextCommand text_command(std::string_view name) {
  if (name == "tokenize") return tokenize_command;
  if (name == "detokenize") return detokenize_command;
  return name == "tokenizer" ? tokenizer_command : nullptr;
}

std::vector<std::string> texts_of(const std::string& in) {
  std::error_code error;
  std::vector<std::string> files;
  if (!std::filesystem::exists(in, error)) files = matching_files(in);
  if (files.empty()) return text::corpus_files(in);
  for (const std::string& file : files)
    if (std::filesystem::is_directory(file, error))
      throw Refusal(in, "matches " + file + ", which is a folder", "write a pattern of files, as DIR/*.txt");
  return files;
}

int threads_of(const Options& options) {
  const std::uint64_t threads = number(options, "threads", std::max(1u, std::thread::hardware_concurrency()));
  if (threads < 1 || threads > 1024) throw Refusal("--threads", "is 1 to 1024", "leave it out for all cores");
  return static_cast<int>(threads);
}

}  // namespace weft
