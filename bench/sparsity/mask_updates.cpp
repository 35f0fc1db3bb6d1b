/// Training runs with dynamic and static sparsity, and the cost of a mask update: the numbers of
/// docs/explanation/dynamic_sparsity.md.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "bench/sparsity/mask_runs.hpp"
#include "sw/base/refusal.hpp"

namespace weft::bench {
namespace {

constexpr int kSeeds = 3;

/// Settings of the command line: one algorithm instead of all, and its steps between mask updates.
struct MaskSettings {
  std::optional<std::string> algorithm;
  int freq = kMaskFreq;
};

MaskSettings mask_settings() {
  MaskSettings result;
  for (const std::string& one : settings()) {
    const std::size_t equals = one.find('=');
    const std::string name = one.substr(0, equals), value = one.substr(equals + 1);
    if (name == "algorithm" && (value == "static" || value == "set" || value == "rigl" || value == "dense")) {
      result.algorithm = value;
    } else if (name == "update_freq" && value.size() < 9 && std::atoi(value.c_str()) > 0) {
      result.freq = std::atoi(value.c_str());
    } else {
      throw Refusal(one, "is not a setting of mask_updates", "algorithm=rigl update_freq=200");
    }
  }
  return result;
}

}  // namespace

void mask_updates() {
  const MaskSettings chosen = mask_settings();
  heading("mask_updates: eval loss of gpt_tiny with masks of 90 % that are updated or stay, and dense");
  for (const char* algorithm : {"static", "set", "rigl", "dense"}) {
    if (chosen.algorithm && *chosen.algorithm != algorithm) continue;
    for (const MaskCurve& curve : mask_curves(algorithm, kSeeds, chosen.freq))
      for (const auto& [step, loss] : curve.eval_loss)
        row("losses", {{"algorithm", algorithm},
                       {"seed", curve.run.seed},
                       {"step", step},
                       {"eval_loss", loss},
                       {"parameters", curve.kept}});
  }
}

void mask_update_costs() {
  heading("mask_update_costs: seconds of processor time that a mask update adds to its step");
  for (const char* config : {"gpt_tiny", "gpt_small"}) {
    const UpdateCost cost = update_cost(config);
    row("costs", {{"config", config},
                  {"step", cost.step},
                  {"compile", cost.compile},
                  {"mask", cost.mask},
                  {"choice", cost.choice},
                  {"set", cost.set},
                  {"rigl", cost.rigl}});
  }
}

}  // namespace weft::bench
