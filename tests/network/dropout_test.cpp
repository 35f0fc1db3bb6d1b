/// Dropout in networks: gradients with the reference's masks, whatever the mesh and whatever is computed again.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "sw/base/refusal.hpp"
#include "tests/network/against_reference.hpp"
#include "tests/network/network_files.hpp"

namespace weft::network {
namespace {

compiler::ModelShape model_of(const char* network) {
  compiler::ModelShape m{.vocab = 30, .hidden = 24, .layers = 2, .heads = 3, .filter = 40, .seq = 8, .micro_batch = 3};
  m.network = network, m.residual_dropout = 0.2, m.embedding_dropout = 0.1, m.dropout_seed = 7;
  if (m.network == "gptj" || m.network == "llama") m.rotary_dim = 8, m.tied = false;
  if (m.network.starts_with("bert")) m.segments = 2;
  return m;
}

TEST(Dropout, FollowsTheReferenceInBuiltInNetworks) {
  for (const char* network : {"gpt2", "cerebras_gpt", "gptj", "llama", "bert"}) {
    for (const char* recompute : {"none", "block"}) {
      SCOPED_TRACE(testing::Message() << network << ", " << recompute);
      compiler::ModelShape model = model_of(network);
      model.recompute = recompute;
      follows_the_reference(compiler::compile(model, {.rows = 3, .cols = 2, .sram_kib = 128}), 0.5F);
    }
  }
}

}  // namespace
}  // namespace weft::network
