/// The kinds of wafers that a run can be made of, a line each; backend.cpp has, line by line, how they are made.
#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace weft {

struct BackendKind {
  std::string_view name;  ///< wafer.backend, --backend
  bool clock;             ///< has cycles to count
  bool lanes;             ///< counts what its lanes do in them
  bool second;            ///< can stand beside another wafer and be compared (wafer.check)
  bool board;             ///< is a device, with a mesh of its own (fpga.device)
};

inline constexpr std::array kBackends = {
    BackendKind{.name = "model", .clock = false, .lanes = false, .second = true, .board = false},
    BackendKind{.name = "rtl", .clock = true, .lanes = true, .second = true, .board = false},
    BackendKind{.name = "fpga", .clock = true, .lanes = false, .second = false, .board = true},
};

/// Of a name that is in the table.
constexpr const BackendKind& backend_kind(std::string_view name) {
  for (const BackendKind& kind : kBackends)
    if (kind.name == name) return kind;
  return kBackends.front();  // not reached: keys.cpp takes no other name
}

/// The names in the table that have it; of all if `has` is null. Behind `first`, if that is not empty.
inline std::vector<std::string_view> backend_names(bool BackendKind::*has = nullptr, std::string_view first = {}) {
  std::vector<std::string_view> names;
  if (!first.empty()) names.push_back(first);
  for (const BackendKind& kind : kBackends)
    if (has == nullptr || kind.*has) names.push_back(kind.name);
  return names;
}

}  // namespace weft
