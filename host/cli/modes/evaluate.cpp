#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/safetensors.hpp"
#include "host/cli/modes/modes.hpp"
#include "host/config/file/show.hpp"
#include "host/config/keys/path_keys.hpp"
#include "host/config/plural.hpp"
#include "host/data/load_data.hpp"
#include "host/generate/generator.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/system/progress.hpp"
#include "host/train/load_weights.hpp"
#include "host/train/trainer.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/compile_logits.hpp"
#include "sw/compiler/graph/graph.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::cli {

namespace {

void print_result(const train::EvalResult& result, std::uint64_t step, double smoothing, bool of_tokens,
                  std::ostream& out) {
  const std::string parts = result.losses.size() > 1
                                ? fmt::format(" (classes {:.5f}, tokens {:.5f})", result.losses[0], result.losses[1])
                                : "";
  const std::string further = !of_tokens       ? ""
                              : smoothing == 0 ? fmt::format(" perplexity {:.4f}", result.perplexity())
                                               : fmt::format(" labels smoothed by {:.5g},", smoothing);
  out << fmt::format("\nstep {}: loss {:.5f}{},{} over {}\n", step, result.loss, parts, further,
                     config::plural(result.tokens, of_tokens ? "token" : "label"));
}

void print_object(const train::EvalResult& result, std::uint64_t step, double smoothing, bool of_tokens,
                  std::ostream& out) {
  out << result_json(result, step, smoothing, of_tokens) << '\n';
}

template <class T>
void write_values(checkpoint::AtomicFile& file, const std::vector<T>& values) {
  file.write({reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)});
}

/// Writes a safetensors file: `tokens` and `labels` [samples][tokens], I32, and `logits` [samples][tokens][vocabulary],
/// F32, as the wafer returns them, rounded to bf16. Needs one pass of the model per token, because a wafer returns the
/// logits of one position. `later`: tokens see later ones, so each pass has a whole sample. Throws Refusal if the file
/// cannot be written; otherwise as Generator::logits.
void write_logits(const std::string& path, const data::EvalData& data, const compiler::ModelShape& model, bool later,
                  generate::Generator& generator, system::Progress* progress) {
  const compiler::Losses losses = compiler::losses_of(model);
  std::vector<std::int32_t> tokens, labels;
  for (int m = 0; m < data.micro_batches(); ++m) {
    const data::Batch batch = data.micro_batch(m);
    tokens.insert(tokens.end(), batch.inputs.begin(), batch.inputs.end());
    for (const TokenId word : batch.labels)
      labels.push_back(static_cast<std::int32_t>(compiler::label_of(losses, word, losses.size() - 1)));
  }
  const auto seq = static_cast<std::size_t>(model.seq), vocab = static_cast<std::size_t>(model.vocab);
  const std::size_t samples = tokens.size() / seq;
  checkpoint::AtomicFile file(path);
  const std::size_t bytes = sizeof(float) * tokens.size();
  file.write(checkpoint::safetensors_header(
      {},
      std::vector<checkpoint::TensorShape>{{"tokens", checkpoint::Dtype::I32, {samples, seq}, bytes},
                                           {"labels", checkpoint::Dtype::I32, {samples, seq}, bytes},
                                           {"logits", checkpoint::Dtype::F32, {samples, seq, vocab}, bytes * vocab}}));
  std::vector<std::int32_t> ids;
  for (const std::int32_t token : tokens)
    ids.push_back(static_cast<std::int32_t>(token_of(static_cast<TokenId>(token))));
  write_values(file, ids);
  write_values(file, labels);
  if (progress != nullptr) progress->begin("logits", tokens.size());
  for (std::size_t sample = 0; sample < samples; ++sample) {
    const std::vector<TokenId> text(tokens.begin() + static_cast<std::ptrdiff_t>(sample * seq),
                                    tokens.begin() + static_cast<std::ptrdiff_t>((sample + 1) * seq));
    for (std::size_t t = 0; t < seq; ++t) {
      write_values(file, later ? generator.logits_of(text, t) : generator.logits(std::span(text).first(t + 1)));
      if (progress != nullptr) progress->show(sample * seq + t + 1);
    }
  }
  file.commit();
}

}  // namespace

std::string result_json(const train::EvalResult& result, std::uint64_t step, double smoothing, bool of_tokens) {
  nlohmann::ordered_json object = {{"step", step}, {"eval_loss", result.loss}};
  if (smoothing == 0 && of_tokens) object["perplexity"] = result.perplexity();
  if (result.losses.size() > 1) object["class_loss"] = result.losses[0], object["token_loss"] = result.losses[1];
  object["tokens"] = result.tokens;
  return dump_json(object);
}

int evaluate(const config::Config& config, const swarmx::MakeWafer& make_wafer, std::ostream& out, std::ostream& notes,
             const ranks::RunContext& context, const EvalOptions& options) {
  system::Progress* const progress = context.progress.get();
  train::Evaluation evaluation(
      system::timed(progress, "reading the data", [&] { return data::load_eval_data(config); }));
  const train::ResumePoint start = system::timed(progress, "reading the checkpoint", [&] {
    return train::load_weights(config, compiler::model_tensors(config.model));
  });
  for (const std::string& line : start.lines) notes << line << '\n';
  const compiler::Plan plan = planning::compile_plan(config, train::initial_mask(config, start), context.plan.get());
  if (const auto note = train::note_pruned(start, plan)) notes << *note << '\n';
  const std::unique_ptr<memoryx::MemoryX> memoryx = train::weights_of(config, plan, *start.checkpoint);
  swarmx::Swarm swarm(
      plan,
      train::swarm_options(
          config, make_wafer, [&evaluation](const swarmx::BatchRequest& request) { return evaluation.batch(request); },
          context.joining.get()));
  notes << fmt::format("eval    {}: {} of {}\n", config::paths_text(config.eval_input.data_dir),
                       config::plural(evaluation.data().samples(), "sample"), config::plural(config.model.seq, "token"))
        << std::flush;
  if (context.progress)
    context.progress->begin("evaluation",
                            plan.forward_ops * static_cast<std::uint64_t>(evaluation.data().micro_batches()));
  swarmx::LocalMemoryXClient memory(plan, *memoryx);
  // set: an interrupt ends the program
  const train::EvalResult result = evaluation.run(swarm, start.step(), memory).value();
  if (context.progress) context.progress->clear();
  const double smoothing = config.model.smoothing();
  const bool of_tokens = plan.losses.back() == compiler::Labels::Tokens;
  (options.json ? print_object : print_result)(result, start.step(), smoothing, of_tokens, out);
  if (options.logits.empty()) return 0;
  if (!of_tokens)
    throw Refusal("--logits", fmt::format("network {} has no loss of tokens", config.model.network), "leave it out");
  if (config.row_groups > 1)
    throw Refusal("--logits", "applies to wafers of one group of rows", "use --wafer.row_groups 1");
  const auto graph = compiler::graph_of(config.model);
  const bool later = graph->attention(false) != nullptr || graph->has_segments();
  const compiler::Plan next = later ? compiler::compile_logits(config.model, config.wafer, plan.mask)
                                    : compiler::compile_generation(config.model, config.wafer, plan.mask);
  generate::Generator generator(next, memoryx->store().weights(), make_wafer(0));
  write_logits(options.logits, evaluation.data(), config.model, later, generator, progress);
  if (progress != nullptr) progress->clear();
  notes << fmt::format("logits  {}\n", options.logits);
  return 0;
}

}  // namespace weft::cli
