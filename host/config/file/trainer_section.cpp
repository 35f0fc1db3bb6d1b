#include "host/config/file/trainer_section.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

namespace weft::config {
namespace {

constexpr std::string_view kLeaveOutPart = "leave it out";

/// A part of `trainer`, and the key or section that it is.
struct Part {
  std::string_view path, name;
};

constexpr Part kTrainerSections[] = {
    {"init.backend.cluster_config", "runconfig"},
    {"init.model", "model"},
    {"init.sparsity", "sparsity"},
    {"init.precision", "optimizer"},
    {"init.loop", "runconfig"},
    {"init.checkpoint", "runconfig"},
    {"init.logging", "runconfig"},
    {"fit.train_dataloader", "train_input"},
    {"fit.val_dataloader", "eval_input"},
};

constexpr Part kTrainerKeys[] = {
    {"init.device", "runconfig.target_device"},
    {"init.backend.backend_type", "runconfig.target_device"},
    {"init.model_dir", "runconfig.model_dir"},
    {"init.seed", "runconfig.seed"},
    {"init.precision.enabled", "model.mixed_precision"},
    {"init.precision.fp16_type", "model.fp16_type"},
    {"init.precision.precision_opt_level", "runconfig.precision_opt_level"},
    {"init.precision.log_loss_scale", "optimizer.log_summaries"},
    {"init.checkpoint.steps", "runconfig.checkpoint_steps"},
    {"init.logging.log_level", "runconfig.log_level"},
    {"init.loggers", "trainer.init.loggers"},
    {"fit.ckpt_path", "runconfig.checkpoint_path"},
};

/// Sections whose parts are looked up one by one.
constexpr std::string_view kTrainerHolders[] = {"", "init", "init.backend", "fit", "validate", "validate_all"};

/// Callbacks that print, and change no result.
constexpr std::string_view kPrinting[] = {
    "ComputeNorm",       "RateProfiler", "SavePerformanceData", "LogOptimizerParamGroup",
    "LogInputSummaries", "LogSparsity",  "FlopUtilization",     "DumpActivations"};

const Part* find_part(std::span<const Part> table, std::string_view path) {
  const auto at = std::ranges::find(table, path, &Part::path);
  return at == table.end() ? nullptr : &*at;
}

class TrainerSection {
 public:
  explicit TrainerSection(ErrorList& errors) : errors_(errors) {}

  /// `path`: of the part below `trainer`.
  void read(const std::string& path, const YAML::Node& node, const Place& place) {
    if (const Part* key = find_part(kTrainerKeys, path)) return add(key->name, node, place);
    if (const Part* section = find_part(kTrainerSections, path))
      return read_section_as(section->name, path, node, place);
    if (path == "init.optimizer") return read_optimizer(node, place);
    if (path == "init.schedulers") return read_schedulers(node, place);
    if (path == "init.callbacks") return read_callbacks(node, place);
    if (path == "validate.val_dataloader" || path == "validate_all.val_dataloaders")
      return read_validation(node, place);
    if (std::ranges::find(kTrainerHolders, path) == std::end(kTrainerHolders))
      throw place.error(full(path), "is no part that a run here has", kLeaveOutPart);
    if (node.IsNull()) return;
    for (const DocumentEntry& entry : read_section(full(path), node, place).entries)
      errors_.collect([&] { read(path.empty() ? entry.name : path + "." + entry.name, entry.value, entry.place); });
  }

  std::vector<DocumentEntry> entries;

 private:
  static std::string full(const std::string& path) { return path.empty() ? "trainer" : "trainer." + path; }

  void add(std::string_view name, const YAML::Node& node, const Place& place) {
    entries.push_back({std::string(name), node, place});
  }

  /// `node`: a section, or a list of one.
  void read_section_as(std::string_view section, const std::string& path, const YAML::Node& node, const Place& place) {
    if (node.IsSequence()) {
      if (node.size() != 1)
        throw place.error(full(path), fmt::format("has {} of them", node.size()), "write one as a section");
      return read_section_as(section, path, node[0], place);
    }
    for (const DocumentEntry& entry : read_section(full(path), node, place).entries) {
      const Part* key = find_part(kTrainerKeys, path + "." + entry.name);
      const bool is_part = find_part(kTrainerSections, path + "." + entry.name) != nullptr;
      if (is_part) {
        errors_.collect([&] { read(path + "." + entry.name, entry.value, entry.place); });
      } else {
        add(key != nullptr ? std::string(key->name) : fmt::format("{}.{}", section, entry.name), entry.value,
            entry.place);
      }
    }
  }

  /// The name and the settings of "Name: {...}".
  DocumentEntry only_one(const std::string& path, const YAML::Node& node, const Place& place) const {
    const DocumentSection section = read_section(full(path), node, place);
    if (section.entries.size() != 1)
      throw place.error(full(path), fmt::format("has {} entries", section.entries.size()),
                        "write one name with its settings below it");
    return section.entries.front();
  }

  void read_optimizer(const YAML::Node& node, const Place& place) {
    const DocumentEntry one = only_one("init.optimizer", node, place);
    add("optimizer.optimizer_type", YAML::Node(one.name), one.place);
    for (const DocumentEntry& entry : read_section(full("init.optimizer"), one.value, one.place).entries)
      add(entry.name == "lr" ? "optimizer.learning_rate" : "optimizer." + entry.name, entry.value, entry.place);
  }

  /// Appends the phases of a scheduler, which may be a sequence of others.
  void add_phases(const YAML::Node& node, const Place& place, YAML::Node& phases) {
    const DocumentEntry one = only_one("init.schedulers", node, place);
    if (one.name == "SequentialLR") {
      for (const DocumentEntry& entry : read_section(full("init.schedulers"), one.value, one.place).entries) {
        if (entry.name == "milestones") continue;  // the phases' lengths say the same
        if (entry.name != "schedulers" || !entry.value.IsSequence())
          throw entry.place.error(full("init.schedulers." + entry.name), "is not a list of schedulers", kLeaveOutPart);
        for (const auto& phase : entry.value) add_phases(phase, place_of(phase, entry.place), phases);
      }
      return;
    }
    YAML::Node phase(YAML::NodeType::Map);
    phase["scheduler"] = one.name.ends_with("LR") ? one.name.substr(0, one.name.size() - 2) : one.name;
    for (const DocumentEntry& entry : read_section(full("init.schedulers"), one.value, one.place).entries)
      phase[entry.name] = entry.value;
    phases.push_back(phase);
  }

  void read_schedulers(const YAML::Node& node, const Place& place) {
    YAML::Node phases(YAML::NodeType::Sequence);
    if (!node.IsSequence()) {
      add_phases(node, place, phases);
    } else if (node.size() != 1) {
      throw place.error(full("init.schedulers"), fmt::format("has {} schedulers", node.size()),
                        "use one for all parameters; phases one after the other are a SequentialLR");
    } else {
      add_phases(node[0], place_of(node[0], place), phases);
    }
    add("optimizer.learning_rate", phases, place);
  }

  void read_callbacks(const YAML::Node& node, const Place& place) {
    if (!node.IsSequence()) throw place.error(full("init.callbacks"), "is not a list", kLeaveOutPart);
    for (const auto& each : node) {
      errors_.collect([&] {
        const Place there = place_of(each, place);
        const DocumentEntry one = only_one("init.callbacks", each, there);
        if (std::ranges::find(kPrinting, one.name) == std::end(kPrinting))
          throw there.error(full("init.callbacks"), fmt::format("{} is code of the Model Zoo", one.name),
                            kLeaveOutPart);
        add("trainer.init.callbacks", YAML::Node(one.name), one.place);
      });
    }
  }

  /// The data for validation, which is also used during training.
  void read_validation(const YAML::Node& node, const Place& place) {
    const YAML::Node& one = node.IsSequence() && node.size() == 1 ? node[0] : node;
    const auto is_eval = [](const DocumentEntry& entry) { return entry.name == "eval_input.data_dir"; };
    const auto before = std::ranges::find_if(entries, is_eval);
    if (before == entries.end()) return read_section_as("eval_input", "validate.val_dataloader", one, place);
    if (!one.IsMap() || !one["data_dir"] || YAML::Dump(one["data_dir"]) != YAML::Dump(before->value))
      throw place.error(full("validate"), "has other data than trainer.fit.val_dataloader", "give both the same");
  }

  ErrorList& errors_;
};

}  // namespace

std::vector<DocumentEntry> trainer_entries(const DocumentEntry& section, ErrorList& errors) {
  TrainerSection trainer(errors);
  errors.collect([&] { trainer.read("", section.value, section.place); });
  return std::move(trainer.entries);
}

}  // namespace weft::config
