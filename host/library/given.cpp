#include "host/library/given.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "host/config/plural.hpp"
#include "host/data/given_samples.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/model/losses.hpp"

namespace weft::library {
namespace {

constexpr const char* kSubject = "batch";

void check_ids(const std::vector<std::int32_t>& ids, const char* what, int vocab, std::int64_t least) {
  for (const std::int32_t id : ids)
    if (id < least || id >= vocab)
      throw Refusal(kSubject, fmt::format("has the {} {}, but the vocabulary has {} tokens", what, id, vocab),
                    fmt::format("give ids from 0 to {}", vocab - 1));
}

void check_inputs(const std::vector<std::int32_t>& inputs, const compiler::ModelShape& model) {
  if (!model.has_segments() && !model.vsl) return check_ids(inputs, "input", model.vocab, 0);
  std::vector<std::int32_t> tokens;
  for (const std::int32_t input : inputs) {
    const int segment = segment_of(static_cast<TokenId>(input));
    if (segment >= std::max(model.segments, 1))
      throw Refusal(kSubject, fmt::format("has the segment {}", segment),
                    fmt::format("give segments from 0 to {}", std::max(model.segments, 1) - 1));
    const TokenId mark = model.vsl ? 0 : static_cast<TokenId>(input) & kBeginsDocument;
    tokens.push_back(static_cast<std::int32_t>(token_of(static_cast<TokenId>(input)) | mark));
  }
  check_ids(tokens, "input", model.vocab, 0);
}

void check_labels(const std::vector<std::int32_t>& labels, const compiler::Losses& losses,
                  const compiler::ModelShape& model) {
  for (const std::int32_t label : labels)
    if (!compiler::are_labels(losses, model, static_cast<TokenId>(label)))
      throw Refusal(kSubject,
                    fmt::format("has the label {:#x}, which no loss of network {} has", static_cast<TokenId>(label),
                                model.network),
                    "give labels as weft::Batch describes them");
}

}  // namespace

void check_given(const config::Config& config) {
  if (!config.eval_input.data_dir.empty())
    throw config.error("eval_input.data_dir", "the program gives the samples of this run",
                       "leave it out, and give samples to the evaluation");
}

data::Batch given_batch(const config::Config& config, const Batch& batch, std::size_t samples) {
  const auto seq = static_cast<std::size_t>(config.model.seq);
  const std::size_t size = batch.inputs.size();
  if (batch.labels.size() != size)
    throw Refusal(kSubject, fmt::format("has {} inputs and {} labels", size, batch.labels.size()),
                  "give a label for each input, -1 for one that does not count");
  if (size == 0 || size % seq != 0 || (samples != 0 && size != samples * seq))
    throw Refusal(kSubject, fmt::format("has {}", config::plural(size, "token")),
                  samples == 0 ? fmt::format("give sequences of {} tokens", seq)
                               : fmt::format("give {} sequences of {} tokens", samples, seq));
  check_inputs(batch.inputs, config.model);
  const compiler::Losses losses = compiler::losses_of(config.model);
  const bool tokens = losses == compiler::Losses{compiler::Labels::Tokens};
  if (tokens)
    check_ids(batch.labels, "label", config.model.vocab, std::numeric_limits<std::int32_t>::min());
  else
    check_labels(batch.labels, losses, config.model);
  data::Batch given{.inputs = {batch.inputs.begin(), batch.inputs.end()}, .labels = {}};
  given.labels.reserve(size);
  for (const std::int32_t label : batch.labels)
    given.labels.push_back(tokens && label < 0 ? kNoLabel : static_cast<TokenId>(label));
  if (std::ranges::all_of(
          given.labels, [&](TokenId word) { return compiler::label_of(losses, word, losses.size() - 1) == kNoLabel; }))
    throw Refusal(kSubject, "has no label that counts", "leave it out");
  return given;
}

data::EvalData given_evaluation(const config::Config& config, const Batch& batch) {
  auto samples = std::make_shared<data::GivenSamples>(config.model.seq);
  samples->give(0, given_batch(config, batch, 0));
  const std::uint64_t count = batch.inputs.size() / static_cast<std::size_t>(config.model.seq);
  return {std::move(samples), config.model.micro_batch, count};
}

}  // namespace weft::library
