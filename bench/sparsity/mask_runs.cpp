#include "bench/sparsity/mask_runs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <stdexcept>

#include "bench/common/work.hpp"
#include "host/config/file/load.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/train/mask_schedule.hpp"
#include "host/train/masks.hpp"
#include "host/train/trainer.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::bench {
namespace {

namespace fs = std::filesystem;

/// Splits the corpus into two temporary files, for training and for evaluation.
class Halves {
 public:
  Halves() : folder_(fs::temp_directory_path() / fmt::format("weft-masks-{}", ::getpid())) {
    std::ifstream in(WEFT_CONFIGS "/corpus.txt");
    const std::string all((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const std::size_t cut = all.rfind('\n', all.size() / 10 * 9) + 1;
    fs::create_directories(folder_);
    std::ofstream(train()) << all.substr(0, cut);
    std::ofstream(rest()) << all.substr(cut);
    if (all.empty() || !fs::exists(rest())) throw std::runtime_error("no training text in " + folder_.string());
  }
  ~Halves() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Halves(const Halves&) = delete;
  Halves& operator=(const Halves&) = delete;

  std::string train() const { return folder_ / "train.txt"; }
  std::string rest() const { return folder_ / "rest.txt"; }

 private:
  const fs::path folder_;
};

std::vector<config::Override> mask_keys(const std::string& algorithm, int seed, int freq, int stop) {
  if (algorithm == "dense") return {};
  std::vector<config::Override> all = {{"sparsity.sparsity", fmt::format("{}", kMaskSparsity)},
                                       {"sparsity.seed", std::to_string(seed)},
                                       {"sparsity.algorithm", algorithm}};
  if (algorithm == "static") return all;
  all.push_back({"sparsity.update_freq", std::to_string(freq)});
  all.push_back({"sparsity.update_stop", std::to_string(stop)});
  return all;
}

MaskCurve curve_of(const MaskRun& run, const Halves& texts) {
  std::vector<config::Override> overrides = mask_keys(run.algorithm, run.seed, run.freq, kMaskStop);
  const std::vector<config::Override> more = {{"train_input.data_dir", texts.train()},
                                              {"train_input.seed", std::to_string(run.seed)},
                                              {"eval_input.data_dir", texts.rest()},
                                              {"runconfig.seed", std::to_string(run.seed)},
                                              {"runconfig.eval_frequency", std::to_string(kMaskEval)},
                                              {"runconfig.max_steps", std::to_string(kMaskSteps)},
                                              {"wafer.backend", "model"}};
  overrides.insert(overrides.end(), more.begin(), more.end());
  const config::Config config = config::load_config(WEFT_CONFIGS "/gpt_tiny.yaml", overrides);
  const compiler::Plan plan = planning::compile_plan(config, train::make_mask(config));
  train::Trainer trainer(config, plan, [&](int) { return make_model_wafer(config.wafer); });
  MaskCurve curve{.run = run, .kept = 0, .eval_loss = {}};
  trainer.run([&](const metrics::StepMetrics& m) {
    if (m.eval_loss) curve.eval_loss.emplace_back(static_cast<int>(m.step), *m.eval_loss);
  });
  curve.kept = compiler::count_kept(trainer.plan().tensors, trainer.plan().mask);
  return curve;
}

}  // namespace

std::vector<MaskCurve> mask_curves(const std::string& algorithm, int seeds, int freq) {
  const Halves texts;
  std::vector<std::future<MaskCurve>> under_way;
  for (int seed = 1; seed <= seeds; ++seed)
    under_way.push_back(std::async(std::launch::async,
                                   [&texts, run = MaskRun{algorithm, freq, seed}] { return curve_of(run, texts); }));
  std::vector<MaskCurve> curves;
  for (auto& one : under_way) curves.push_back(one.get());
  return curves;
}

UpdateCost update_cost(const std::string& name) {
  constexpr int kTimes = 5;
  UpdateCost cost;
  for (double UpdateCost::*of : {&UpdateCost::set, &UpdateCost::rigl}) {
    std::vector<config::Override> overrides = mask_keys(of == &UpdateCost::set ? "set" : "rigl", 1, 2, 2 * kTimes + 2);
    overrides.push_back({"wafer.backend", "model"});
    const config::Config config = config::load_config(WEFT_CONFIGS "/" + name + ".yaml", overrides);
    std::vector<double> compiles, masks, choices, steps, updates;
    const compiler::Mask mask = train::make_mask(config);
    const compiler::Plan plan = planning::compile_plan(config, mask);
    for (int time = 0; time < kTimes; ++time) {
      compiles.push_back(processor_seconds([&] { (void)planning::compile_plan(config, mask); }));
      masks.push_back(processor_seconds([&] { (void)compiler::with_mask(plan, mask); }));
    }
    train::Trainer trainer(config, plan, [&](int) { return make_model_wafer(config.wafer); });
    trainer.step();  // warm-up, which also loads the wafer
    for (int time = 0; time < kTimes; ++time) {
      steps.push_back(processor_seconds([&] { trainer.step(); }));
      updates.push_back(processor_seconds([&] { trainer.step(); }));
      if (trainer.history().last_mask_update() != trainer.history().done() - 1)
        throw std::runtime_error("no mask update was due");
    }
    if (of == &UpdateCost::set) {
      const train::MaskSchedule schedule(config);
      for (int time = 0; time < kTimes; ++time)
        choices.push_back(processor_seconds([&] { (void)schedule.next_masks(trainer.plan(), 2, trainer.memoryx()); }));
      cost.choice = median(choices);
    }
    cost.compile = median(compiles);
    cost.mask = median(masks);
    cost.step = median(steps);
    cost.*of = median(updates) - cost.step;
  }
  return cost;
}

}  // namespace weft::bench
