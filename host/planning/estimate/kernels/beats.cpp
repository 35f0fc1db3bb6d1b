#include "host/planning/estimate/kernels/beats.hpp"

#include <algorithm>

namespace weft::planning {
namespace {

constexpr double kLate = 7;         // from the issue of a beat to the issue of one that reads its result as c
constexpr double kOther = 1;        // additional, for any other operand
constexpr double kTable = 4;        // additional, for results of a table function
constexpr double kBehindTable = 5;  // from a beat with a table function to one with another function

/// Interval between beats with a table function, in cycles: each of at most four units looks up two lanes per cycle
/// (docs/reference/pe.md, Pipeline).
double table_cycles(const machine::WaferShape& wafer) { return std::clamp(wafer.lanes / 2, 1, 4); }

bool of_table(isa::Fn fn) { return fn >= isa::Fn::Exp; }

}  // namespace

/// Operands of a beat; -1 if unused.
struct Beats::Operands {
  int c = -1, b = -1, to_r = -1;            // entries
  int a_word = -1, b_word = -1, to_m = -1;  // words
  bool fetch = false;                       // b_word is read in an extra cycle
  bool table = false;
};

Beats::Beats(const machine::WaferShape& wafer)
    : lanes_(wafer.lanes), upper_half_(upper_half(wafer)), table_cycles_(table_cycles(wafer)) {}

void Beats::beat(const Operands& beat) {
  double at = issued_ + 1;
  if (beat.fetch) at = std::max(at, m_[static_cast<std::size_t>(beat.b_word)]) + 1, ++fetches_;
  if (beat.c >= 0) at = std::max(at, r_[static_cast<std::size_t>(beat.c)]);
  if (beat.b >= 0) at = std::max({at, r_[static_cast<std::size_t>(beat.b)] + kOther, read_c_ + 2});
  if (beat.a_word >= 0) at = std::max(at, m_[static_cast<std::size_t>(beat.a_word)]);
  if (beat.b_word >= 0) at = std::max(at, m_[static_cast<std::size_t>(beat.b_word)]);
  at = std::max(at, table_ + (beat.table ? table_cycles_ : kBehindTable));
  const double late = kLate + (beat.table ? kTable : 0);
  if (beat.to_r >= 0) r_[static_cast<std::size_t>(beat.to_r)] = at + late;
  if (beat.to_m >= 0) m_[static_cast<std::size_t>(beat.to_m)] = at + late + kOther;
  if (beat.table) table_ = at;
  if (beat.c >= 0) read_c_ = at;
  issued_ = at;
  written_ = std::max(written_, at + late);
  ++count_;
}

void Beats::vf(const VectorCall& v, double from) {
  issued_ = std::max(issued_, from);
  const isa::Instr& in = v.in;
  const bool two = in.asel == isa::ASel::MM, b_is_vector = two && in.bsel == isa::BSel::MS,
             c_is_vector = two && !b_is_vector;
  for (int k = 0; k < v.rep; ++k) {
    const auto a = static_cast<std::uint16_t>(v.ra + k * v.sta), d = static_cast<std::uint16_t>(v.rd + k * v.std);
    const auto second = static_cast<std::uint16_t>((c_is_vector ? v.rc : v.rb) + k * v.stb);
    for (int i = 0; i < v.vl; ++i) {
      Operands beat{.table = of_table(in.fn)};
      const auto step = static_cast<std::uint16_t>(i * lanes_);
      if (in.asel != isa::ASel::S) beat.a_word = word(static_cast<std::uint16_t>(a + step));
      if (in.asel != isa::ASel::S) read(static_cast<std::uint16_t>(a + step));
      if (two || (in.bsel == isa::BSel::MS && i == 0)) read(static_cast<std::uint16_t>(second + (two ? step : 0)));
      if (two) {
        beat.b_word = word(static_cast<std::uint16_t>(second + step));
        beat.fetch = same_half(static_cast<std::uint16_t>(a + step), static_cast<std::uint16_t>(second + step));
      } else if (in.bsel == isa::BSel::MS && i == 0) {
        beat.b_word = word(second);
        beat.fetch = in.asel != isa::ASel::S && same_half(a, second);
      }
      if (in.bsel == isa::BSel::R) beat.b = (v.rb + i) % machine::WaferShape::kRDepth;
      if (in.csel == isa::CSel::R && !c_is_vector) beat.c = (v.rc + k * v.str + i) % machine::WaferShape::kRDepth;
      if (in.dsel == isa::DSel::R) beat.to_r = (v.rd + k * v.str + i) % machine::WaferShape::kRDepth;
      if (in.dsel == isa::DSel::M) beat.to_m = word(static_cast<std::uint16_t>(d + step));
      this->beat(beat);
    }
  }
}

void Beats::vaxs(const VectorCall& v, int weights, double from) {
  issued_ = std::max(issued_, from);
  const int each = v.in.interleave ? (v.str & 7) + 1 : v.vl;
  for (int n = 0; n < weights; ++n)
    for (int i = 0; i < each; ++i) {
      const int entry = (v.rd + (n * each + i) % v.vl) % machine::WaferShape::kRDepth;
      read(v.ra);
      beat({.c = entry, .to_r = entry});
    }
}

}  // namespace weft::planning
