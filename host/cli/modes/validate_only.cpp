#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

#include "host/cli/modes/modes.hpp"
#include "host/config/keys/path_keys.hpp"
#include "host/config/plural.hpp"
#include "host/data/load_data.hpp"
#include "host/system/progress.hpp"

namespace weft::cli {
namespace {

std::string samples_text(const char* name, const std::string& path, std::uint64_t tokens, std::uint64_t samples,
                         int seq) {
  return fmt::format("{:<10}  {}: {}, {} of {}\n", name, path, config::plural(tokens, "token"),
                     config::plural(samples, "sample"), seq);
}

}  // namespace

int validate_only(const config::Config& config, std::ostream& out, const ranks::RunContext& context) {
  system::Progress* const progress = context.progress.get();
  const data::TrainingData train =
      system::timed(progress, "reading the data", [&] { return data::load_training_data(config); });
  const auto tokenizer = system::timed(progress, "reading the data", [&] { return data::load_tokenizer(config); });
  out << fmt::format("vocabulary  {}, vocab_size {}\n",
                     tokenizer ? config::plural(tokenizer->size(), tokenizer->is_bytes()     ? "byte"
                                                                   : tokenizer->is_of_file() ? "token"
                                                                                             : "character")
                               : "that of the shards",
                     config.model.vocab);
  const std::vector<std::string> paths = config.train_input.data_dirs();
  for (std::size_t n = 0; n < train.sets(); ++n) {
    const data::Samples& set = train.set(n);
    out << samples_text("train", config::paths_text(paths[n]), set.tokens(), set.size(), config.model.seq);
  }
  if (train.sets() > 1)
    out << fmt::format("shares      {} of {} samples\n", fmt::join(train.parts(), ", "), data::Mixture::kCycle);
  if (!config.eval_input.data_dir.empty()) {
    const data::EvalData eval =
        system::timed(progress, "reading the data", [&] { return data::load_eval_data(config); });
    out << samples_text("eval", config::paths_text(config.eval_input.data_dir), eval.tokens(), eval.samples(),
                        config.model.seq);
  }
  const double taken = static_cast<double>(config.train_input.batch_size) * config.runconfig.steps();
  std::vector<std::string> epochs;
  for (std::size_t n = 0; n < train.sets(); ++n) {
    const double of_set = static_cast<double>(train.parts()[n]) / data::Mixture::kCycle;
    epochs.push_back(fmt::format("{:.4g}", taken * of_set / static_cast<double>(train.set(n).size())));
  }
  out << fmt::format("steps       {} of {}, {} epochs\n", config.runconfig.steps(),
                     config::plural(config.train_input.batch_size, "sequence"), fmt::join(epochs, ", "));
  out << "configuration and data are valid\n";
  return 0;
}

}  // namespace weft::cli
