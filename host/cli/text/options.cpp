#include "host/cli/text/options.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "host/cli/text/commands.hpp"
#include "host/data/file_names.hpp"
#include "host/tokenizer/shards/parts.hpp"
#include "sw/base/refusal.hpp"

namespace weft::cli {

std::string needed(const config::Options& options, const std::string& name, const std::string& hint) {
  const std::string value = config::option(options, name, "");
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
  if (!std::filesystem::exists(in, error)) files = data::matching_files(in);
  if (files.empty()) return tokenizer::corpus_files(in);
  for (const std::string& file : files)
    if (std::filesystem::is_directory(file, error))
      throw Refusal(in, "matches the folder " + file, "write a pattern of files, as DIR/*.txt");
  return files;
}

int threads_of(const config::Options& options) {
  const std::uint64_t threads = config::number(options, "threads", std::max(1u, std::thread::hardware_concurrency()));
  if (threads < 1 || threads > 1024) throw Refusal("--threads", "is not 1 to 1024", "leave it out for all cores");
  return static_cast<int>(threads);
}

}  // namespace weft::cli
