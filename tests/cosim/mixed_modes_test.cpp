/// Random programs unlike any kernel: both kinds of partial sums, interleaved weights, gradients and vectors from
/// either half of memory, in any order on one tile. The functional model and the RTL must end in the same state.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/model/rig.hpp"
#include "verif/wafer.hpp"

namespace weft::cosim {
namespace {

constexpr int kMost = 12, kLanes = 4, kUpper = 16384, kX = 64, kZone = 4096, kDy = 1024, kBuffers = 2048, kY = 6144;
constexpr int kSums = 0, kSlots = 40, kAcc = 100, kRest = 120;  // addresses in R

/// The instructions of main and psum, and the W stream.
class Mixed {
 public:
  explicit Mixed(unsigned seed) : rng_(seed) {
    for (int n = below(12) + 3; n > 0; --n) entry();
    main_ += "join\nhalt\n";
    psum_ += "halt\n";
  }
  std::string source() const { return "li r1, 15\ncsrw LMASK, r1\nfork psum\n" + main_ + "psum:\n" + psum_; }
  void send(model::Rig& rig) const {
    for (const machine::Message& m : stream_) rig.pending.push_back(m);
  }

 private:
  int below(int n) { return static_cast<int>(rng_() % static_cast<unsigned>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  /// `sums`: numbers that indices may have in their low four bits.
  void stream(int most, int sums = 16) {
    for (int n = below(most); n > 0; --n)
      stream_.push_back(machine::Message::weight(static_cast<std::uint16_t>((below(1 << 12) << 4) | below(sums)),
                                                 static_cast<std::uint16_t>(rng_())));
    stream_.push_back(machine::Message::command(machine::Command::CR, 0, 0));
  }
  static std::string set(const char* csr, int value) { return fmt::format("li r1, {}\ncsrw {}, r1\n", value, csr); }
  /// An address in the lower or the upper half.
  int either(int address) { return address + (chance(50) ? kUpper : 0); }
  /// Entry 0 of the current buffer, for any length.
  int sums(int length) const { return (kSums + turn_ * (kMost - length)) & 0xffff; }

  /// Sets STR to a number with which interleaved weights fill `length` entries evenly, of which some are numbered.
  /// Returns the numbers that their indices may have.
  int set_beats(int length) {
    const int beats = below(8) + 1, even = length % beats == 0 ? beats : 1;
    const bool numbered = chance(50);
    main_ += set("STR", even - 1 + 8 * numbered + 16 * below(2));
    return numbered ? length / even : 16;
  }

  void put() { turn_ = (turn_ + 1) % 3; }

  /// A stream into the next buffer.
  void axpy(bool ends) {
    const int length = below(kMost) + 1;
    main_ += set("VL", length) + set("STA", kMost * kLanes);
    const bool interleave = chance(50), one_hot = chance(20);
    const int numbers = interleave ? set_beats(length) : 16;
    main_ += fmt::format("li r2, {}\nli r3, {}\nvaxs Q[r2], {}[r3]{}{}\n", sums(length), either(kX),
                         one_hot ? "OH" : "M", ends ? ", put" : "", interleave ? ", interleave" : "");
    stream(chance(30) ? 2 : 3 * kMost, numbers);
  }
  void plain_axpy() {
    const int length = below(kMost) + 1;
    main_ += set("VL", length) + set("STA", kMost * kLanes);
    const int numbers = set_beats(length);
    main_ +=
        fmt::format("li r2, {}\nli r3, {}\nvaxs R[r2], M[r3]{}\n", kAcc, either(kX), chance(30) ? ", interleave" : "");
    stream(9, numbers);
  }
  void vector() {
    main_ += set("VL", below(kMost) + 1) + set("REP", below(4)) + set("STA", kLanes * below(8)) +
             set("STD", kLanes * below(8)) + set("STB", kLanes * below(8)) + set("STR", below(12));
    const char* const forms[] = {"M[r2], M[r3], M[r4], R[r5]",  "R[r5], M[r3], MS[r4], R[r5]",
                                 "M[r2], M[r3], S[r4], M[r4]",  "R[r5], M[r3], M[r4], R[r5]",
                                 "M[r2], M[r3], MS[r4], R[r5]", "M[r2], M[r3], A, M[r4]",
                                 "M[r2], M[r3], MS[r4], Z",     "M[r3], M[r3], M[r4], Z"};
    main_ += fmt::format("li r2, {}\nli r3, {}\nli r4, {}\nli r5, {}\nvf.{} {}\n", either(kZone) + kLanes * below(64),
                         either(kZone) + kLanes * below(64), either(kZone) + kLanes * below(64), kRest + below(40),
                         chance(70) ? "fma" : "max", forms[below(8)]);
  }
  /// psum takes the next entry of MP, completely or in part. `base`: kSums or kSlots.
  void take(int longest, int base) {
    const int length = base == kSlots ? longest : below(longest) + 1;
    psum_ += set("VL", length);
    psum_ += fmt::format("li r2, {}\nli r3, {}\nvs.mov own=Q[r2], dst=M[r3]\n",
                         base == kSlots ? base : (base + turn_ * (longest - length)) & 0xffff,
                         either(kY) + kLanes * (y_ % 450));
    y_ += length;
  }
  void dot() {
    const int length = below(kMost) + 1, full = below(16), most = full ? full : 16,
              before = static_cast<int>(stream_.size());
    const int buffers = upper_ + kBuffers + par_ * (kMost - length) * kLanes;
    psum_ += set("VL", length);
    psum_ += fmt::format("li r2, {}\nli r3, {}\nvb src=M[r2], dst=M[r3]\n", kDy + kLanes * below(32), buffers);
    main_ += set("VL", length) + set("STA", kMost * kLanes);
    main_ += fmt::format("li r2, {}\nli r3, {}\nli r4, {}\nli r5, {}\nvdot R[r2], M[r3], M[r4], r5\n", kSlots,
                         either(kX), buffers, full);
    stream(40);
    par_ ^= 1;
    const int indices = static_cast<int>(stream_.size()) - before - 1;
    for (int groups = std::max(1, (indices + most - 1) / most); groups > 0; --groups) {
      take(16, kSlots);
      put();
    }
  }
  void entry() {
    for (int n = below(4); n > 0; --n) {
      const int kind = below(10);
      kind < 3 ? axpy(false) : kind < 5 ? plain_axpy() : vector();
    }
    if (chance(20)) return dot();
    if (chance(60)) {
      axpy(true);
    } else {
      const int length = below(kMost) + 1;
      main_ += set("VL", length) + fmt::format("li r2, {}\nli r3, {}\nvcr R[r2], R[r3]\n", sums(length), kAcc);
    }
    take(kMost, kSums);
    put();
  }

  std::mt19937 rng_;
  std::string main_, psum_;
  std::vector<machine::Message> stream_;
  int turn_ = 0, par_ = 0, y_ = 0;
  const int upper_ = rng_() % 2 ? kUpper : 0;
};

machine::TileState state_of(std::unique_ptr<Wafer> wafer, const Mixed& program, unsigned seed) {
  model::Rig rig(std::move(wafer));
  rig.pending = compiler::route_messages(rig.wafer->shape());
  std::mt19937 rng(seed);
  for (const int at : {kX, kZone, kDy, kUpper + kX, kUpper + kZone, kUpper + kBuffers}) {
    std::vector<std::uint16_t> values(1024);
    for (auto& v : values) v = static_cast<std::uint16_t>(rng() % 8 ? 0x3f80 ^ (rng() & 0x81ff) : rng());
    rig.store(0, 0, at, values);
  }
  rig.load(program.source());
  rig.command(machine::Command::Call, 0, 0);
  program.send(rig);
  rig.go();
  EXPECT_EQ(rig.wafer->flags(), "");
  return rig.wafer->state(0, 0);
}

TEST(MixedModes, ModelAndRtlAgreeOnAnyOrderOfThem) {
  const machine::WaferShape shape{.rows = 1, .cols = 1, .sram_kib = 48};
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const Mixed program(seed);
    const machine::TileState model = state_of(make_model_wafer(shape), program, seed),
                             rtl = state_of(make_rtl_wafer(shape), program, seed);
    ASSERT_EQ(machine::difference(model, rtl), "") << "seed " << seed << "\n" << program.source();
  }
}

}  // namespace
}  // namespace weft::cosim
