/// Random compositions of the operations of networks: the estimate's beats of each op are those of the functional
/// model.
#include <filesystem>

#include "tests/compiler/micro_batch.hpp"
#include "tests/network/random_case.hpp"
#include "tests/planning/estimate/model_beats.hpp"

namespace weft::planning {
namespace {

void compositions_match_the_model(unsigned count, unsigned first_seed) {
  const std::string file = testing::TempDir() + "compositions_beats_" + std::to_string(count) + ".yaml";
  unsigned done = 0;
  for (unsigned seed = first_seed; done < count && !testing::Test::HasFailure(); ++seed) {
    ASSERT_LT(seed - first_seed, 3 * count + 10) << "most compositions are rejected";
    network::RandomCase of(seed, network::RandomNetwork::Form::Composition);
    const auto plan = of.compile_if_valid(file);
    if (!plan) continue;
    SCOPED_TRACE(testing::Message() << "seed " << seed << "\n" << of.network.text);
    expect_beats_of_the_model(*plan, compiler::random_inputs(*plan, 2),
                              compiler::random_labels(*plan, plan->model.micro_batch, 3));
    ++done;
  }
  std::filesystem::remove(file);
}

/// The first has norms with a shift and one without.
TEST(Beats, RandomCompositionsMatchTheModel) {
  for (const unsigned seed : {1U, 1001U}) compositions_match_the_model(1, seed);
}

TEST(BeatsLong, RandomCompositionsMatchTheModel) { compositions_match_the_model(200, 1); }

}  // namespace
}  // namespace weft::planning
