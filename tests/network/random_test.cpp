/// Random networks are either rejected, or give the gradients of the reference in doubles.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "sw/asm/program.hpp"
#include "sw/base/refusal.hpp"
#include "tests/network/against_reference.hpp"
#include "tests/network/random_case.hpp"

namespace weft::network {
namespace {

void is_right(const compiler::Plan& plan) {
  std::set<std::string> names;
  for (const compiler::Op& op : plan.ops)
    EXPECT_TRUE(names.insert(op.name).second) << "two phases are called " << op.name;
  follows_the_reference(plan, 0.5F);
}

TEST(RandomNetworks, AreRefusedOrFollowTheReference) {
  const std::string file = testing::TempDir() + "random_network.yaml";
  int trained = 0;
  for (unsigned seed = 1; seed <= 400 && !testing::Test::HasFailure(); ++seed) {
    RandomCase of(seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed << "\n" << of.network.text);
    try {
      is_right(of.compile(file));
      ++trained;
    } catch (const Refusal& refusal) {
      const std::string text = refusal.what();
      EXPECT_NE(text.find("HINT: "), std::string::npos);
      if (text.find("call kernels of") != std::string::npos) {
        EXPECT_EQ(text.find(std::string("leave ") + compiler::document_key(of.model) + " out") != std::string::npos,
                  of.model.has_documents())
            << text;
      }
      EXPECT_EQ(dynamic_cast<const assembler::AssemblyError*>(&refusal), nullptr) << refusal.what();
    }
  }
  std::filesystem::remove(file);
  EXPECT_GT(trained, 60);
}

/// A block that is computed again gives the bits of one that is kept.
void has_the_same_bits_when_kept(RandomCase of, const compiler::Plan& again, const std::string& file) {
  of.model.recompute = "none";
  const auto kept = of.compile_if_valid(file);  // more is kept, so some are too large
  if (!kept) return;
  const std::vector<float> parameters = compiler::random_parameters(again, 1, 0.5F);
  EXPECT_TRUE(run_on_model(*kept, parameters).got.grad == run_on_model(again, parameters).got.grad);
}

void compositions_follow_the_reference(unsigned count) {
  const std::string file = testing::TempDir() + "compositions_" + std::to_string(count) + ".yaml";
  std::map<std::string, unsigned> seen;
  unsigned trained = 0;
  for (unsigned seed = 1; trained < count && !testing::Test::HasFailure(); ++seed) {
    ASSERT_LT(seed, 3 * count + 10) << "most compositions are rejected";
    RandomCase of(seed, RandomNetwork::Form::Composition);
    SCOPED_TRACE(testing::Message() << "seed " << seed << "\n" << of.network.text);
    const auto plan = of.compile_if_valid(file);
    if (!plan) continue;
    is_right(*plan);
    if (of.model.recompute == "block") has_the_same_bits_when_kept(of, *plan, file);
    for (const std::string& feature : of.features()) ++seen[feature];
    ++trained;
  }
  std::filesystem::remove(file);
  for (const std::string& feature : RandomCase::all_features())
    EXPECT_GE(seen[feature], count / 40) << "hardly any composition has " << feature;
}

TEST(RandomNetworks, TwelveCompositionsFollowTheReference) { compositions_follow_the_reference(12); }
TEST(RandomNetworksLong, TwoHundredCompositionsFollowTheReference) { compositions_follow_the_reference(200); }

}  // namespace
}  // namespace weft::network
