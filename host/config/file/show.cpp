#include "host/config/file/show.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <filesystem>
#include <ostream>

#include "host/checkpoint/creation_lock.hpp"
#include "host/checkpoint/file.hpp"
#include "host/checkpoint/provisional.hpp"
#include "host/checkpoint/seal.hpp"
#include "host/config/keys/keys.hpp"
#include "host/config/keys/path_keys.hpp"
#include "host/config/keys/phases.hpp"
#include "host/config/overloaded.hpp"
#include "sw/network/network.hpp"

namespace weft::config {
namespace {

constexpr std::array<std::string_view, 4> kOptional = {"eval_input", "sparsity", "fpga", "metrics"};

/// Keys whose values the header of a training run prints (host/metrics/report.hpp).
constexpr std::string_view kInHeader[] = {"train_input.data_dir",
                                          "train_input.more_data_dirs",
                                          "train_input.weights",
                                          "train_input.batch_size",
                                          "train_input.micro_batch_size",
                                          "train_input.shuffle",
                                          "train_input.seed",
                                          "model.network",
                                          "model.hidden_size",
                                          "model.num_hidden_layers",
                                          "model.num_heads",
                                          "model.filter_size",
                                          "model.max_sequence_length",
                                          "model.vocab_size",
                                          "model.share_embedding_weights",
                                          "sparsity.sparsity",
                                          "sparsity.init_method",
                                          "sparsity.params_filter",
                                          "sparsity.seed",
                                          "sparsity.algorithm",
                                          "sparsity.update_freq",
                                          "sparsity.update_start",
                                          "sparsity.update_stop",
                                          "runconfig.max_steps",
                                          "runconfig.num_steps",
                                          "runconfig.num_csx",
                                          "wafer.backend",
                                          "wafer.rows",
                                          "wafer.cols",
                                          "wafer.lanes",
                                          "wafer.sram_kib",
                                          "wafer.valves"};

/// Writes a decimal point before an exponent: YAML 1.1, which many programs read, takes 1e-08 for text.
std::string yaml_number(std::floating_point auto x) {
  std::string text = fmt::format("{}", x);
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

void emit(YAML::Emitter& out, const Slot& slot) {
  std::visit(Overloaded{[&](std::string* s) { out << YAML::DoubleQuoted << *s; },
                        [&](std::vector<double>* numbers) {
                          out << YAML::Flow << YAML::BeginSeq;
                          for (const double x : *numbers) out << yaml_number(x);
                          out << YAML::EndSeq;
                        },
                        [&](std::vector<std::string>* texts) {
                          out << YAML::Flow << YAML::BeginSeq;
                          for (const std::string& text : *texts) out << YAML::DoubleQuoted << text;
                          out << YAML::EndSeq;
                        },
                        [&](std::vector<LearningRatePhase>* phases) {
                          out << YAML::BeginSeq;
                          for (LearningRatePhase& phase : *phases) {
                            out << YAML::BeginMap;
                            for (const auto& key : phase_keys()) {
                              if (!has_part(phase, key.name)) continue;
                              out << YAML::Key << std::string(key.name) << YAML::Value;
                              emit(out, key.slot(phase));
                            }
                            out << YAML::EndMap;
                          }
                          out << YAML::EndSeq;
                        },
                        [&](std::floating_point auto* number) { out << yaml_number(*number); },
                        [&](auto* value) { out << fmt::format("{}", *value); }},
             slot);
}

void make_absolute(const Key<Config>& key, const Slot& slot) {
  if (key.name.ends_with("_dirs")) {
    for (std::string& path : *std::get<std::vector<std::string>*>(slot))
      path = std::filesystem::absolute(path).string();
    return;
  }
  constexpr std::string_view kEnds[] = {"_dir", "_path", "_file", "metrics.prometheus", "model.network"};
  if (std::ranges::none_of(kEnds, [&](std::string_view end) { return key.name.ends_with(end); })) return;
  std::string& value = *std::get<std::string*>(slot);
  std::vector<std::string> paths = listed_paths(value);
  for (std::string& path : paths)
    if (!path.empty() && !network::is_built_in(path)) path = std::filesystem::absolute(path).string();
  value = joined_paths(paths);
}

/// True for an empty list, which a file expresses by omitting the key.
bool is_nothing(const Slot& slot) {
  const auto* texts = std::get_if<std::vector<std::string>*>(&slot);
  const auto* numbers = std::get_if<std::vector<double>*>(&slot);
  return (texts != nullptr && (*texts)->empty()) || (numbers != nullptr && (*numbers)->empty());
}

/// True if the value has not been resolved yet.
bool says_auto(const Key<Config>& key, const Slot& slot) { return key.automatic && *std::get<int*>(slot) == 0; }

}  // namespace

bool in_use(const Config& config, std::string_view section) {
  return std::ranges::find(kOptional, section) == kOptional.end() ||
         std::ranges::any_of(config.places, [&](const auto& place) { return section_of(place.first) == section; });
}

void print_config(const Config& config, std::ostream& out) {
  Config copy = config;  // slots need a mutable object
  std::vector<std::array<std::string, 3>> rows = {{"key", "value", "from"}};
  for (const auto& key : config_keys()) {
    if (!in_use(config, section_of(key.name))) continue;
    const auto place = config.places.find(key.name);
    std::string value = says_auto(key, key.slot(copy)) ? "auto" : value_text(key.slot(copy));
    if (is_path_key(key.name)) value = paths_text(value);
    rows.push_back({std::string(key.name), one_line(value),
                    place == config.places.end() ? "default" : one_line(place->second.text())});
  }
  std::array<std::size_t, 2> width{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < width.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  for (const auto& row : rows) {
    out << fmt::format("{:<{}}  {:<{}}  {}\n", row[0], width[0], row[1], width[1], row[2]);
  }
  out << '\n';
}

void print_changes(const Config& config, std::ostream& out) {
  constexpr std::size_t kColumns = 120;
  constexpr std::string_view kLabel = "set     ", kIndent = "        ";
  const bool header = config.runconfig.mode.starts_with("train");
  Config copy = config, defaults;  // slots need mutable objects
  std::string line;
  for (const auto& key : config_keys()) {
    if (!config.places.contains(key.name) || (header && std::ranges::find(kInHeader, key.name) != std::end(kInHeader)))
      continue;
    std::string value = value_text(key.slot(copy));
    if (is_path_key(key.name)) value = paths_text(value);
    if (!key.required && value == value_text(key.slot(defaults))) continue;
    const std::string item = fmt::format("{} {}", key.name, one_line(value));
    if (line.empty()) {
      line = fmt::format("{}{}", kLabel, item);
    } else if (line.size() + item.size() + 3 <= kColumns) {
      line += ", " + item;
    } else {
      out << line << ",\n";
      line = fmt::format("{}{}", kIndent, item);
    }
  }
  if (!line.empty()) out << line << '\n';
}

std::string config_yaml(const Config& config, bool set_alone) {
  Config copy = config;
  YAML::Emitter out;
  out << YAML::BeginMap;
  std::string_view section;
  for (const auto& key : config_keys()) {
    if (!in_use(config, section_of(key.name))) continue;
    if (set_alone && !key.required && !config.places.contains(key.name)) continue;
    if (section_of(key.name) != section) {
      if (!section.empty()) out << YAML::EndMap;
      section = section_of(key.name);
      out << YAML::Key << std::string(section) << YAML::Value << YAML::BeginMap;
    }
    const Slot slot = key.slot(copy);
    make_absolute(key, slot);
    if (is_path_key(key.name)) for_each_path(copy, key.name, [](std::string& path) { path = written_path(path); });
    if (is_nothing(slot)) continue;
    out << YAML::Key << std::string(key.name.substr(section.size() + 1)) << YAML::Value;
    const auto* const text = std::get_if<std::string*>(&slot);
    std::vector<std::string> paths = text != nullptr ? listed_paths(**text) : std::vector<std::string>();
    if (says_auto(key, slot)) {
      out << "auto";
    } else if (is_path_key(key.name) && paths.size() > 1) {
      emit(out, &paths);
    } else {
      emit(out, slot);
    }
  }
  out << YAML::EndMap << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

namespace {

void write_whole(const std::filesystem::path& path, const std::string& text) {
  checkpoint::AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

void save_config(const Config& config, const std::string& model_dir, const std::string& mode, const std::string& run,
                 const std::string& before, std::uint64_t first) {
  const std::filesystem::path folder = std::filesystem::path(model_dir) / mode;
  std::error_code ignored;  // if the folder cannot be created, writing the file fails
  {
    const std::lock_guard lock(checkpoint::making());
    std::filesystem::create_directories(folder, ignored);
  }
  Config kept = config;
  if (!network::is_built_in(config.model.network)) {
    kept.model.network = folder / "network.yaml";
    write_whole(kept.model.network, network::network_text(config.model.network));
  }
  write_whole(folder / "params.yaml", checkpoint::sealed(fmt::format(
                                          "{}# run {}{} metrics {} crc32c {}\n", config_yaml(kept), run,
                                          before.empty() ? "" : " after " + before, first, checkpoint::kNoChecksum)));
}

}  // namespace weft::config
