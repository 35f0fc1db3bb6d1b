/// Contents of a model_dir in a form that tests can compare.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/checkpoint/files.hpp"

namespace weft::checkpoint {

inline std::string checkpoint_file(const std::string& model_dir, int step) {
  return model_dir + "/checkpoint_" + std::to_string(step) + ".safetensors";
}

/// metrics.jsonl without the keys that differ between runs with the same bits, e.g. "seconds"; the times of a step, and
/// slow ranks, are always dropped.
inline std::string metrics_without(const std::string& model_dir, std::initializer_list<const char*> keys) {
  std::istringstream in(text_of(model_dir + "/metrics.jsonl"));
  std::string result;
  for (std::string line; std::getline(in, line);) {
    auto object = nlohmann::json::parse(line);
    for (const char* key : keys) object.erase(key);
    for (const char* part : {"stream", "room", "compute", "wait", "reduce", "update", "rest"})
      object.erase(std::string("time_") + part);
    for (const char* key : {"network_stall", "slow"}) object.erase(key);
    result += object.dump() + "\n";
  }
  return result;
}

}  // namespace weft::checkpoint
