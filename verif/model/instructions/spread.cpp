/// A vf that adds one vector, with a different weight each time, to successive sets of accumulators: R[d + k*STR] =
/// fma(M[a], M[b + k*STB], R[d + k*STR]), or from +0. Attention scores and attention's weighted sums have this form,
/// with many instructions in a row for the same accumulators.
#include <utility>

#include "verif/model/instructions/vf.hpp"
#include "verif/model/numbers/terms.hpp"

namespace weft::model {

namespace {

constexpr int kMask = machine::WaferShape::kRDepth - 1;
#if defined(__AVX512F__)
constexpr int kSetsTogether = 4, kBeatsTogether = 4;  // accumulators in registers
#else
constexpr int kSetsTogether = 2, kBeatsTogether = 4;
#endif

/// Updates the accumulators of Beats beats for the sets from k on, for the vector of lanes that begins at element `at`
/// of each beat.
template <int Sets, int Beats, int... Is, int... Ks, int... Bs>
inline void block(Machine& m, int k, int beat, int at, int lanes, std::integer_sequence<int, Is...>,
                  std::integer_sequence<int, Ks...>, std::integer_sequence<int, Bs...>) {
  const Products& p = m.products;
  const int width = m.place.width(), skip = beat * width + at, n = p.n;
  float* const acc[] = {m.accumulators.at(p.first + (k + Ks) * p.stride) + skip...};
  V sum[] = {(p.from_zero ? V{} : load(acc[Is / Beats] + Is % Beats * width))...};
  I own;  // for each lane, the first lane of its column
  for (int i = 0; i < kVector; ++i) own[i] = i & -m.place.shape.lanes;
  const auto weight = [&](const Products::Instruction& in, int set) {
    const Products::Weight& w = in.weights[static_cast<std::size_t>(k + set)];
    return permute(zero_extend(load_as<H>(w.word + at)), own + w.lane);
  };
  const auto add = [&](int i, int last, auto alone) __attribute__((always_inline)) {
    const Products::Instruction& one = p.instructions[static_cast<std::size_t>(i)];
    const Products::Instruction& other = p.instructions[static_cast<std::size_t>(last)];
    const U w[] = {weights(alone, weight(one, Ks), weight(other, Ks))...};
    const U x[] = {terms(alone, one.x + skip + Bs * width, other.x + skip + Bs * width)...};
    ((sum[Is] = fma_terms(x[Is % Beats], w[Is / Beats], sum[Is])), ...);
  };
  for_terms(n, add);
  (store(acc[Is / Beats] + Is % Beats * width, sum[Is], lanes), ...);
}

/// Processes all beats of `Sets` sets.
template <int Sets, int Beats = kBeatsTogether>
void all_beats(Machine& m, int k, int beat, int at, int lanes) {
  for (; beat + Beats <= m.products.beats; beat += Beats)
    block<Sets, Beats>(m, k, beat, at, lanes, std::make_integer_sequence<int, Sets * Beats>(),
                       std::make_integer_sequence<int, Sets>(), std::make_integer_sequence<int, Beats>());
  if constexpr (Beats > 1) all_beats<Sets, Beats / 2>(m, k, beat, at, lanes);
}

}  // namespace

bool spreads(const Machine& m, const VectorOp& op) {
  const isa::Instr& in = op.in;
  const bool in_place = in.csel == isa::CSel::R && (op.rd & kMask) == (op.rc & kMask);
  if (in.fn != isa::Fn::Fma || in.asel != isa::ASel::M || in.bsel != isa::BSel::MS || in.dsel != isa::DSel::R ||
      !(in_place || in.csel == isa::CSel::Z) || m.place.shape.lanes > kVector)
    return false;
  if (op.sta || !op.rep || op.rep > Products::kSets || !m.sram.inside(op.ra, op.vl)) return false;
  // No accumulator belongs to two repetitions, because they are executed in another order.
  return (op.rep == 1 || op.str >= op.vl) &&
         (op.rd & kMask) + (op.rep - 1) * op.str + op.vl <= machine::WaferShape::kRDepth;
}

void spread_later(Machine& m, const VectorOp& op) {
  if (m.products.any() && !m.products.takes(op)) add_products(m);
  Products::Instruction& next = m.products.add(op);
  next.x = m.sram.at(op.ra);
  const unsigned lanes = static_cast<unsigned>(m.place.shape.lanes);
  for (unsigned k = 0; k < op.rep; ++k) {
    const auto address = static_cast<std::uint16_t>(op.rb + k * op.stb);
    const unsigned lane = address & (lanes - 1);
    next.weights[k] = {m.sram.read_word(static_cast<std::uint16_t>(address - lane)), static_cast<int>(lane)};
  }
  if (!m.parts) add_products(m);  // an independent tile may be read at any time
}

void add_products(Machine& m) {
  Products& p = m.products;
  for_vectors(m.place.width(), [&](int at, int lanes) {
    int k = 0;
    for (; k + kSetsTogether <= p.sets; k += kSetsTogether) all_beats<kSetsTogether>(m, k, 0, at, lanes);
    for (; k < p.sets; ++k) all_beats<1>(m, k, 0, at, lanes);
  });
  for (int k = 0; k < p.sets; ++k) m.accumulators.computed(p.first + k * p.stride, p.beats);
  p.n = 0;
}

}  // namespace weft::model
