/// Two Verilated lanes, and the expected result of each operation.
#pragma once

#include <gtest/gtest.h>
#include <verilated.h>

#include <array>
#include <memory>
#include <string>

#include "Vweft_fma_lanes.h"
#include "tests/pe/native.hpp"
#include "tests/pe/number_cases.hpp"
#include "verif/model/numbers/numbers.hpp"

namespace weft::test {

/// weft_num_pkg::lane_op_e
enum Op : std::uint8_t { kAdd, kMax, kGe, kSel, kMovX, kMovC };

struct Case {
  Op op;
  bool use_x;
  Operands in;
};

inline std::uint32_t reference(const Case& k) {
  const auto& [a, b, c, x] = k.in;
  switch (k.op) {
    case kAdd:
      return k.use_x ? model::add_bits(x, c) : model::fma_bits(a, b, c);
    case kMax:
      return model::max_bits(k.use_x ? x : model::mul_bits(a, b), c);
    case kGe:
      return model::ge_bits(k.use_x ? x : model::mul_bits(a, b), c);
    case kSel:
      return model::sel_bits(a, b, c);
    case kMovX:
      return x;
    case kMovC:
      return c;
  }
  return 0;
}

inline std::uint32_t native(const Case& k) {
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

/// Every operation a lane has for some operands; MovX and the adds of streams go with use_x.
inline constexpr std::array<std::pair<Op, bool>, 9> kOperations = {{{kAdd, false},
                                                                    {kAdd, true},
                                                                    {kMax, false},
                                                                    {kMax, true},
                                                                    {kGe, false},
                                                                    {kGe, true},
                                                                    {kSel, false},
                                                                    {kMovX, true},
                                                                    {kMovC, false}}};

/// Two lanes. The second lane works on the operands that the first one had before.
class Lanes {
 public:
  Lanes() {
    top_->rst_i = 1;
    tick();
    tick();
    top_->rst_i = 0;
  }
  ~Lanes() { top_->final(); }

  /// Offers an operation, or none, for a cycle.
  void step(const Case* k) {
    const Slot& op = slot(1);  // offered in the cycle before
    top_->valid_i = op.valid;
    top_->op_i = op.valid ? op.lane[0].op : kMovC;
    top_->use_x_i = op.valid && op.lane[0].use_x;
    for (int l = 0; l < 2; ++l) {
      // Inputs that must be ignored change all the time.
      top_->c_i[l] = op.valid ? op.lane[l].in.c : ~top_->c_i[l];
      top_->x_i[l] = op.valid ? op.lane[l].in.x : ~top_->x_i[l];
    }
    Slot& now = flight_[now_ % kFlight];
    now.valid = k != nullptr;
    top_->take_i = now.valid;
    if (k) {
      now.lane = {*k, {k->op, k->use_x, before_}};
      before_ = k->in;
    }
    for (int l = 0; l < 2; ++l) {
      top_->a_i[l] = k ? now.lane[l].in.a : ~top_->a_i[l] & 0xffff;
      top_->b_i[l] = k ? now.lane[l].in.b : ~top_->b_i[l] & 0xffff;
    }
    tick();
    ++now_;
    const Slot& done = slot(6);
    ASSERT_EQ(top_->valid_o, done.valid);
    for (int l = 0; l < 2; ++l) check(done, l);
    checked_ = checked_ || done.valid;
  }
  void drain() {
    for (int i = 0; i < 10; ++i) step(nullptr);
  }

  /// A cycle of reset: operations in flight are dropped, previous results stay.
  void reset() {
    top_->rst_i = 1;
    top_->valid_i = top_->take_i = 0;
    tick();
    top_->rst_i = 0;
    ++now_;
    for (Slot& slot : flight_) slot.valid = false;
    checked_ = false;  // a stage may have advanced once more
  }

 private:
  static constexpr std::size_t kFlight = 8;
  struct Slot {
    bool valid = false;
    std::array<Case, 2> lane{};
  };

  /// The operation offered `ago` cycles ago.
  const Slot& slot(std::size_t ago) const { return flight_[(now_ + kFlight - ago) % kFlight]; }

  void check(const Slot& done, int l) {
    const Case& k = done.lane[l];
    if (done.valid) {
      last_[l] = reference(k);
      ASSERT_EQ(last_[l], native(k)) << describe(k) << " (numbers.hpp against native)";
    }
    if (done.valid || checked_) {
      ASSERT_EQ(top_->result_o[l], last_[l]) << (done.valid ? describe(k) : "a gap must not change it");
    }
  }
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
  std::unique_ptr<Vweft_fma_lanes> top_ = std::make_unique<Vweft_fma_lanes>(context_.get());
  const model::FlushDenormals flush_denormals_;
  Operands before_{};
  std::array<Slot, kFlight> flight_{};
  std::size_t now_ = kFlight;
  std::array<std::uint32_t, 2> last_{};
  bool checked_ = false;
};

}  // namespace weft::test
