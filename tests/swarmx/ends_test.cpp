/// One path by which an error ends the run: whatever is thrown, and by whichever thread, `step` throws it, and all
/// threads end.
#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <new>
#include <optional>
#include <string>
#include <system_error>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/base/error.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft::swarmx {
namespace {

/// An exception type unknown to the swarm.
struct Foreign : std::logic_error {
  using std::logic_error::logic_error;
};

struct Ends : testing::TestWithParam<int> {  // number of wafers; the last fails
  compiler::Plan plan = fake_plan();
  memoryx::MemoryX memoryx{plan, {}};
  std::uint32_t last = static_cast<std::uint32_t>(GetParam() - 1);
  SwarmOptions options = fake_swarm(plan, GetParam(), 2, 16, 3);

  template <class Error>
  void throw_from_data(const Error& error) {
    options.get = [this, error, get = options.get](const BatchRequest& request) -> MicroBatch {
      if (request.micro_batch == last) throw error;
      return get(request);
    };
  }
  template <class Error>
  void throw_from_making(const Error& error) {
    options.make_wafer = [this, error, make = options.make_wafer](int id) {
      if (id == static_cast<int>(last)) throw error;
      return make(id);
    };
  }
  /// The exception that step throws, as an `Error`, at each call; afterwards the swarm ends.
  template <class Error>
  Error caught() {
    const auto start = std::chrono::steady_clock::now();
    std::optional<Error> first;
    {
      Swarm swarm(plan, options);
      for (int n = 0; n < 2; ++n) {
        try {
          swarm.step(0, memoryx);
          ADD_FAILURE() << "nothing thrown";
        } catch (const Error& error) {
          first.emplace(error);
        }
      }
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    return first.value();
  }
};

TEST_P(Ends, NoMemoryForDataStaysNoMemory) {
  throw_from_data(std::bad_alloc());
  caught<std::bad_alloc>();
}

TEST_P(Ends, NoMemoryForAWaferStaysNoMemory) {
  throw_from_making(std::bad_alloc());
  caught<std::bad_alloc>();
}

TEST_P(Ends, NonExceptionKeepsItsType) {
  throw_from_data(42);
  EXPECT_EQ(caught<int>(), 42);
}

TEST_P(Ends, AnUnknownTypeStaysWhatItIs) {
  throw_from_data(Foreign("of another library"));
  EXPECT_STREQ(caught<Foreign>().what(), "of another library");
}

TEST_P(Ends, DivergedKeepsItsType) {
  throw_from_data(memoryx::Diverged("the weights are not finite"));
  EXPECT_EQ(caught<memoryx::Diverged>().what(),
            "step 1, micro-batch " + std::to_string(last) + ": the weights are not finite");
}

TEST_P(Ends, TheSystemsRefusalKeepsItsWords) {
  throw_from_making(std::system_error(EMFILE, std::generic_category()));
  const auto error = caught<std::system_error>();
  EXPECT_EQ(error.code().value(), EMFILE);
  EXPECT_NE(std::string(error.what()).find("Too many open files"), std::string::npos) << error.what();
}

INSTANTIATE_TEST_SUITE_P(Wafers, Ends, testing::Values(1, 2, 7),
                         [](const auto& info) { return std::to_string(info.param) + "wafers"; });

/// A run that fails and continues with another swarm on the same MemoryX.
TEST(Backoff, AnotherSwarmContinuesWithTheBitsOfARunThatNeverFailed) {
  const compiler::Plan plan = fake_plan();
  memoryx::MemoryXOptions two;
  two.threads = 2;
  two.optimizer.max_gradient_norm = 1;
  memoryx::MemoryX whole(plan, two), broken(plan, two);
  Swarm swarm(plan, fake_swarm(plan, 3, 2, 7, 0));
  for (std::uint64_t step = 0; step < 4; ++step) swarm.step(step, whole);

  for (std::uint64_t step = 0; step < 4; ++step) {
    {
      SwarmOptions options = fake_swarm(plan, 3, 2, 7, 5);
      options.make_wafer = [&](int id) {
        return make_fake_wafer(plan, {.seed = 1, .overflow_after = id == 1 ? static_cast<int>(3 + 2 * step) : -1});
      };
      Swarm fails(plan, options);
      EXPECT_THROW(fails.step(step, broken), memoryx::GradientOverflow) << step;
    }
    SwarmOptions options = fake_swarm(plan, 5, 2, 7, 0);
    options.get = [get = options.get](const BatchRequest& request) {
      if (!request.train) throw LossNotFinite("the loss is not a number");
      return get(request);
    };
    Swarm goes_on(plan, options);
    goes_on.step(step, broken);
    EXPECT_THROW(goes_on.evaluate(step, 3, broken), LossNotFinite);
  }
  EXPECT_EQ(broken.hash(), whole.hash());
}

}  // namespace
}  // namespace weft::swarmx
