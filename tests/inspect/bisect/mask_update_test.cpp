/// Mask updates before a step are replayed, and the step is inspected with its own masks.
#include "tests/inspect/bisect/sides.hpp"

namespace weft::inspect::bisect {
namespace {

TEST(BisectMaskUpdates, AStepThatBeginsWithAMaskUpdateIsThatOfItsMasks) {
  Recorder recorder(Sides::tiny({{"runconfig.num_steps", "3"},
                                 {"sparsity.sparsity", "0.9"},
                                 {"sparsity.algorithm", "gmp"},
                                 {"sparsity.initial_sparsity", "0.2"},
                                 {"sparsity.update_freq", "2"},
                                 {"sparsity.update_stop", "2"}}));
  const auto messages = [&](std::uint64_t step) {
    Request request;
    request.step = step;
    request.phase = "h.0.mlp.c_fc";
    return recorder.phase(request).messages.size();
  };
  EXPECT_EQ(messages(1), messages(2)) << "the first masks";
  EXPECT_LT(messages(3), messages(2) / 2) << "a tenth of the weights, and the rest of the stream";
}

}  // namespace
}  // namespace weft::inspect::bisect
