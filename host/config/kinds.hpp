/// Table of the kinds of wafers, one line each; backend.cpp has the corresponding factories.
#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace weft::config {

struct BackendKind {
  std::string_view name;  ///< wafer.backend, --backend
  bool clock;             ///< counts cycles
  bool lanes;             ///< counts the operations of its lanes
  bool second;            ///< can be the second wafer of a comparison (wafer.check)
  bool board;             ///< is a device, with a mesh of its own (fpga.device)
};

inline constexpr std::array kBackends = {
    BackendKind{.name = "model", .clock = false, .lanes = false, .second = true, .board = false},
    BackendKind{.name = "rtl", .clock = true, .lanes = true, .second = true, .board = false},
    BackendKind{.name = "fpga", .clock = true, .lanes = false, .second = false, .board = true},
};

/// The entry of a name that is in the table.
constexpr const BackendKind& backend_kind(std::string_view name) {
  for (const BackendKind& kind : kBackends)
    if (kind.name == name) return kind;
  return kBackends.front();  // not reached: keys.cpp accepts no other name
}

/// The names of the entries for which `has` is true, or of all if `has` is null; preceded by `first` unless it is
/// empty.
inline std::vector<std::string_view> backend_names(bool BackendKind::*has = nullptr, std::string_view first = {}) {
  std::vector<std::string_view> names;
  if (!first.empty()) names.push_back(first);
  for (const BackendKind& kind : kBackends)
    if (has == nullptr || kind.*has) names.push_back(kind.name);
  return names;
}

}  // namespace weft::config
