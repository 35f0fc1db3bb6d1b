#include <fmt/format.h>

#include <algorithm>

#include "host/config/check/sections.hpp"
#include "host/config/keys/params_filter.hpp"

namespace weft::config {
namespace {

/// Checks the settings of dynamic sparsity.
void check_mask_updates(const Config& c) {
  const SparsityConfig& s = c.sparsity;
  const auto only = [&](const char* key, bool used, const auto& value, const auto& unset, const char* of) {
    if (!used && value != unset)
      throw c.error(key, fmt::format("{}, but sparsity.algorithm is {}", of, s.algorithm),
                    "leave it out, or choose another sparsity.algorithm");
  };
  const SparsityConfig unset;
  const char* const updates = "applies to dynamic sparsity only";
  only("sparsity.update_freq", s.is_dynamic(), s.update_freq, unset.update_freq, updates);
  only("sparsity.update_start", s.is_dynamic(), s.update_start, unset.update_start, updates);
  only("sparsity.update_stop", s.is_dynamic(), s.update_stop, unset.update_stop, updates);
  only("sparsity.drop_fraction", s.algorithm == "set" || s.algorithm == "rigl", s.drop_fraction, unset.drop_fraction,
       "applies to set and rigl only");
  only("sparsity.initial_sparsity", s.algorithm == "gmp", s.initial_sparsity, unset.initial_sparsity,
       "applies to gmp only");
  if (!s.is_dynamic()) return;
  if (s.init_method == "checkpoint" ? s.algorithm == "gmp" : s.sparsity == 0)
    throw c.error("sparsity.sparsity", fmt::format("is required by sparsity.algorithm {}", s.algorithm),
                  s.init_method == "checkpoint" ? "choose another sparsity.init_method, or set or rigl"
                                                : "write a share above 0, e.g. 0.9");
  if (s.update_stop == 0)
    throw c.error(
        "sparsity.update_stop", "missing",
        fmt::format("add it, e.g. {}, three quarters of the steps", std::max(1, c.runconfig.steps() / 4 * 3)));
  if (s.update_stop <= s.update_start)
    throw c.error("sparsity.update_stop", fmt::format("{} is not after update_start {}", s.update_stop, s.update_start),
                  "let updates end after they begin");
  if (s.update_freq > s.update_stop - s.update_start)
    throw c.error("sparsity.update_freq",
                  fmt::format("{} steps are more than there are between update_start and update_stop", s.update_freq),
                  fmt::format("use at most {}", s.update_stop - s.update_start));
  if (s.algorithm == "gmp" && s.initial_sparsity >= s.sparsity)
    throw c.error("sparsity.initial_sparsity",
                  fmt::format("{} is not below sparsity {}", s.initial_sparsity, s.sparsity),
                  "begin with more weights than the run ends with");
}

}  // namespace

void check_sparsity(const Config& c) {
  const auto given = [](const auto& place) { return place.first.starts_with("sparsity."); };
  const auto first = std::ranges::find_if(c.places, given);
  const bool of_checkpoint = c.sparsity.init_method == "checkpoint";
  if (of_checkpoint && c.places.contains("sparsity.sparsity"))
    throw c.error("sparsity.sparsity", "the checkpoint's zeros determine the number of weights",
                  "leave it out, or choose another sparsity.init_method");
  if (first != c.places.end() && !c.places.contains("sparsity.sparsity") && !of_checkpoint)
    throw first->second.error("sparsity.sparsity", "missing",
                              "add it, e.g. 0.9; without the section nothing is sparse");
  check_mask_updates(c);
  (void)sparse_tensors(c);
}

}  // namespace weft::config
