/// Pages that are read in and written out keep their data under concurrent use.
#include "host/memoryx/pages/pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "host/memoryx/pages/pinned_pages.hpp"
#include "host/memoryx/pages/scratch_file.hpp"
#include "sw/base/refusal.hpp"
#include "tests/child_process.hpp"
#include "tests/random.hpp"

namespace weft::memoryx::pages_test {
namespace {

struct Machine {
  Machine(std::size_t count, std::size_t room, bool ring)
      : file(make_scratch_file(std::filesystem::current_path(), count * kPiece)),
        pages(count * kPiece, {.page = kPiece, .room = room, .file = file.name}, io(ring)) {}
  std::unique_ptr<PageIo> io(bool ring) const {
    auto made = ring ? make_uring_io(file.file.get()) : nullptr;
    return made ? std::move(made) : make_thread_io(file.file.get(), 3);
  }
  std::span<std::uint64_t> page(std::size_t k) const {
    return {reinterpret_cast<std::uint64_t*>(pages.data() + k * kPiece), kPiece / 8};
  }
  static constexpr std::size_t kPiece = 8192;
  ScratchFile file;
  Pages pages;
};

/// Three threads change pages of their own; all of them read the shared ones.
void expect_kept(bool ring) {
  constexpr std::size_t kCount = 100, kRoom = 24, kOwn = 30;
  Machine machine(kCount, kRoom, ring);
  for (std::size_t k = 3 * kOwn; k < kCount; ++k) {
    PinnedPages pinned(&machine.pages, 1, Pages::Use::Change);
    pinned.pin(machine.page(k));
    std::ranges::fill(machine.page(k), k);
  }
  const std::uint64_t seed = test::test_seed();
  std::atomic<int> wrong = 0;
  const auto work = [&](std::size_t thread) {
    test::Rng rng(seed + thread);
    std::vector<std::uint64_t> expected(kOwn);
    for (int repeat = 0; repeat < 1500; ++repeat) {
      const std::size_t own = rng.below(kOwn), k = thread * kOwn + own;
      const auto page = machine.page(k);
      const std::uint32_t what = rng.below(8);
      if (what == 0) {
        PinnedPages pinned(&machine.pages, 2, Pages::Use::Forget);
        pinned.pin(page);
        wrong += page[7] != expected[own] ? 1 : 0;
        expected[own] = 0;
      } else if (what == 1) {
        machine.pages.prefetch(static_cast<std::uint32_t>(thread * kOwn), kOwn);
      } else if (what == 2) {
        PinnedPages pinned(&machine.pages, 2, Pages::Use::Read, 2);
        const std::size_t other = 3 * kOwn + rng.below(kCount - 3 * kOwn);
        pinned.pin(machine.page(other), page);
        wrong += machine.page(other)[5] != other || page[1023] != expected[own] ? 1 : 0;
      } else {
        PinnedPages pinned(&machine.pages, 2, what < 5 ? Pages::Use::Change : Pages::Use::Last);
        pinned.pin(page);
        wrong += page[0] != expected[own] || page[1023] != expected[own] ? 1 : 0;
        std::ranges::fill(page, expected[own] = rng.next());
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < 3; ++t) threads.emplace_back(work, t);
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(machine.pages.traffic().read, 100 * Machine::kPiece);
}

TEST(Pages, KeepWhatIsWrittenToThemByARing) { expect_kept(true); }
TEST(Pages, KeepWhatIsWrittenToThemByThreads) { expect_kept(false); }

TEST(Pages, AccessToAbsentPageCrashes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        const Machine machine(10, 8, true);
        machine.page(3)[0] = 1;
      },
      "");
}

/// The process's private writable memory in bytes, as limited by RLIMIT_DATA.
rlim_t private_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (rlim_t kib = 0; word == "VmData:" && status >> kib) return kib << 10;
  return 0;
}

/// Address space is reserved early; a memory limit takes effect only when a page is read in.
TEST(Pages, WithoutMemoryForAPageTheRunIsRefused) {
  const int code = test::in_child([] {
    Machine machine(1000, 500, true);
    const rlim_t most = private_memory() + (std::uint64_t{1} << 20);
    const rlimit limit{most, most};
    if (most == std::uint64_t{1} << 20 || ::setrlimit(RLIMIT_DATA, &limit) != 0) return 2;
    try {
      for (std::size_t k = 0; k < 400; ++k) {
        PinnedPages pinned(&machine.pages, 1, Pages::Use::Change);
        pinned.pin(machine.page(k));
        machine.page(k)[0] = k;
      }
    } catch (const Refusal& e) {
      machine.pages.prefetch(0, 400);  // only a request
      const std::string said = e.what();
      return said.starts_with("memoryx.dram_gib: the system gives no more memory for pages: ") &&
                     said.find("HINT: set it to less, or raise the limits") != std::string::npos
                 ? 0
                 : 3;
    }
    return 1;
  });
  EXPECT_EQ(code, 0);
}

/// Locked memory is not released by the system, but a forgotten page must read as zeros all the same.
TEST(Pages, ForgottenLockedPageReadsAsZeros) {
  const int code = test::in_child([] {
    Machine machine(12, 8, false);
    if (::mlock2(machine.pages.data(), 12 * Machine::kPiece, MLOCK_ONFAULT) != 0) return 2;
    for (std::size_t k = 0; k < 12; ++k) {
      PinnedPages pinned(&machine.pages, 1, k % 2 == 0 ? Pages::Use::Forget : Pages::Use::Last);
      pinned.pin(machine.page(k));
      std::ranges::fill(machine.page(k), 7 + k);
    }
    for (std::size_t k = 0; k < 12; ++k) {
      PinnedPages pinned(&machine.pages, 1, Pages::Use::Read);
      pinned.pin(machine.page(k));
      if (machine.page(k)[5] != (k % 2 == 0 ? 0 : 7 + k)) return 1;
    }
    return 0;
  });
  if (code == 2) GTEST_SKIP() << "this user may lock no memory";
  EXPECT_EQ(code, 0);
}

TEST(Pages, LastUseIsEvictedFirst) {
  Machine machine(16, 8, true);
  const auto use = [&](std::size_t k, Pages::Use how) {
    PinnedPages pinned(&machine.pages, 1, how);
    pinned.pin(machine.page(k));
  };
  for (std::size_t k = 0; k < 4; ++k) use(k, Pages::Use::Change);
  for (std::size_t k = 4; k < 16; ++k) use(k, Pages::Use::Last);
  const std::uint64_t before = machine.pages.traffic().read;
  for (std::size_t k = 0; k < 4; ++k) use(k, Pages::Use::Read);
  EXPECT_EQ(machine.pages.traffic().read, before);
}

TEST(Pages, ReadAheadIsThereWhenItIsWanted) {
  Machine machine(64, 16, true);
  for (std::size_t k = 0; k < 64; ++k) {
    PinnedPages pinned(&machine.pages, 1, Pages::Use::Last);
    pinned.pin(machine.page(k));
    machine.page(k)[0] = k;
  }
  const auto read = [&] { return machine.pages.traffic().read; };
  // As far as there is room now, so until nothing is left to be read: a page may have had to go again meanwhile.
  int calls_without_reads = 0;
  for (int k = 0; k < 2000 && calls_without_reads < 20; ++k) {
    const std::uint64_t earlier = read();
    machine.pages.prefetch(0, 4);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    calls_without_reads = read() >= 4 * Machine::kPiece && read() == earlier ? calls_without_reads + 1 : 0;
  }
  ASSERT_EQ(calls_without_reads, 20);
  std::uint64_t before = 0;
  while (std::exchange(before, read()) != read())  // until the last of them has arrived
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  PinnedPages pinned(&machine.pages, 4, Pages::Use::Read);
  for (std::size_t k = 0; k < 4; ++k) {
    pinned.pin_one(machine.page(k).data());
    EXPECT_EQ(machine.page(k)[0], k);
  }
  EXPECT_EQ(read(), before);
}

}  // namespace
}  // namespace weft::memoryx::pages_test
