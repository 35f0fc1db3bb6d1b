#include "verif/model/machine/accumulators.hpp"

namespace weft::model {

bool Accumulators::any_odd_nan(const float* words, int size) {
  I found{};
  for_vectors(size, [&](int i, int n) {
    const V x = load(words + i);
    I odd = is_nan(x) & (reinterpret_cast<I>(x) != 0x7fc00000);
    for (int k = n; k < kVector; ++k) odd[k] = 0;  // lanes past the end
    found |= odd;
  });
  for (int k = 0; k < kVector; ++k)
    if (found[k]) return true;
  return false;
}

void Accumulators::copy_column(const Accumulators& other, int col, int to, int lanes) {
  if (other.keeps_nans_ && !keeps_nans_) keep_nans();
  model::copy_column<float>({other.r_.data(), other.width_ / lanes, col}, {r_.data(), width_ / lanes, to}, lanes,
                            machine::WaferShape::kRDepth);
  if (keeps_nans_ && !other.keeps_nans_) make_canonical(0, machine::WaferShape::kRDepth);
}

void Accumulators::keep_nans() {
  make_canonical(0, machine::WaferShape::kRDepth);
  keeps_nans_ = true;
}

void Accumulators::make_canonical(int entry, int beats) {
  pieces(entry, beats, [&](int first, int some) {
    float* r = at(entry + first);
    for_vectors(some * width_, [&](int i, int n) { store(r + i, canonical_nan(load(r + i)), n); });
  });
}

}  // namespace weft::model
