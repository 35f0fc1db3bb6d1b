#include "host/train/recorded_shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>
#include <vector>

#include "host/checkpoint/byte_source.hpp"
#include "host/checkpoint/model_folder.hpp"
#include "host/checkpoint/safetensors.hpp"

namespace weft::train {
namespace {

/// The number that a checkpoint records for a key; 0: none.
int recorded(const checkpoint::Metadata& metadata, const std::string& key) {
  const auto entry = metadata.find("weft." + key);
  int number = 0;
  if (entry != metadata.end())
    std::from_chars(entry->second.data(), entry->second.data() + entry->second.size(), number);
  return number;
}

/// Metadata of the newest checkpoint that can be read; empty: there is none.
std::pair<std::string, checkpoint::Metadata> newest(const std::string& folder) {
  for (const checkpoint::CheckpointFile& entry : checkpoint::ModelFolder::checkpoints_in(folder)) {
    try {
      const checkpoint::FileSource source(entry.file, std::numeric_limits<std::uint64_t>::max());
      return {entry.file, checkpoint::parse_safetensors(source, entry.file).metadata};
    } catch (const Refusal&) {  // the run reports it
    }
  }
  return {};
}

}  // namespace

std::optional<std::string> take_recorded_shape(config::Config& config) {
  int &micro_batch = config.model.micro_batch, &columns = config.wafer.sequence_columns, &groups = config.row_groups;
  if (micro_batch > 0 && columns > 0 && groups > 0) return std::nullopt;
  const auto [file, metadata] = newest(config.runconfig.model_dir);
  for (const auto& [key, value] :
       {std::pair("train_input.batch_size", config.train_input.batch_size),
        std::pair("model.max_sequence_length", config.model.seq), std::pair("wafer.rows", config.wafer.rows),
        std::pair("wafer.cols", config.wafer.cols), std::pair("wafer.lanes", config.wafer.lanes)})
    if (recorded(metadata, key) != value) return std::nullopt;
  const int recorded_groups = std::max(recorded(metadata, "wafer.row_groups"), 1);  // once not recorded
  if (groups > 0 && groups != recorded_groups) return std::nullopt;
  std::vector<std::string> taken;
  const auto take = [&](const char* key, int& value, int whole) {
    const int number = recorded(metadata, key);
    if (value > 0 || number < 1 || whole % number != 0) return;
    value = number;
    taken.push_back(fmt::format("{} {}", key, number));
  };
  if (groups == 0 && config.wafer.rows % recorded_groups == 0) {
    groups = recorded_groups;
    taken.push_back(fmt::format("wafer.row_groups {}", groups));
  }
  take("train_input.micro_batch_size", micro_batch, config.train_input.batch_size);
  take("wafer.sequence_columns", columns, config.wafer.cols);
  if (taken.empty()) return std::nullopt;
  return fmt::format("auto    {}, as {} records", fmt::join(taken, ", "), file);
}

}  // namespace weft::train
