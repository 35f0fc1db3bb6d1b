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

namespace weft {
namespace {

struct Machine {
  Machine(std::size_t count, std::size_t room, bool ring)
      : file(make_scratch_file(std::filesystem::current_path(), count * kPiece)),
        pieces(count * kPiece, {.piece = kPiece, .room = room, .file = file.name}, io(ring)) {}
  std::unique_ptr<PieceIo> io(bool ring) const {
    auto made = ring ? make_ring_io(file.file.get()) : nullptr;
    return made ? std::move(made) : make_thread_io(file.file.get(), 3);
  }
  std::span<std::uint64_t> piece(std::size_t k) const {
    return {reinterpret_cast<std::uint64_t*>(pieces.data() + k * kPiece), kPiece / 8};
  }
  static constexpr std::size_t kPiece = 8192;
  ScratchFile file;
  Pieces pieces;
};

/// Three threads change pages of their own; all of them read the shared ones.
void expect_kept(bool ring) {
  constexpr std::size_t kCount = 100, kRoom = 24, kOwn = 30;
  Machine machine(kCount, kRoom, ring);
  for (std::size_t k = 3 * kOwn; k < kCount; ++k) {
    Held held(&machine.pieces, 1, Pieces::Use::Change);
    held.take(machine.piece(k));
    std::ranges::fill(machine.piece(k), k);
  }
  const std::uint64_t seed = test::test_seed();
  std::atomic<int> wrong = 0;
  const auto work = [&](std::size_t thread) {
    test::Dice dice(seed + thread);
    std::vector<std::uint64_t> expected(kOwn);
    for (int turn = 0; turn < 1500; ++turn) {
      const std::size_t own = dice.below(kOwn), k = thread * kOwn + own;
      const auto piece = machine.piece(k);
      const std::uint32_t what = dice.below(8);
      if (what == 0) {
        Held held(&machine.pieces, 2, Pieces::Use::Forget);
        held.take(piece);
        wrong += piece[7] != expected[own] ? 1 : 0;
        expected[own] = 0;
      } else if (what == 1) {
        machine.pieces.ahead(static_cast<std::uint32_t>(thread * kOwn), kOwn);
      } else if (what == 2) {
        Held held(&machine.pieces, 2, Pieces::Use::Read, 2);
        const std::size_t other = 3 * kOwn + dice.below(kCount - 3 * kOwn);
        held.take(machine.piece(other), piece);
        wrong += machine.piece(other)[5] != other || piece[1023] != expected[own] ? 1 : 0;
      } else {
        Held held(&machine.pieces, 2, what < 5 ? Pieces::Use::Change : Pieces::Use::Last);
        held.take(piece);
        wrong += piece[0] != expected[own] || piece[1023] != expected[own] ? 1 : 0;
        std::ranges::fill(piece, expected[own] = dice.next());
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < 3; ++t) threads.emplace_back(work, t);
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(machine.pieces.moved().read, 100 * Machine::kPiece);
}

TEST(Pieces, KeepWhatIsWrittenToThemByARing) { expect_kept(true); }
TEST(Pieces, KeepWhatIsWrittenToThemByThreads) { expect_kept(false); }

TEST(Pieces, WhoUsesWhatIsNotHereIsStopped) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        const Machine machine(10, 8, true);
        machine.piece(3)[0] = 1;
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
TEST(Pieces, WithoutMemoryForAPieceTheRunIsRefused) {
  const int code = test::in_child([] {
    Machine machine(1000, 500, true);
    const rlim_t most = private_memory() + (std::uint64_t{1} << 20);
    const rlimit limit{most, most};
    if (most == std::uint64_t{1} << 20 || ::setrlimit(RLIMIT_DATA, &limit) != 0) return 2;
    try {
      for (std::size_t k = 0; k < 400; ++k) {
        Held held(&machine.pieces, 1, Pieces::Use::Change);
        held.take(machine.piece(k));
        machine.piece(k)[0] = k;
      }
    } catch (const Refusal& e) {
      machine.pieces.ahead(0, 400);  // only a request
      const std::string said = e.what();
      return said.starts_with("memoryx.dram_gib: the system gives no more memory for pieces: ") &&
                     said.find("HINT: set it to less, or raise the limits") != std::string::npos
                 ? 0
                 : 3;
    }
    return 1;
  });
  EXPECT_EQ(code, 0);
}

/// Locked memory is not released by the system, but a forgotten page must read as zeros all the same.
TEST(Pieces, OfLockedMemoryWhatIsForgottenIsZeros) {
  const int code = test::in_child([] {
    Machine machine(12, 8, false);
    if (::mlock2(machine.pieces.data(), 12 * Machine::kPiece, MLOCK_ONFAULT) != 0) return 2;
    for (std::size_t k = 0; k < 12; ++k) {
      Held held(&machine.pieces, 1, k % 2 == 0 ? Pieces::Use::Forget : Pieces::Use::Last);
      held.take(machine.piece(k));
      std::ranges::fill(machine.piece(k), 7 + k);
    }
    for (std::size_t k = 0; k < 12; ++k) {
      Held held(&machine.pieces, 1, Pieces::Use::Read);
      held.take(machine.piece(k));
      if (machine.piece(k)[5] != (k % 2 == 0 ? 0 : 7 + k)) return 1;
    }
    return 0;
  });
  if (code == 2) GTEST_SKIP() << "this user may lock no memory";
  EXPECT_EQ(code, 0);
}

TEST(Pieces, WhatIsUsedLastGoesFirst) {
  Machine machine(16, 8, true);
  const auto use = [&](std::size_t k, Pieces::Use how) {
    Held held(&machine.pieces, 1, how);
    held.take(machine.piece(k));
  };
  for (std::size_t k = 0; k < 4; ++k) use(k, Pieces::Use::Change);
  for (std::size_t k = 4; k < 16; ++k) use(k, Pieces::Use::Last);
  const std::uint64_t before = machine.pieces.moved().read;
  for (std::size_t k = 0; k < 4; ++k) use(k, Pieces::Use::Read);
  EXPECT_EQ(machine.pieces.moved().read, before);
}

TEST(Pieces, ReadAheadIsThereWhenItIsWanted) {
  Machine machine(64, 16, true);
  for (std::size_t k = 0; k < 64; ++k) {
    Held held(&machine.pieces, 1, Pieces::Use::Last);
    held.take(machine.piece(k));
    machine.piece(k)[0] = k;
  }
  const auto read = [&] { return machine.pieces.moved().read; };
  for (int k = 0; k < 2000 && read() < 4 * Machine::kPiece; ++k) {
    machine.pieces.ahead(0, 4);  // as far as there is room now
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_GE(read(), 4 * Machine::kPiece);
  std::uint64_t before = 0;
  while (std::exchange(before, read()) != read())  // until the last of them has arrived
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  Held held(&machine.pieces, 4, Pieces::Use::Read);
  for (std::size_t k = 0; k < 4; ++k) {
    held.take_one(machine.piece(k).data());
    EXPECT_EQ(machine.piece(k)[0], k);
  }
  EXPECT_EQ(read(), before);
}

}  // namespace
}  // namespace weft
