#include "tests/fault_injection/reference.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>

#include "tests/checkpoint/files.hpp"
#include "tests/fault_injection/process.hpp"

namespace weft::fault_injection {

const Reference& Reference::of(const Shape& shape) {
  static std::mutex mutex;
  static std::map<Shape, std::unique_ptr<Reference>> all;
  const std::lock_guard lock(mutex);
  auto& one = all[shape];
  if (!one) one.reset(new Reference(shape));
  return *one;
}

Reference::Reference(const Shape& shape) {
  const checkpoint::TestFolder folder(
      fmt::format("reference_{}{}{}", shape.hidden, static_cast<int>(shape.input), shape.evaluates ? "_eval" : ""));
  write_inputs(folder.path(), shape);
  auto words = run_words(shape, "m", kReferenceSteps);
  words.insert(words.end(), {"--runconfig.checkpoint_steps", "1", "--runconfig.save_initial_checkpoint", "true"});
  const End end = run({.program = WEFT_PROGRAM, .folder = folder.path(), .words = words});
  if (end.code != 0) throw std::runtime_error("the undisturbed run fails: " + end.errors);
  for (int step = 0; step <= kReferenceSteps; ++step) {
    checkpoints_.push_back(checkpoint::text_of(folder / ("m/" + checkpoint_name(step))));
  }
  metrics_.emplace_back();
  std::istringstream lines(checkpoint::text_of(folder / "m/metrics.jsonl"));
  for (std::string line; std::getline(lines, line);) metrics_.push_back(metrics_line(line));
}

nlohmann::json metrics_line(const std::string& line) {
  nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
  if (!object.is_object()) return {};
  for (const char* key :
       {"seconds", "time_stream", "time_room", "time_compute", "time_wait", "time_reduce", "time_update", "time_rest",
        "network_stall", "slow", "sim_cycles", "fpu_utilization", "edge_bytes", "crc32c"})
    object.erase(key);
  return object;
}

std::string checkpoint_name(int step) { return fmt::format("checkpoint_{}.safetensors", step); }

}  // namespace weft::fault_injection
