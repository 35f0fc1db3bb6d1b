/// The program `weft`. Exit codes: 0 done, 1 the run failed, 2 the user's mistake.
#include <fmt/format.h>

#include <iostream>

#include "host/appliance/arguments.hpp"
#include "host/appliance/load_data.hpp"
#include "host/appliance/masks.hpp"
#include "host/appliance/report.hpp"
#include "host/appliance/trainer.hpp"
#include "host/appliance/vocabulary.hpp"

namespace {

weft::Plan compile_for(const weft::Config& config) {
  try {
    return weft::compile(config.model, config.wafer, weft::make_mask(config));
  } catch (const weft::CompileError& e) {
    throw weft::ConfigError(fmt::format("{}: {}", config.file, e.what()));
  }
}

weft::MetricsFile open_metrics(const weft::Config& config) {
  try {
    return weft::MetricsFile(config.runconfig.model_dir);
  } catch (const std::runtime_error& e) {
    throw config.error("runconfig.model_dir", e.what(), "name a folder you may write to");
  }
}

void run(const weft::Config& config) {
  const weft::Plan plan = compile_for(config);
  const auto tokenizer = weft::load_tokenizer(config);
  weft::MetricsFile file = open_metrics(config);
  if (tokenizer) weft::save_vocabulary(config.runconfig.model_dir, *tokenizer);
  weft::Trainer trainer(config, plan, [&config](int) {
    return config.backend == "rtl" ? weft::make_rtl_wafer(config.wafer) : weft::make_model_wafer(config.wafer);
  });
  weft::Report report(config, std::cout);
  report.header(plan.parameters, weft::count_kept(plan.tensors, plan.mask), trainer.data().samples());
  trainer.run([&](const weft::StepMetrics& metrics) {
    file.add(metrics);
    report.step(metrics);
  });
  report.summary();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const weft::Arguments arguments = weft::parse_arguments({argv + 1, argv + argc});
    if (arguments.help) {
      (arguments.command.empty() ? weft::print_help : weft::print_run_help)(std::cout);
      return 0;
    }
    run(weft::load_config(arguments.params, arguments.overrides));
    return 0;
  } catch (const weft::ConfigError& e) {
    std::cerr << e.what() << '\n';
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "weft: " << e.what() << '\n';
    return 1;
  }
}
