/// The multiply-add lane against numbers.hpp and the host's own arithmetic, one operation a cycle and with gaps.
#include <gtest/gtest.h>
#include <verilated.h>

#include <array>
#include <memory>
#include <string>

#include "Vfma_lane.h"
#include "tests/pe/number_cases.hpp"
#include "verif/model/numbers.hpp"

namespace weft::test {
namespace {

/// num_pkg::lane_op_e
enum Op : std::uint8_t { kAdd, kMax, kGe, kSel, kMovX, kMovC };

struct Case {
  Op op;
  bool use_x;
  Operands in;
};

std::uint32_t reference(const Case& k) {
  const auto& [a, b, c, x] = k.in;
  switch (k.op) {
    case kAdd:
      return k.use_x ? add_bits(x, c) : fma_bits(a, b, c);
    case kMax:
      return max_bits(k.use_x ? x : mul_bits(a, b), c);
    case kGe:
      return ge_bits(k.use_x ? x : mul_bits(a, b), c);
    case kSel:
      return sel_bits(a, b, c);
    case kMovX:
      return x;
    case kMovC:
      return c;
  }
  return 0;
}

std::uint32_t native(const Case& k) {
  const auto& [a, b, c, x] = k.in;
  switch (k.op) {
    case kAdd:
      return k.use_x ? native_add(x, c) : native_fma(a, b, c);
    case kMax:
      return native_max(k.use_x ? x : native_mul(a, b), c);
    case kGe:
      return native_ge(k.use_x ? x : native_mul(a, b), c);
    default:
      return reference(k);
  }
}

/// Every operation the lane has for some operands; MovX and the adds of streams go with use_x.
constexpr std::array<std::pair<Op, bool>, 9> kOperations = {{{kAdd, false},
                                                             {kAdd, true},
                                                             {kMax, false},
                                                             {kMax, true},
                                                             {kGe, false},
                                                             {kGe, true},
                                                             {kSel, false},
                                                             {kMovX, true},
                                                             {kMovC, false}}};

class Lane {
 public:
  Lane() {
    top_->rst_i = 1;
    tick();
    tick();
    top_->rst_i = 0;
  }
  ~Lane() { top_->final(); }

  /// Offers an operation, or nothing, for a cycle.
  void step(const Case* k) {
    top_->valid_i = k != nullptr;
    if (k) {
      top_->op_i = k->op, top_->use_x_i = k->use_x, top_->a_i = k->in.a, top_->b_i = k->in.b;
    } else {
      top_->a_i = ~top_->a_i, top_->op_i = kMovC;  // what it must not look at
    }
    top_->c_i = late_.in.c, top_->x_i = late_.in.x;
    late_ = k ? *k : Case{kAdd, false, {0, 0, ~late_.in.c, ~late_.in.x}};
    tick();
    flight_[now_ % 4] = {k != nullptr, k ? *k : Case{}};
    ++now_;
    const auto& [valid, done] = flight_[now_ % 4];  // offered 4 edges ago
    if (now_ < 4) return;
    ASSERT_EQ(top_->valid_o, valid);
    if (valid) {
      last_ = reference(done);
      ASSERT_EQ(last_, native(done)) << describe(done) << " (numbers.hpp against native)";
    }
    if (valid || checked_) {
      ASSERT_EQ(top_->result_o, last_) << (valid ? describe(done) : "a gap must not change it");
    }
    checked_ = checked_ || valid;
  }
  void drain() {
    for (int i = 0; i < 8; ++i) step(nullptr);
  }

 private:
  static std::string describe(const Case& k) {
    char text[100];
    std::snprintf(text, sizeof text, "op=%d use_x=%d a=%04x b=%04x c=%08x x=%08x", k.op, k.use_x, k.in.a, k.in.b,
                  k.in.c, k.in.x);
    return text;
  }
  void tick() {
    top_->clk_i = 0;
    top_->eval();
    top_->clk_i = 1;
    top_->eval();
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Vfma_lane> top_ = std::make_unique<Vfma_lane>(context_.get());
  const FlushDenormals flush_denormals_;
  Case late_{};
  std::array<std::pair<bool, Case>, 4> flight_{};
  std::uint64_t now_ = 0;
  std::uint32_t last_ = 0;
  bool checked_ = false;
};

TEST(FmaLane, CornersOfProductsAreExact) {
  Lane lane;
  for (auto [op, use_x] : kOperations)
    for (bf16 a : corner_bf16())
      for (bf16 b : corner_bf16())
        for (std::uint32_t c : corner_fp32()) {
          if (use_x) continue;
          const Case k{op, use_x, {a, b, c, ~c}};
          lane.step(&k);
          if (HasFatalFailure()) return;
        }
  lane.drain();
}

TEST(FmaLane, CornersOfStreamsAreExact) {
  Lane lane;
  for (auto [op, use_x] : kOperations)
    for (std::uint32_t x : corner_fp32())
      for (std::uint32_t c : corner_fp32()) {
        const Case k{op, use_x, {0x7fc0, 0x0000, c, x}};
        lane.step(&k);
        if (HasFatalFailure()) return;
      }
  lane.drain();
}

TEST(FmaLane, RandomOperationsAreExactWithAndWithoutGaps) {
  Random random(seed());
  Lane lane;
  for (int i = 0; i < 10'000'000; ++i) {
    const auto [op, use_x] = kOperations[random.below(8) < 4 ? random.below(2) : random.below(kOperations.size())];
    const Case k{op, use_x, random_operands(random)};
    lane.step(&k);
    if (i >> 16 & 1)
      while (random.below(4) == 0) lane.step(nullptr);
    if (HasFatalFailure()) return;
  }
  lane.drain();
}

}  // namespace
}  // namespace weft::test
