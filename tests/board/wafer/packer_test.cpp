/// The documented expander recovers the packer's messages; and the records' size in bytes.
#include "host/board/wafer/packer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>

#include "host/config/config.hpp"
#include "host/config/file/load.hpp"
#include "host/train/masks.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "tests/board/expander.hpp"

namespace weft::board {
namespace {

constexpr std::size_t kEntries = 2048;

/// Packer and expander of one board.
struct Pair {
  explicit Pair(std::size_t entries) : packer(entries), expander(entries) {}

  /// Number of bytes that `messages` take; fails unless they are recovered. `part`: messages per call.
  std::size_t send(std::span<const machine::Message> messages, std::size_t part = 1 << 20) {
    Bytes records;
    for (std::size_t at = 0; at < messages.size(); at += part)
      packer.pack(messages.subspan(at, std::min(part, messages.size() - at)), records);
    packer.flush(records);
    std::vector<machine::Message> back;
    expander.expand(records, back);
    EXPECT_FALSE(expander.fault());
    EXPECT_FALSE(expander.busy());
    EXPECT_TRUE(std::ranges::equal(back, messages)) << back.size() << " messages instead of " << messages.size();
    return records.size();
  }

  Packer packer;
  Expander expander;
};

std::vector<float> some_parameters(const compiler::Plan& plan) {
  std::mt19937 rng(7);
  std::normal_distribution<float> normal(0, 0.02F);
  std::vector<float> parameters(plan.parameters);
  for (float& p : parameters) p = normal(rng);
  return parameters;
}

/// Bytes of the second micro-batch, when the index memory has reached its steady state.
struct Cost {
  std::size_t down = 0, up = 0, tokens = 0, weights = 0, gradients = 0;
};

Cost micro_batch(const compiler::Plan& plan) {
  const std::vector<float> parameters = some_parameters(plan);
  const std::vector<TokenId> tokens(static_cast<std::size_t>(plan.model.seq), 1);
  Pair pair(kEntries);
  pair.send(plan.load);
  Cost cost;
  for (int round = 0; round < 2; ++round) {
    cost = {};
    cost.tokens = pair.send(plan.tokens(tokens, tokens));
    cost.down = cost.tokens;
    std::vector<machine::Message> messages;
    for (const compiler::Op& op : plan.ops) {
      messages.clear();
      compiler::expand(op, parameters, messages);
      SCOPED_TRACE(op.name);
      const std::size_t bytes = pair.send(messages);
      std::size_t weights = 0;
      for (const compiler::StreamEntry& e : compiler::entries(op))
        weights += e.source < compiler::StreamEntry::kLiteral ? 1 : 0;
      cost.weights += weights;
      cost.down += bytes;
      for (const std::uint32_t words : op.returned) {
        cost.up += 4 * words + (words + 15) / 16;
        if (op.returns == compiler::Returns::Gradient) cost.gradients += words;
      }
    }
  }
  return cost;
}

compiler::Plan plan_of(const std::string& name) {
  config::Config config = config::load_config(std::string(WEFT_CONFIGS) + "/" + name);
  config.wafer.turns = false;  // as in runs with a board
  return compiler::compile(config.model, config.wafer);
}

std::size_t op_bytes(const compiler::Plan& plan, const std::string& name) {
  const std::vector<float> parameters = some_parameters(plan);
  const auto op = std::ranges::find(plan.ops, name, &compiler::Op::name);
  std::vector<machine::Message> messages;
  compiler::expand(*op, parameters, messages);
  Pair pair(kEntries);
  pair.send(messages);
  return pair.send(messages);  // second pass: the index memory is filled
}

std::size_t weights_of(const compiler::Plan& plan, const std::string& name) {
  const auto op = std::ranges::find(plan.ops, name, &compiler::Op::name);
  return static_cast<std::size_t>(std::ranges::count_if(compiler::entries(*op), [](const compiler::StreamEntry& e) {
    return e.source < compiler::StreamEntry::kLiteral;
  }));
}

TEST(Packer, AMicroBatchOfGptBoardCostsLittleMoreThanItsWeightsAndGradients) {
  const Cost cost = micro_batch(plan_of("gpt_board.yaml"));
  const std::size_t least = 2 * cost.weights + 4 * cost.gradients + cost.tokens, all = cost.down + cost.up;
  std::cout << "down " << cost.down << " bytes, up " << cost.up << ", tokens " << cost.tokens << ", weights "
            << cost.weights << ", gradients " << cost.gradients << ": "
            << static_cast<double>(all) / static_cast<double>(least) << " of the least\n";
  EXPECT_EQ(cost.weights, 31136U);
  EXPECT_EQ(cost.gradients, 17600U);
  EXPECT_EQ(cost.tokens, 748U);
  EXPECT_EQ(cost.down, 66877U);
  EXPECT_EQ(cost.up, 71918U);
  EXPECT_LE(10 * all, 11 * least);
}

TEST(Packer, ADenseOpCostsTwoBytesAWeight) {
  const compiler::Plan plan = plan_of("gpt_board.yaml");
  for (const char* name : {"lm_head", "lm_head.dx", "h.0.mlp.c_proj.dx", "h.0.mlp.c_fc.dx", "h.0.attn.c_attn.dx",
                           "h.0.mlp.c_fc", "h.0.mlp.c_proj"}) {
    const std::size_t weights = weights_of(plan, name), bytes = op_bytes(plan, name);
    std::cout << name << ": " << bytes << " bytes, " << weights << " weights\n";
    EXPECT_LE(10 * bytes, 21 * weights) << name;
  }
  // Here each output's bias is in another row and has its own value.
  const std::size_t weights = weights_of(plan, "h.0.attn.c_attn.q");
  std::cout << "h.0.attn.c_attn.q: " << op_bytes(plan, "h.0.attn.c_attn.q") << " bytes, " << weights << " weights\n";
  EXPECT_LE(10 * op_bytes(plan, "h.0.attn.c_attn.q"), 22 * weights);
}

TEST(Packer, GptTinyRoundTrips) { micro_batch(plan_of("gpt_tiny.yaml")); }
TEST(Packer, GptOblongRoundTrips) { micro_batch(plan_of("gpt_oblong.yaml")); }

TEST(Packer, ASparsePlanRoundTripsAtFourBytesAWeight) {
  const config::Config config = config::load_config(std::string(WEFT_CONFIGS) + "/gpt_tiny.yaml",
                                                    {{"sparsity.sparsity", "0.7"}, {"model.hidden_size", "64"}});
  const compiler::Plan plan = compiler::compile(config.model, config.wafer, train::make_mask(config));
  const Cost cost = micro_batch(plan);
  EXPECT_LE(cost.down, 5 * cost.weights + 5 * cost.gradients);
}

/// Outputs of all kinds, repeated and not, with and without an end, with commands between them.
std::vector<machine::Message> any_messages(std::mt19937& rng) {
  std::vector<machine::Message> all;
  const std::size_t count = rng() % 400;
  std::vector<std::uint16_t> list(rng() % 30);
  for (auto& index : list) index = static_cast<std::uint16_t>(rng());
  const bool zeros = rng() % 3 == 0, varies = rng() % 2 == 0;
  auto last = static_cast<std::uint16_t>(rng());
  const auto step = static_cast<std::uint16_t>(rng() % 3 * 16384 + rng() % 2);
  while (all.size() < count) {
    const auto value = [&] { return static_cast<std::uint16_t>(zeros || rng() % 50 == 0 ? 0 : rng()); };
    for (const std::uint16_t index : list) all.push_back(machine::Message::weight(index, value()));
    const unsigned kind = rng() % 20;
    if (kind < 10)
      all.push_back(machine::Message::weight(last, varies ? value() : 0x3f80)),
          last = static_cast<std::uint16_t>(last + step);
    if (kind == 10) all.push_back(machine::Message::weight(static_cast<std::uint16_t>(rng()), value()));
    if (kind == 11 && !list.empty()) list[rng() % list.size()] = static_cast<std::uint16_t>(rng());
    if (kind == 12)
      all.push_back(machine::Message::command(static_cast<machine::Command>(rng() % 11),
                                              static_cast<std::uint8_t>(rng()), static_cast<std::uint16_t>(rng())));
    if (kind == 13) list.resize(rng() % 30);
    if (kind != 14) all.push_back(machine::Message::command(machine::Command::CR, 0, 0));
    // a CR that no record produces
    if (kind == 15) all.push_back(machine::Message::command(machine::Command::CR, 0, 1));
  }
  return all;
}

TEST(Packer, AnyListRoundTripsHoweverItIsCut) {
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    Pair pair(seed % 3 == 0 ? 16 : seed % 3 == 1 ? 37 : kEntries);
    for (int n = 0; n < 5; ++n) {
      const std::vector<machine::Message> messages = any_messages(rng);
      const std::size_t bytes = pair.send(messages, 1 + rng() % 100);
      ASSERT_LE(bytes, 5 * messages.size() + 3);
      if (rng() % 10 == 0) pair.packer.forget();
      if (HasFailure()) return;
    }
  }
}

TEST(Packer, ALongListIsCutToTheIndexMemory) {
  std::mt19937 rng(1);
  std::vector<machine::Message> messages;
  for (int output = 0; output < 3; ++output) {
    for (int i = 0; i < 5000; ++i)
      messages.push_back(machine::Message::weight(static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(rng())));
    messages.push_back(machine::Message::command(machine::Command::CR, 0, 0));
  }
  Pair pair(kEntries);
  EXPECT_LT(pair.send(messages), 5 * messages.size());
}

TEST(Packer, APageOfOneOutputIsThePagesRecords) {
  Packer packer(8);
  Bytes out;
  std::vector<machine::Message> messages;
  for (const std::uint16_t value : {1, 2}) {
    for (std::uint16_t i = 0; i < 3; ++i)
      messages.push_back(machine::Message::weight(static_cast<std::uint16_t>(0x100 + i), value));
    messages.push_back(machine::Message::weight(static_cast<std::uint16_t>(0x2000 * value), 0x3f80));
    messages.push_back(machine::Message::command(machine::Command::CR, 0, 0));
  }
  packer.pack(messages, out);
  packer.flush(out);
  EXPECT_EQ(out, (Bytes{2, 0, 0, 3, 0, 0, 1, 1, 1, 2,    1,                    // INDICES 0, 3
                        3, 0, 0, 3, 0, 2, 0, 7, 0, 0x20, 0x80, 0x3f, 0, 0x20,  // RUN 0, 3, 2
                        1, 0, 1, 0, 1, 0, 2, 0, 2, 0,    2,    0}));
}

}  // namespace
}  // namespace weft::board
