#include "sw/compiler/program.hpp"

#include <bit>
#include <cmath>

#include "kernel_sources.hpp"

namespace weft {
namespace {

float from_bits(std::uint16_t b) { return std::bit_cast<float>(static_cast<std::uint32_t>(b) << 16); }

/// Defines NAME_HI and NAME_LO, two bf16 whose sum is x to about 16 bits, and the same negated with MINUS_ in front.
void split(Constants& constants, const std::string& name, double x) {
  const std::uint16_t hi = bf16_bits(x), lo = bf16_bits(x - from_bits(hi));
  constants[name + "_HI"] = hi;
  constants[name + "_LO"] = lo;
  constants["MINUS_" + name + "_HI"] = hi ^ 0x8000;
  constants["MINUS_" + name + "_LO"] = lo ^ 0x8000;
}

}  // namespace

std::uint16_t bf16_bits(double x) {
  const std::uint32_t u = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  return static_cast<std::uint16_t>((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

Program assemble_kernels(const ModelShape& m, const WaferShape& w, const MemoryPlan& p) {
  const std::uint16_t scale = bf16_bits(1 / std::sqrt(static_cast<double>(m.hidden) / m.heads));
  Constants c{
      {"LANES", w.lanes},
      {"T", p.tokens_per_column},
      {"VLT", p.tokens_per_column / w.lanes},
      {"SP", p.padded_seq},
      {"SPW", p.padded_seq / w.lanes},
      {"CNT_HIDDEN", p.kCntHidden},
      {"CNT_FILTER", p.kCntFilter},
      {"CNT_VOCAB", p.kCntVocab},
      {"HEAD_COUNT", p.kHeadCount},
      {"HEAD_DIM", p.kHeadDim},
      {"GROUP_FIRST", p.kGroupFirst},
      {"GROUP_LAST", p.kGroupLast},
      {"ROW_INDEX", p.kRowIndex},
      {"TRIANGLE", p.triangle},
      {"TRIANGLE_LOWER", p.triangle_lower},
      {"LABELS", p.label},
      {"VALID", p.valid},
      {"LOSS_SCALE", p.loss_scale},
      {"STATS", p.stats},
      {"PROBS", p.probs},
      {"DPROBS", p.dprobs},
      {"SCALE", scale},
      {"MINUS_SCALE", scale ^ 0x8000},
      {"LN_EPS", bf16_bits(m.ln_eps)},
  };
  split(c, "INV_HIDDEN", 1.0 / m.hidden);

  // One program of many files: labels are shared, errors keep their file.
  std::string text;
  for (const KernelSource& source : kKernelSources) text += source.text;
  return assemble(text, "sw/kernels", c);
}

}  // namespace weft
