#include "host/cli/modes/list_configs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>
#include <vector>

#include "host/cli/modes/step_time.hpp"
#include "host/config/file/load.hpp"
#include "host/config/file/shared_files.hpp"
#include "host/config/keys/key_names.hpp"
#include "host/config/plural.hpp"
#include "host/metrics/report.hpp"
#include "host/planning/choose_shape.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/planning/model_work.hpp"
#include "host/planning/phases.hpp"
#include "host/train/load_weights.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

struct Entry {
  std::string name;
  config::Config config;
  std::uint64_t parameters = 0;
};

/// Estimated requirements of a configuration.
struct Cost {
  std::uint64_t memoryx = 0;  ///< bytes
  std::uint64_t cycles = 0;   ///< cycles of a wafer per step
  double step = 0;            ///< seconds
  double share = 0;           ///< of the lanes' multiply-adds, those that the model itself needs
  std::string bound;
  std::vector<planning::Choice> choices;  ///< for settings that the file sets to auto
};

std::vector<fs::path> files_of(const config::Arguments& arguments) {
  const std::string all = arguments.params.empty() ? config::shared_folder("configs").string() : arguments.params;
  const std::string in = config::parameter_file(config::option(arguments.options, "in", all)).string();
  if (in.empty())
    throw Refusal("weft configs", "the program was installed without a folder configs", "name one: weft configs DIR");
  std::error_code error;
  if (!fs::is_directory(in, error)) return {in};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(in))
    if (entry.path().extension() == ".yaml" || entry.path().extension() == ".yml") files.push_back(entry.path());
  if (files.empty()) throw Refusal(in, "has no parameter file", "name a folder of *.yaml");
  std::ranges::sort(files);
  return files;
}

Cost cost_of(config::Config config, double mhz) {
  planning::check_fit(config);
  std::vector<planning::Choice> choices = planning::choose_shape(config, {.explain = true});
  std::erase_if(choices, [&](const planning::Choice& choice) {
    return std::ranges::none_of(choice.keys, [&](std::string_view key) { return config.places.contains(key); });
  });
  const compiler::Plan plan = planning::compile_plan(config, train::first_mask(config));
  planning::Phase total;
  for (const planning::Phase& phase : planning::estimate_phases(plan)) total.add(phase);
  const std::uint64_t cycles = total.cycles * static_cast<std::uint64_t>(passes_of(config));
  return {.memoryx = memoryx_bytes_each(config) * plan.parameters,
          .cycles = cycles,
          .step = static_cast<double>(cycles) / (mhz * 1e6),
          .share = planning::share_of_lanes(plan, static_cast<double>(total.cycles)),
          .bound = std::string(total.bound()),
          .choices = std::move(choices)};
}

/// "124.4 M"
std::string parameters_text(std::uint64_t parameters) {
  const auto count = static_cast<double>(parameters);
  return count < 1e6   ? fmt::format("{:.4g} k", count / 1e3)
         : count < 1e9 ? fmt::format("{:.4g} M", count / 1e6)
                       : fmt::format("{:.4g} G", count / 1e9);
}

/// "12.3 ms", "4.56 s", "2m05s", "3h10m", "41 days"
std::string time_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 60) return fmt::format("{:.3g} s", seconds);
  return seconds < 3 * 86400 ? metrics::duration(seconds) : fmt::format("{:.0f} days", seconds / 86400);
}

std::string wafers_text(const config::Config& c) {
  return fmt::format("{} of {} x {}, {} KiB", c.runconfig.num_csx, c.wafer.rows, c.wafer.cols, c.wafer.sram_kib);
}

void print_row(const Entry& entry, const Cost& cost, std::ostream& out) {
  out << fmt::format(" {:>10} {:>9} {:>26} {:>9} {:>10}  {}\n", parameters_text(entry.parameters),
                     config::format_bytes(static_cast<double>(cost.memoryx)), wafers_text(entry.config),
                     time_text(cost.step), time_text(cost.step * entry.config.runconfig.steps()), cost.bound);
  for (const planning::Choice& choice : cost.choices) {
    out << "    " << planning::text_of(choice) << '\n';
    if (!choice.note.empty()) out << "    " << choice.note << '\n';
  }
}

/// {"chosen": {key: value, ..}, "note", "cycles", "of", "next_best": {key: value, ..}, "ratio"}; without costs if there
/// was nothing to compare.
nlohmann::ordered_json choice_json(const planning::Choice& choice) {
  const auto values = [&](const planning::Alternative& one) {
    nlohmann::ordered_json object;
    for (std::size_t i = 0; i < choice.keys.size(); ++i) object[std::string(choice.keys[i])] = one.values[i];
    return object;
  };
  nlohmann::ordered_json object{{"chosen", values(choice.best)}};
  if (!choice.note.empty()) object["note"] = choice.note;
  if (choice.compared == 0) return object;
  object["cycles"] = choice.best.cycles;
  object["of"] = choice.measure;
  if (choice.next) {
    object["next_best"] = values(*choice.next);
    object["ratio"] = choice.ratio();
  }
  return object;
}

void print_object(const Entry& entry, const Cost& cost, std::ostream& out) {
  const machine::WaferShape& w = entry.config.wafer;
  nlohmann::ordered_json object{{"file", entry.config.file},
                                {"parameters", entry.parameters},
                                {"memoryx_bytes", cost.memoryx},
                                {"num_csx", entry.config.runconfig.num_csx},
                                {"rows", w.rows},
                                {"cols", w.cols},
                                {"sram_kib", w.sram_kib},
                                {"step_cycles", cost.cycles},
                                {"step_seconds", cost.step},
                                {"steps", entry.config.runconfig.steps()},
                                {"share_of_lanes", cost.share},
                                {"bound", cost.bound}};
  for (const planning::Choice& choice : cost.choices) object["auto"].push_back(choice_json(choice));
  out << dump_json(object) << '\n';
}

}  // namespace

int configs_command(const config::Arguments& arguments, std::ostream& out, std::ostream& errors) {
  const bool json = arguments.options.contains("json");
  const auto mhz = static_cast<double>(config::number(arguments.options, "clock", 50));
  if (mhz == 0) throw Refusal("--clock", "0 MHz is not a clock rate", "give the million cycles per second");
  const std::vector<fs::path> files = files_of(arguments);
  int code = 0;
  const auto tried = [&](const auto& what) {
    try {
      what();
    } catch (const Refusal& refusal) {
      if (files.size() == 1) throw;
      errors << refusal.what() << '\n';
      code = std::max(code, refusal.exit_code());
    }
  };
  std::vector<Entry> entries;
  for (const fs::path& file : files)
    tried([&] {
      config::Config config = config::load_config(file.string(), arguments.overrides);
      const std::uint64_t parameters = compiler::parameter_count(compiler::model_tensors(config.model));
      entries.push_back({printable(file.filename().string()), std::move(config), parameters});
    });
  std::ranges::stable_sort(entries, {}, &Entry::parameters);
  std::size_t width = files.front().parent_path().string().size();
  for (const Entry& entry : entries) width = std::max(width, entry.name.size());
  if (!json)
    out << fmt::format("{:<{}} {:>10} {:>9} {:>26} {:>9} {:>10}  {}\n", files.front().parent_path().string(), width,
                       "parameters", "MemoryX", "wafers", "a step", "all steps", "bound by");
  for (const Entry& entry : entries) {
    if (!json) out << fmt::format("{:<{}}", entry.name, width) << std::flush;  // a large one takes seconds
    const auto dots = [&] { out << (json ? "" : " rejected\n"); };
    tried([&] {
      try {
        const Cost cost = cost_of(entry.config, mhz);
        json ? print_object(entry, cost, out) : print_row(entry, cost, out);
      } catch (const Refusal& refusal) {
        dots();
        throw config::placed(entry.config, refusal);
      }
    });
    out << std::flush;
  }
  if (!json)
    out << fmt::format("\nexpected, at {:g} million cycles a second (--clock MHZ); tree and optimizer take none\n",
                       mhz);
  return code;
}

}  // namespace weft::cli
