/// The flash tier changes no bit, stays within its memory limit, and reports errors of its file.
#include "host/memoryx/tier.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cerrno>
#include <filesystem>
#include <mutex>

#include "sw/base/refusal.hpp"
#include "tests/memoryx/faulty_io.hpp"
#include "tests/memoryx/small_plan.hpp"

namespace weft::memoryx {
namespace {

std::string here() { return std::filesystem::current_path(); }

std::unique_ptr<TierStore> tier(const compiler::Plan& plan, std::uint64_t dram, unsigned threads = 1,
                                std::function<std::unique_ptr<PageIo>(int)> io = {}) {
  return std::make_unique<TierStore>(
      plan.parameters, TierOptions{.dram = dram, .folder = here(), .threads = threads, .io = std::move(io)});
}

std::unique_ptr<PageIo> by_threads(int file) { return make_thread_io(file, 3); }

constexpr std::uint64_t kSmall = 220 << 10, kMiddle = 900 << 10, kLarge = 40 << 20;

TEST(Tier, TheBitsAreThoseOfDram) {
  const compiler::Plan plan = small_plan(80000);  // 3.2 MB
  for (const double clip : {0.5, 0.0}) {
    double norm = 0, other = 0;
    const std::uint64_t hash = memoryx::train(plan, 1, 1 << 20, &norm, nullptr, clip);
    for (const std::uint64_t dram : {kSmall, kMiddle, kLarge}) {
      EXPECT_EQ(memoryx::train(plan, 1, 1000, &other, tier(plan, dram), clip), hash) << dram;
      EXPECT_EQ(other, norm);
    }
    EXPECT_EQ(memoryx::train(plan, 3, 50000, &other, tier(plan, kMiddle, 3), clip), hash);
    EXPECT_EQ(memoryx::train(plan, 2, 50000, &other, tier(plan, kMiddle, 2, by_threads), clip), hash);
  }
}

TEST(Tier, EagerUpdatesHaveTheSameBits) {
  const compiler::Plan plan = small_plan(80000);
  const auto run = [&](bool eager, std::unique_ptr<ParameterStore> store) {
    MemoryX memoryx(plan, {.eager = eager}, std::move(store));
    for (std::uint64_t step = 0; step < 3; ++step) {
      memoryx.begin_step({.step = step, .micro_batches = 2, .passes = 2, .tokens = 100});
      for (std::size_t op = 0; op < plan.ops.size(); ++op) memoryx.streamed(op);
      add_gradients(plan, memoryx, step, 10000);
      memoryx.apply(step, 100);
    }
    return memoryx.finish_update().hash;
  };
  const std::uint64_t hash = run(false, nullptr);
  EXPECT_EQ(run(true, tier(plan, kSmall)), hash);
  EXPECT_EQ(run(false, tier(plan, kSmall)), hash);
}

TEST(Tier, AnAbandonedStepLeavesNothingInTheSums) {
  const compiler::Plan plan = small_plan(50000);
  MemoryX memoryx(plan, {}, tier(plan, kSmall)), other(plan, {});
  memoryx.begin_step(2);
  add_gradients(plan, memoryx, 7, 1000);
  for (MemoryX* one : {&memoryx, &other}) {
    one->begin_step(2);
    add_gradients(plan, *one, 0, 1000);
    one->apply(0, 100);
  }
  EXPECT_EQ(memoryx.finish_update().hash, other.finish_update().hash);
}

TEST(Tier, MaskedValuesStayZero) {
  compiler::Plan plan = small_plan(50000);
  std::vector<bool> mask(50000, true);
  for (std::size_t k = 0; k < mask.size(); k += 3) mask[k] = false;
  plan.mask["c"] = mask;
  MemoryX memoryx(plan, {}, tier(plan, kSmall)), other(plan, {});
  EXPECT_EQ(memoryx.hash(), other.hash());
}

/// Resident bytes: the smallest of several counts, because pages come and go during a count, and one may be counted
/// together with its replacement.
std::size_t resident(const Pages& pages) {
  std::vector<unsigned char> states(pages.count() * pages.page_bytes() / 4096);
  std::size_t least = states.size();
  for (int n = 0; n < 5; ++n) {
    EXPECT_EQ(::mincore(pages.data(), states.size() * 4096, states.data()), 0);
    const auto here = std::ranges::count_if(states, [](unsigned char page) { return (page & 1) != 0; });
    least = std::min(least, static_cast<std::size_t>(here));
  }
  return least * 4096;
}

TEST(Tier, TakesNoMoreMemoryThanItMay) {
  const compiler::Plan plan = small_plan(400000);  // 16 MB
  std::mutex mutex;
  std::size_t most = 0;
  auto store = tier(plan, kMiddle, 2);
  const Pages* const pages = store->pages();
  const auto measure = [&] {
    const std::lock_guard lock(mutex);
    most = std::max(most, resident(*pages));
  };
  MemoryXOptions options{.threads = 2};
  options.updated = [&](std::size_t, auto, auto) { measure(); };
  MemoryX memoryx(plan, options, std::move(store));
  for (std::uint64_t step = 0; step < 2; ++step) {
    memoryx.begin_step(2);
    add_gradients(plan, memoryx, step, 50000);
    measure();
    memoryx.apply(step, 100);
  }
  memoryx.finish_update();
  EXPECT_LE(most, kMiddle);
  EXPECT_GT(most, kMiddle / 2);
}

TEST(Tier, NothingMovesWhereAllHasRoom) {
  const compiler::Plan plan = small_plan(50000);
  auto store = tier(plan, kLarge);
  const Pages& pages = *store->pages();
  MemoryX memoryx(plan, {}, std::move(store));
  memoryx.begin_step(2);
  add_gradients(plan, memoryx, 0, 1000);
  memoryx.apply(0, 100);
  memoryx.finish_update();
  EXPECT_EQ(pages.traffic().read, 0U);
  EXPECT_EQ(pages.traffic().written, 0U);
}

std::string refusal_of(std::uint64_t dram, unsigned threads, double* named) {
  try {
    tier_shape(dram, threads);
    return {};
  } catch (const Refusal& e) {
    sscanf(e.hint().c_str(), "set it to %lf", named);
    return e.what();
  }
}

TEST(Tier, ABoundThatIsTooSmallNamesTheSmallestThatWorks) {
  for (const unsigned threads : {1U, 2U, 64U}) {
    double named = 0;
    EXPECT_NE(refusal_of(4096, threads, &named).find("memoryx.dram_gib"), std::string::npos);
    const auto smallest = static_cast<std::uint64_t>(named * (1U << 30));
    EXPECT_EQ(refusal_of(smallest, threads, &named), "") << named;
    EXPECT_NE(refusal_of(smallest - 4096, threads, &named), "") << named;
  }
}

TEST(Tier, LargeBoundsHaveLargePages) {
  EXPECT_EQ(tier_shape(std::uint64_t{1} << 30, 1).page, std::size_t{1} << 18);
  EXPECT_EQ(tier_shape(std::uint64_t{1} << 30, 1).room, std::size_t{1} << 12);
  EXPECT_EQ(tier_shape(kSmall, 1).page, 4096U);
}

/// The error of training when reads and writes end as `fault` says.
std::string failure(const FaultyIo::Fault& fault) {
  const compiler::Plan plan = small_plan(100000);
  try {
    memoryx::train(plan, 2, 10000, nullptr, tier(plan, kMiddle, 2, [&](int file) {
                     return std::make_unique<FaultyIo>(make_thread_io(file, 2), fault);
                   }));
    return "no failure";
  } catch (const Refusal& e) {
    return e.what();
  }
}

void expect_says(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(Tier, DiskErrorIsReported) {
  EXPECT_EQ(failure([](const PageRequest&, int) { return 0; }), "no failure");
  for (const int nth : {1, 2, 20, 150}) {
    expect_says(failure([=](const PageRequest& r, int n) { return !r.write && n == nth ? EIO : 0; }),
                "cannot be read: Input/output error. HINT: set memoryx.flash_dir to a folder on another disk");
    expect_says(failure([=](const PageRequest& r, int n) { return r.write && n == nth ? EIO : 0; }),
                "cannot be written: Input/output error. HINT: set memoryx.flash_dir to a folder on another disk");
    expect_says(failure([=](const PageRequest& r, int n) { return r.write && n >= nth ? ENOSPC : 0; }),
                "cannot be written: No space left on device. HINT: make room, set memoryx.flash_dir");
  }
  expect_says(failure([](const PageRequest& r, int n) { return !r.write && n == 9 ? PageIo::kCutShort : 0; }),
              "was truncated while the run trained");
}

TEST(Tier, AByteThatChangedOnTheDiskIsFound) {
  for (const std::size_t place : {std::size_t{0}, std::size_t{4095}}) {
    expect_says(failure([=](const PageRequest& r, int n) {
                  if (!r.write && n == 30) r.bytes[place] ^= std::byte{1};
                  return 0;
                }),
                "has bytes other than those written");
  }
}

TEST(Tier, AStateWhosePagesAreLostIsNotWhole) {
  const compiler::Plan plan = small_plan(100000);
  std::atomic<bool> broken = false;
  MemoryX memoryx(plan, {}, tier(plan, kSmall, 1, [&](int file) {
                    return std::make_unique<FaultyIo>(make_thread_io(file, 2), [&](const PageRequest& r, int) {
                      return broken && !r.write ? EIO : 0;
                    });
                  }));
  EXPECT_TRUE(memoryx.is_consistent());
  broken = true;
  memoryx.begin_step(2);
  EXPECT_THROW(add_gradients(plan, memoryx, 0, 1000); memoryx.apply(0, 100); memoryx.finish_update(), Refusal);
  EXPECT_FALSE(memoryx.is_consistent());
}

TEST(Tier, AFolderThatIsNotThereIsRefused) {
  try {
    TierStore(1 << 20, {.dram = kLarge, .folder = here() + "/nowhere"});
    FAIL();
  } catch (const Refusal& e) {
    expect_says(e.what(), "nowhere: cannot be written to: No such file or directory. HINT: set memoryx.flash_dir");
  }
}

TEST(Tier, LeavesNoFile) {
  const auto files = [] {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(here())) count += entry.exists() ? 1 : 0;
    return count;
  };
  const std::size_t before = files();
  const TierStore store(1 << 20, {.dram = kLarge, .folder = here()});
  EXPECT_EQ(files(), before);
}

}  // namespace
}  // namespace weft::memoryx
