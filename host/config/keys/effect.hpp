/// Effect of a key on the bits of a training run. The column of the table of keys that decides which settings identify
/// a run (docs/reference/identity.md).
#pragma once

#include <cstdint>

namespace weft::config {

struct Config;

struct Effect {
  enum class Kind : std::uint8_t {
    None,     ///< does not change the weights and moments after any step
    Bits,     ///< changes them
    Samples,  ///< changes them, since the steps take different samples
    Derived,  ///< changes them if what the program derives from the key differs (host/train/run_settings.hpp)
  };
  Kind kind;
  /// The key has its effect only in such configurations; null: in all.
  bool (*counts)(const Config& config) = nullptr;

  bool operator==(Kind other) const { return kind == other; }
  /// True if another value of the key makes this configuration a different run.
  bool changes_bits(const Config& config) const {
    return (kind == Kind::Bits || kind == Kind::Samples) && (counts == nullptr || counts(config));
  }
};

inline constexpr Effect kNone{Effect::Kind::None}, kBits{Effect::Kind::Bits}, kSamples{Effect::Kind::Samples},
    kDerived{Effect::Kind::Derived};
constexpr Effect bits_if(bool (*counts)(const Config&)) { return {Effect::Kind::Bits, counts}; }
constexpr Effect samples_if(bool (*counts)(const Config&)) { return {Effect::Kind::Samples, counts}; }

bool shuffles(const Config& config);
bool shares_kv(const Config& config);
bool rotates(const Config& config);
bool scales_rotation(const Config& config);
bool scales_low(const Config& config);
bool has_betas(const Config& config);
bool has_eps(const Config& config);
bool has_momentum(const Config& config);
bool uses_momentum(const Config& config);
bool decays(const Config& config);
bool is_sparse(const Config& config);
bool gives_sparsity(const Config& config);
bool draws_masks(const Config& config);
bool updates_masks(const Config& config);
bool exchanges_weights(const Config& config);
bool prunes_gradually(const Config& config);
bool rolls_back(const Config& config);

}  // namespace weft::config
