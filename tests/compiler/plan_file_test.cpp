/// Plans survive a round trip through a file; any other content is rejected.
#include "sw/compiler/plan/plan_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

#include "sw/base/crc32c.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/compile.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/gradient_order.hpp"
#include "tests/compiler/micro_batch.hpp"

namespace weft::compiler {
namespace {

ModelShape tiny() {
  return {.vocab = 40, .hidden = 16, .layers = 2, .heads = 2, .filter = 40, .seq = 8, .micro_batch = 2};
}

ModelShape with_network(const char* name, int rotary) {
  ModelShape m = tiny();
  m.network = name, m.rotary_dim = rotary;
  return m;
}

Mask some(const ModelShape& m, unsigned seed = 1) {
  std::mt19937 random(seed);
  Mask mask;
  for (const TensorInfo& t : model_tensors(m))
    for (std::uint64_t k = 0; t.dims.size() == 2 && k < t.size; ++k) mask[t.name].push_back(random() % 3 == 0);
  return mask;
}

SavedPlan saved(const ModelShape& m, const machine::WaferShape& w, const Mask& mask = {},
                Placement placement = Placement::ByLoad) {
  return {compile(m, w, mask, placement), network::network_text(m.network), 0};
}

void expect_same(const Plan& a, const Plan& b) {
  EXPECT_TRUE(a.load == b.load);
  EXPECT_EQ(a.wafer, b.wafer);
  EXPECT_EQ(a.mask, b.mask);
  EXPECT_EQ(a.program.words, b.program.words);
  EXPECT_EQ(a.program.labels, b.program.labels);
  EXPECT_EQ(a.memory_map, b.memory_map);
  EXPECT_EQ(a.forward_ops, b.forward_ops);
  const auto text = random_tokens(a, a.model.micro_batch, 1);
  EXPECT_TRUE(a.tokens(text, text) == b.tokens(text, text));
  ASSERT_EQ(a.ops.size(), b.ops.size());
  const auto parameters = random_parameters(a, 3);
  std::vector<machine::Message> ours, theirs;
  for (std::size_t n = 0; n < a.ops.size(); ++n) {
    SCOPED_TRACE(a.ops[n].name);
    EXPECT_EQ(a.ops[n].name, b.ops[n].name);
    EXPECT_EQ(a.ops[n].tensors, b.ops[n].tensors);
    EXPECT_EQ(a.ops[n].returns, b.ops[n].returns);
    EXPECT_EQ(a.ops[n].returned, b.ops[n].returned);
    expand(a.ops[n], parameters, ours);
    expand(b.ops[n], parameters, theirs);
    EXPECT_TRUE(ours == theirs);
    EXPECT_EQ(gradient_parameters(a.ops[n]), gradient_parameters(b.ops[n]));
  }
}

TEST(PlanFile, IsThePlan) {
  const machine::WaferShape shared{.rows = 3, .cols = 4, .sequence_columns = 2};
  for (const SavedPlan& plan :
       {saved(tiny(), {}), saved(tiny(), {.rows = 3, .cols = 2, .lanes = 8}, some(tiny())), saved(tiny(), shared),
        saved(with_network("gptj", 4), {.rows = 600, .cols = 1}, some(with_network("gptj", 4)))}) {
    const auto bytes = encode_plan(plan);
    const SavedPlan again = decode_plan(bytes, "x");
    expect_same(plan.plan, again.plan);
    EXPECT_EQ(again.network, plan.network);
    EXPECT_EQ(again.digest, digest_in(bytes));
    EXPECT_TRUE(encode_plan(again) == bytes);
  }
}

TEST(PlanFile, DigestIsOfGraphMeshLanesPlacementAndMask) {
  const Mask mask = some(tiny());
  ModelShape again = tiny();
  again.recompute = "block";
  SavedPlan other = saved(tiny(), {});
  other.network += "\n# another text";
  const std::vector<SavedPlan> plans = {saved(tiny(), {}),
                                        saved(tiny(), {.rows = 5}),
                                        saved(tiny(), {.cols = 5}),
                                        saved(tiny(), {.lanes = 8}),
                                        saved(tiny(), {}, mask),
                                        saved(tiny(), {}, some(tiny(), 2)),
                                        saved(tiny(), {}, mask, Placement::InOrder),
                                        saved(again, {}),
                                        saved(with_network("gptj", 4), {}),
                                        other};
  std::set<std::uint64_t> digests;
  for (const SavedPlan& plan : plans) digests.insert(digest_in(encode_plan(plan)));
  EXPECT_EQ(digests.size(), plans.size());
  EXPECT_EQ(digest_in(encode_plan(saved(tiny(), {}))), digest_in(encode_plan(plans[0])));
}

std::string refusal(std::span<const std::uint8_t> bytes) {
  try {
    decode_plan(bytes, "run.weftplan");
    return "";
  } catch (const Refusal& e) {
    return e.what();
  }
}

TEST(PlanFile, CorruptedFileIsRejected) {
  auto bytes = encode_plan(saved(tiny(), {}, some(tiny())));
  ASSERT_EQ(refusal(bytes), "");
  std::mt19937 random(1);
  for (int n = 0; n < 200; ++n) {
    auto bad = bytes;
    bad[n < 40 ? static_cast<std::size_t>(n) : random() % bad.size()] ^= static_cast<std::uint8_t>(1 + random() % 255);
    EXPECT_EQ(refusal(bad).rfind("run.weftplan: is ", 0), 0U) << n;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{20}, std::size_t{40}, bytes.size() - 1})
    EXPECT_NE(refusal(std::span(bytes).first(size)), "");
  bytes.push_back(0);
  EXPECT_NE(refusal(bytes), "");
}

/// Recomputes the digest, as a malicious writer of a plan could.
void seal(std::vector<std::uint8_t>& bytes) {
  std::uint64_t digest = 0xcbf29ce484222325U;
  for (const std::uint8_t byte : std::span(bytes).subspan(32)) digest = (digest ^ byte) * 0x100000001b3U;
  std::memcpy(&bytes[24], &digest, sizeof digest);
  const std::uint32_t crc = crc32c(std::span(bytes).subspan(16));
  std::memcpy(&bytes[12], &crc, sizeof crc);
}

/// A modified plan is rejected, or its execution stays within bounds.
TEST(PlanFile, OtherNumbersWithARightDigestDoNoHarm) {
  const auto bytes = encode_plan(saved(tiny(), {}, some(tiny())));
  std::mt19937 random(1);
  constexpr std::uint32_t kWords[] = {0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 0x10000, 0xfffffff0};
  for (int n = 0; n < 600; ++n) {
    auto bad = bytes;
    for (int hits = 1 + n % 3; hits > 0; --hits) {
      const std::size_t at = 32 + random() % (bad.size() - 36);
      std::memcpy(&bad[at], &kWords[random() % std::size(kWords)], n % 2 == 0 ? 4 : 1);
    }
    seal(bad);
    if (!refusal(bad).empty()) continue;
    const Plan plan = decode_plan(bad, "x").plan;
    const std::vector<float> parameters(plan.parameters);
    const std::vector<TokenId> text(static_cast<std::size_t>(tiny().micro_batch * tiny().seq));
    if (plan.model.seq == tiny().seq && plan.model.micro_batch == tiny().micro_batch) plan.tokens(text, text);
    std::vector<machine::Message> messages;
    for (const Op& op : plan.ops) {
      expand(op, parameters, messages);
      if (op.returns != Returns::Gradient) continue;
      for (const auto& row : gradient_parameters(op))
        for (const std::uint64_t parameter : row) ASSERT_LT(parameter, plan.parameters) << n;
    }
  }
}

TEST(PlanFile, InconsistentPlanIsRejected) {
  const SavedPlan good = saved(tiny(), {}, some(tiny()));
  const auto said = [&](const auto& change) {
    SavedPlan bad = good;
    change(bad.plan);
    return refusal(encode_plan(bad)).find("its digest matches") != std::string::npos;
  };
  const auto loss = [](Plan& p) -> Op& { return p.ops[p.forward_ops - 1]; };
  EXPECT_FALSE(said([](Plan&) {}));
  EXPECT_TRUE(said([](Plan& p) { p.tensors[2].offset += 1; }));
  EXPECT_TRUE(said([](Plan& p) { p.tensors[0].offset = std::uint64_t{1} << 40; }));
  EXPECT_TRUE(said([](Plan& p) { p.tensors[0].size += 1; }));
  EXPECT_TRUE(said([](Plan& p) { p.ops[0].commands.push_back({0, p.parameters}); }));
  EXPECT_TRUE(said([&](Plan& p) { loss(p).returned[0] += 1; }));
  EXPECT_TRUE(said([&](Plan& p) { loss(p).returns = static_cast<Returns>(9); }));
  EXPECT_TRUE(said([](Plan& p) { p.ops.back().returned.back() = 2; }));
  EXPECT_TRUE(said([](Plan& p) { p.ops[0].descriptor.together = 0; }));
  EXPECT_TRUE(said([](Plan& p) { p.wafer.sequence_columns = 0; }));
  EXPECT_TRUE(said([](Plan& p) { p.padded_seq = 0; }));
  EXPECT_TRUE(said([](Plan& p) { p.tokens_per_column = 1 << 30; }));
  EXPECT_TRUE(said([](Plan& p) { p.model.micro_batch = 1000; }));
  EXPECT_TRUE(said([](Plan& p) { p.forward_ops = 0; }));
  const std::string bad = "a\x1b[2J";  // a terminal would interpret it
  EXPECT_TRUE(said([&](Plan& p) { p.ops[0].name = bad; }));
  EXPECT_TRUE(said([&](Plan& p) { p.arrays[0].name = bad; }));
  EXPECT_TRUE(said([&](Plan& p) { p.program.kernels[0].name = bad; }));
}

}  // namespace
}  // namespace weft::compiler
