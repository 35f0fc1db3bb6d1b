#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "host/metrics/metrics.hpp"
#include "sw/base/json_parse.hpp"

namespace weft::metrics {
namespace {

/// Value of `key`; nullopt if it is missing or null.
template <class T>
std::optional<T> value_of(const nlohmann::json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || at->is_null()) return std::nullopt;
  return at->get<T>();
}

}  // namespace

std::string json_number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : "null"; }

std::string to_json(const StepMetrics& m) {
  std::string json = fmt::format(
      R"({{"step": {}, "loss": {}, "grad_norm": {}, "lr": {}, "tokens": {}, "seconds": {}, )", m.step,
      json_number(m.loss), json_number(m.grad_norm), json_number(m.learning_rate), m.tokens, json_number(m.seconds));
  for (const auto& [name, part] : kTimeNames) json += fmt::format(R"("{}": {}, )", name, json_number(m.times[part]));
  json += fmt::format(R"("sim_cycles": {}, "fpu_utilization": {}, "state_hash": "{:016x}")",
                      m.sim_cycles ? fmt::format("{}", *m.sim_cycles) : "null",
                      m.fpu_utilization ? json_number(*m.fpu_utilization) : "null", m.state_hash);
  if (m.edge_bytes) json += fmt::format(R"(, "edge_bytes": {})", *m.edge_bytes);
  if (m.repeated) json += fmt::format(R"(, "repeated": {})", *m.repeated);
  if (!m.slow.empty()) json += R"(, "slow": )" + dump_json(nlohmann::json(m.slow), {.replace = true});
  if (m.network_stall) json += fmt::format(R"(, "network_stall": {})", json_number(*m.network_stall));
  if (m.eval_loss) json += fmt::format(R"(, "eval_loss": {})", json_number(*m.eval_loss));
  if (m.kept) json += fmt::format(R"(, "kept": {})", *m.kept);
  if (m.skipped) json += R"(, "skipped": true)";
  if (m.rolled_back_to) json += fmt::format(R"(, "rolled_back_to": {})", *m.rolled_back_to);
  return json + "}";
}

StepMetrics parse_metrics(std::string_view line) {
  const auto object = parse_json_or_discard(line);
  const auto number_of = [&](const char* key) {
    return value_of<double>(object, key).value_or(std::numeric_limits<double>::quiet_NaN());
  };
  StepMetrics m;
  m.step = object.at("step").get<std::uint64_t>();
  m.loss = number_of("loss");
  m.grad_norm = number_of("grad_norm");
  m.learning_rate = number_of("lr");
  m.tokens = value_of<std::uint64_t>(object, "tokens").value_or(0);
  m.seconds = number_of("seconds");
  for (const auto& [name, part] : kTimeNames)
    m.times.seconds.at(static_cast<std::size_t>(part)) = value_of<double>(object, name).value_or(0);
  m.sim_cycles = value_of<std::uint64_t>(object, "sim_cycles");
  m.fpu_utilization = value_of<double>(object, "fpu_utilization");
  m.edge_bytes = value_of<std::uint64_t>(object, "edge_bytes");
  m.repeated = value_of<std::uint32_t>(object, "repeated");
  m.state_hash = std::strtoull(value_of<std::string>(object, "state_hash").value_or("").c_str(), nullptr, 16);
  m.slow = value_of<std::vector<std::string>>(object, "slow").value_or(std::vector<std::string>());
  m.network_stall = value_of<double>(object, "network_stall");
  if (object.contains("eval_loss")) m.eval_loss = number_of("eval_loss");
  m.kept = value_of<std::uint64_t>(object, "kept");
  m.skipped = object.contains("skipped");
  m.rolled_back_to = value_of<std::uint64_t>(object, "rolled_back_to");
  return m;
}

}  // namespace weft::metrics
