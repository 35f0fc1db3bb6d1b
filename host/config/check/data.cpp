#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/config/check/sections.hpp"
#include "host/config/plural.hpp"

namespace weft::config {
namespace {

void check_tokenizer(const Config& c) {
  const InputConfig& input = c.train_input;
  const bool vocab = !input.vocab_file.empty(), merges = !input.merges_file.empty();
  const bool of_file = input.tokenizer == "bpe" || input.tokenizer == "sentencepiece";
  if (!of_file && (vocab || merges))
    throw c.error(vocab ? "train_input.vocab_file" : "train_input.merges_file",
                  "does not apply to train_input.tokenizer " + input.tokenizer, "set train_input.tokenizer bpe");
}

void check_weights(const Config& c) {
  const InputConfig& input = c.train_input;
  constexpr auto kKey = "train_input.weights";
  const std::vector<std::string> sets = input.data_dirs();
  if (std::ranges::any_of(sets, &std::string::empty) && sets.size() > 1)
    throw c.error("train_input.more_data_dirs", "has an empty name", "name a text, a token shard or a folder");
  if (input.weights.empty()) return;
  if (input.weights.size() != sets.size())
    throw c.error(kKey,
                  fmt::format("has {}, but there {} {}", plural(input.weights.size(), "weight"),
                              sets.size() == 1 ? "is" : "are", plural(sets.size(), "data set")),
                  "give one for data_dir and one for each of more_data_dirs");
  for (const double weight : input.weights)
    if (weight <= 0)
      throw c.error(kKey, fmt::format("{} is not a share of the samples", weight),
                    "use a number above 0, or leave that data set out");
}

void check_eval(const Config& c) {
  if (c.runconfig.keep_best && c.runconfig.eval_frequency == 0 && c.runconfig.mode != "train_and_eval")
    throw c.error("runconfig.keep_best", "nothing is evaluated", "set runconfig.eval_frequency");
  if (!c.eval_input.data_dir.empty()) return;
  const std::string& mode = c.runconfig.mode;
  if (mode == "eval" || mode == "train_and_eval") {
    throw c.error("runconfig.mode", fmt::format("{} has nothing to evaluate on", mode), "set eval_input.data_dir");
  }
  if (c.runconfig.eval_frequency > 0) {
    throw c.error("runconfig.eval_frequency", "there is nothing to evaluate on", "set eval_input.data_dir");
  }
}

}  // namespace

void check_data(const Config& c) {
  check_tokenizer(c);
  check_weights(c);
  check_eval(c);
}

}  // namespace weft::config
