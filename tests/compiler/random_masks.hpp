/// Random models, wafers and masks, including masks that no mask update would produce.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "sw/compiler/plan/plan.hpp"
#include "tests/random.hpp"

namespace weft::compiler {

/// A mask with unequal rows and columns: `percent` of each are full, of the rest a quarter empty and the others sparse.
inline std::vector<bool> uneven_bits(test::Rng& rng, const TensorInfo& t, std::uint32_t percent) {
  const auto width = static_cast<std::uint64_t>(t.dims.back());
  const auto heights = static_cast<std::size_t>(t.size / width);
  std::vector<std::uint32_t> of_row(heights), of_column(width);
  for (auto* list : {&of_row, &of_column})
    for (std::uint32_t& one : *list) one = rng.chance(percent) ? 100 : rng.below(4) == 0 ? 0 : 20;
  std::vector<bool> bits;
  for (std::uint64_t k = 0; k < t.size; ++k)
    bits.push_back(rng.chance(of_row[static_cast<std::size_t>(k / width)] * of_column[k % width] / 100));
  return bits;
}

/// Random masks, also of one-dimensional tensors: dense, empty, uneven, or of random density.
inline Mask random_mask_of(test::Rng& rng, const std::vector<TensorInfo>& tensors) {
  Mask mask;
  if (rng.chance(10)) return mask;
  const std::uint32_t masked = rng.chance(30) ? 100 : 60, density = 1 + rng.below(100);
  for (const TensorInfo& t : tensors) {
    if (!rng.chance(t.dims.size() == 2 ? masked : 15)) continue;
    std::vector<bool>& bits = mask[t.name];
    switch (rng.below(6)) {
      case 0:
        bits.assign(t.size, rng.chance(50));
        break;
      case 1:
      case 2:
        bits = uneven_bits(rng, t, 1 + rng.below(20));
        break;
      default:
        for (std::uint64_t k = 0; k < t.size; ++k) bits.push_back(rng.chance(density));
    }
  }
  return mask;
}

/// A random model of `network`, which is GPT-J or has no rotary features. It may be too large for the wafer.
inline ModelShape random_model(test::Rng& rng, const std::string& network) {
  const auto draw = [&](std::uint32_t least, std::uint32_t most) {
    return static_cast<int>(least + rng.below(most - least + 1));
  };
  ModelShape m;
  m.network = network;
  m.heads = draw(1, 5);
  m.hidden = m.heads * 2 * draw(1, 6);
  m.rotary_dim = network == "gptj" ? 2 * draw(1, static_cast<std::uint32_t>(m.hidden / m.heads / 2)) : 0;
  m.layers = draw(1, 3);
  m.filter = draw(1, 60);
  m.seq = draw(1, 20);
  m.vocab = draw(2, 90);
  m.tied = network == "gpt2" && rng.chance(50);
  m.micro_batch = draw(1, 4);
  if (rng.chance(30)) m.recompute = "block";
  if (rng.chance(25)) m.document_end = 0;
  if (rng.chance(20)) m.label_smoothing = 0.1F;
  return m;
}

inline machine::WaferShape random_wafer(test::Rng& rng) {
  machine::WaferShape w;
  w.rows = static_cast<int>(1 + rng.below(9));
  w.cols = static_cast<int>(1 + rng.below(4));
  w.valves = 1;
  w.lanes = rng.chance(70) ? 4 : 8;
  w.sram_kib = 128;
  w.psum_cycles = rng.chance(50) ? 2 : 4;
  w.sequence_columns = rng.chance(60) ? 0 : 1;
  return w;
}

}  // namespace weft::compiler
