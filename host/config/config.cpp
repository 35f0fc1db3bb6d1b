#include "host/config/config.hpp"

#include <algorithm>

namespace weft::config {

Place Config::place(std::string_view key) const {
  const auto at = places.find(key);
  return at == places.end() ? Place{file, 0} : at->second;
}

Refusal Config::error(std::string_view key, std::string_view problem, std::string_view hint) const {
  return place(key).error(key, problem, hint);
}

Refusal Config::error(std::string_view key, const Refusal& refusal) const {
  return refusal.within(key).at(place(key).text());
}

int Config::groups() const { return runconfig.mode == "generate" ? 1 : std::max(row_groups, 1); }

machine::WaferShape Config::group_wafer() const {
  machine::WaferShape group = wafer;
  group.row_groups = groups();
  group.rows /= groups();
  group.valves /= groups();
  return group;
}

Config Config::one_group() const {
  Config one = *this;
  one.wafer = group_wafer();
  one.wafer.row_groups = one.row_groups = 1;
  one.model = group_model();
  return one;
}

compiler::ModelShape Config::group_model() const {
  compiler::ModelShape group = model;
  group.micro_batch /= groups();
  group.dropout_seed = static_cast<std::uint64_t>(runconfig.seed);
  return group;
}

std::vector<std::string> Config::backends() const {
  std::vector<std::string> all;
  for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
    end = backend.find(',', at);
    all.push_back(backend.substr(at, end - at));
  }
  return all;
}

std::string Config::backend_of(int id) const {
  const std::vector<std::string> all = backends();
  return all[static_cast<std::size_t>(id) % all.size()];
}

bool Config::runs_on(std::string_view name) const {
  for (int id = 0; id < wafers(); ++id)
    if (backend_of(id) == name) return true;
  return false;
}

bool Config::any_wafer(bool BackendKind::*has) const {
  for (int id = 0; id < wafers(); ++id)
    if (kind_of(id).*has) return true;
  return false;
}

bool Config::all_wafers(bool BackendKind::*has) const {
  for (int id = 0; id < wafers(); ++id)
    if (!(kind_of(id).*has)) return false;
  return true;
}

int Config::boards_before(int id) const {
  int boards = 0;
  for (int before = 0; before < id; ++before) boards += kind_of(before).board ? 1 : 0;
  return boards;
}

const std::string& Config::device_of(int id) const {
  const auto number = static_cast<std::size_t>(boards_before(id));
  return number < fpga_device.size() ? fpga_device[number] : fpga_device.back();
}

}  // namespace weft::config
