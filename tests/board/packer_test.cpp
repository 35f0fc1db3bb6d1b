/// What the packer makes of messages, the expander of the page makes those messages again; and what they cost.
#include "host/board/packer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>

#include "host/appliance/config/config.hpp"
#include "sw/compiler/plan.hpp"
#include "tests/board/expander.hpp"

namespace weft::board {
namespace {

constexpr std::size_t kEntries = 2048;

/// Packer and expander of one board.
struct Pair {
  explicit Pair(std::size_t entries) : packer(entries), expander(entries) {}

  /// Bytes that `messages` took; they come out again, or the test fails. `part`: messages at a time.
  std::size_t send(std::span<const Message> messages, std::size_t part = 1 << 20) {
    Bytes records;
    for (std::size_t at = 0; at < messages.size(); at += part)
      packer.put(messages.subspan(at, std::min(part, messages.size() - at)), records);
    packer.flush(records);
    std::vector<Message> back;
    expander.put(records, back);
    EXPECT_FALSE(expander.fault());
    EXPECT_FALSE(expander.busy());
    EXPECT_TRUE(std::ranges::equal(back, messages)) << back.size() << " messages instead of " << messages.size();
    return records.size();
  }

  Packer packer;
  Expander expander;
};

std::vector<float> some_parameters(const Plan& plan) {
  std::mt19937 dice(7);
  std::normal_distribution<float> normal(0, 0.02F);
  std::vector<float> parameters(plan.parameters);
  for (float& p : parameters) p = normal(dice);
  return parameters;
}

/// What a micro-batch takes, the second one: the index memory has then what it keeps.
struct Cost {
  std::size_t down = 0, up = 0, tokens = 0, weights = 0, gradients = 0;
};

Cost micro_batch(const Plan& plan) {
  const std::vector<float> parameters = some_parameters(plan);
  const std::vector<std::uint16_t> tokens(static_cast<std::size_t>(plan.model.seq), 1);
  Pair pair(kEntries);
  pair.send(plan.load);
  Cost cost;
  for (int round = 0; round < 2; ++round) {
    cost = {};
    cost.tokens = pair.send(plan.tokens(tokens, tokens));
    cost.down = cost.tokens;
    std::vector<Message> messages;
    for (const Op& op : plan.ops) {
      messages.clear();
      expand(op, parameters, messages);
      SCOPED_TRACE(op.name);
      const std::size_t bytes = pair.send(messages);
      std::size_t weights = 0;
      for (const StreamEntry& e : op.stream) weights += e.source < StreamEntry::kLiteral ? 1 : 0;
      cost.weights += weights;
      cost.down += bytes;
      for (const std::uint32_t words : op.returned) {
        cost.up += 4 * words + (words + 15) / 16;
        if (op.returns == Returns::Gradient) cost.gradients += words;
      }
    }
  }
  return cost;
}

Plan plan_of(const std::string& name) {
  const Config config = load_config(std::string(WEFT_CONFIGS) + "/" + name);
  return compile(config.model, config.wafer);
}

std::size_t op_bytes(const Plan& plan, const std::string& name) {
  const std::vector<float> parameters = some_parameters(plan);
  const auto op = std::ranges::find(plan.ops, name, &Op::name);
  std::vector<Message> messages;
  expand(*op, parameters, messages);
  Pair pair(kEntries);
  pair.send(messages);
  return pair.send(messages);  // the index memory has what it needs
}

std::size_t weights_of(const Plan& plan, const std::string& name) {
  const auto op = std::ranges::find(plan.ops, name, &Op::name);
  return static_cast<std::size_t>(
      std::ranges::count_if(op->stream, [](const StreamEntry& e) { return e.source < StreamEntry::kLiteral; }));
}

TEST(Packer, AMicroBatchOfGptBoardCostsLittleMoreThanItsWeightsAndGradients) {
  const Cost cost = micro_batch(plan_of("gpt_board.yaml"));
  const double least = 2.0 * static_cast<double>(cost.weights) + 4.0 * static_cast<double>(cost.gradients) +
                       static_cast<double>(cost.tokens);
  const double all = static_cast<double>(cost.down + cost.up);
  std::cout << "down " << cost.down << " bytes, up " << cost.up << ", tokens " << cost.tokens << ", weights "
            << cost.weights << ", gradients " << cost.gradients << ": " << all / least << " of the least\n";
  EXPECT_LE(all, 1.1 * least);
}

TEST(Packer, ADenseOpCostsTwoBytesAWeight) {
  const Plan plan = plan_of("gpt_board.yaml");
  for (const char* name : {"lm_head", "d.ln_f.out", "d.h.0.mlp.gelu", "d.h.0.ln_2.out", "d.h.0.ln_1.out",
                           "h.0.attn.c_attn.q", "h.0.mlp.c_fc", "h.0.mlp.c_proj"}) {
    const double weights = static_cast<double>(weights_of(plan, name));
    std::cout << name << ": " << static_cast<double>(op_bytes(plan, name)) / weights << " bytes a weight of " << weights
              << '\n';
  }
}

TEST(Packer, GptTinyComesBack) { micro_batch(plan_of("gpt_tiny.yaml")); }

}  // namespace
}  // namespace weft::board
