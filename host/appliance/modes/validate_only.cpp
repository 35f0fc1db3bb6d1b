#include <fmt/format.h>

#include <ostream>

#include "host/appliance/counted.hpp"
#include "host/appliance/data/load_data.hpp"
#include "host/appliance/modes/modes.hpp"

namespace weft {
namespace {

std::string samples_text(const char* name, const std::string& path, std::uint64_t tokens, std::uint64_t samples,
                         int seq) {
  return fmt::format("{:<10}  {}: {}, {} of {}\n", name, path, counted(tokens, "token"), counted(samples, "sample"),
                     seq);
}

}  // namespace

int validate_only(const Config& config, std::ostream& out) {
  const TrainingData train = load_training_data(config);
  const auto tokenizer = load_tokenizer(config);
  out << fmt::format("vocabulary  {}, vocab_size {}\n",
                     tokenizer ? counted(tokenizer->size(), tokenizer->is_bytes()     ? "byte"
                                                            : tokenizer->is_of_file() ? "token"
                                                                                      : "character")
                               : "that of the shards",
                     config.model.vocab);
  out << samples_text("train", config.train_input.data_dir, train.tokens(), train.samples(), config.model.seq);
  if (!config.eval_input.data_dir.empty()) {
    const EvalData eval = load_eval_data(config);
    out << samples_text("eval", config.eval_input.data_dir, eval.tokens(), eval.samples(), config.model.seq);
  }
  const auto batch = static_cast<double>(config.train_input.batch_size);
  out << fmt::format("steps       {} of {}, {:.4g} epochs\n", config.runconfig.steps(),
                     counted(config.train_input.batch_size, "sequence"),
                     config.runconfig.steps() * batch / static_cast<double>(train.samples()));
  out << "configuration and data are valid\n";
  return 0;
}

}  // namespace weft
