/// Runs with mask updates, killed between two updates and restarted.
#include "tests/run/restart.hpp"

namespace weft::test {
namespace {

Names moving(const std::string& algorithm) {
  Names more = {"--sparsity.sparsity",    "0.8", "--sparsity.algorithm",   algorithm,
                "--sparsity.update_freq", "5",   "--sparsity.update_stop", "60"};
  if (algorithm == "gmp") more.insert(more.end(), {"--sparsity.initial_sparsity", "0.2"});
  return more;
}

class RestartMaskUpdates : public Restart {};

TEST_F(RestartMaskUpdates, KilledBetweenTwoMaskUpdatesTheRunEndsInTheSameState) {
  constexpr int kSteps = 64;
  for (const std::string algorithm : {"set", "rigl", "gmp"}) {
    SCOPED_TRACE(algorithm);
    const Names more = moving(algorithm);
    const std::string whole = algorithm + "_whole";
    run(whole, kSteps, 1, more);
    int killed = 0;
    for (const int at : {8, 22, 41}) {
      StartedProgram program(words(algorithm, kSteps, 1 + at % 3, more), errors());
      program.reach(at);
      program.kill(SIGKILL);
      killed += program.wait() == 128 + SIGKILL ? 1 : 0;
    }
    EXPECT_GT(killed, 0);
    run(algorithm, kSteps, 2, more);
    expect_same_run(whole, algorithm, kSteps);
  }
}

TEST_F(RestartMaskUpdates, AnyNumberOfWafersEndsInTheSameState) {
  for (const std::string algorithm : {"set", "rigl", "gmp"}) {
    SCOPED_TRACE(algorithm);
    for (const int num_csx : {1, 2, 4}) run(algorithm + std::to_string(num_csx), 12, num_csx, moving(algorithm));
    expect_same_run(algorithm + "1", algorithm + "2", 12);
    expect_same_run(algorithm + "1", algorithm + "4", 12);
  }
}

TEST_F(RestartMaskUpdates, KeysThatDoNotGoTogetherAreRefused) {
  const auto refused = [&](const Names& more) { return refusal(words("none", 10, 1, more)); };
  EXPECT_SAYS(refused({"--sparsity.sparsity", "0.8", "--sparsity.algorithm", "rigl"}), "sparsity.update_stop: missing");
  EXPECT_SAYS(refused({"--sparsity.sparsity", "0.8", "--sparsity.update_freq", "5"}),
              "sparsity.update_freq: applies to dynamic sparsity only, but sparsity.algorithm is static");
  EXPECT_SAYS(refused({"--sparsity.sparsity", "0.8", "--sparsity.algorithm", "gmp", "--sparsity.update_stop", "9",
                       "--sparsity.update_freq", "2", "--sparsity.drop_fraction", "0.5"}),
              "sparsity.drop_fraction: applies to set and rigl only, but sparsity.algorithm is gmp");
  EXPECT_SAYS(refused({"--sparsity.sparsity", "0.8", "--sparsity.algorithm", "set", "--sparsity.update_stop", "9"}),
              "sparsity.update_freq: 100 steps are more than there are");
  EXPECT_SAYS(refused({"--sparsity.sparsity", "0.8", "--sparsity.algorithm", "gmp", "--sparsity.update_stop", "9",
                       "--sparsity.update_freq", "2", "--sparsity.initial_sparsity", "0.9"}),
              "sparsity.initial_sparsity: 0.9 is not below sparsity 0.8");
  EXPECT_SAYS(refused({"--sparsity.sparsity", "0", "--sparsity.algorithm", "set", "--sparsity.update_stop", "9",
                       "--sparsity.update_freq", "2"}),
              "sparsity.sparsity: is required by sparsity.algorithm set");
  run("plan", 1, 1, {"--mode", "compile_only", "--save", folder_ / "plan", "--sparsity.sparsity", "0.8"});
  Names more = moving("set");
  more.insert(more.end(), {"--plan", folder_ / "plan"});
  EXPECT_SAYS(refused(more), "sparsity.algorithm: set updates masks, but ");
}

}  // namespace
}  // namespace weft::test
