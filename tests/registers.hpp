/// All registers of a Verilated module, for comparison: a clock edge must not change any in a sleeping module.
///
/// Include after the module's PREFIX_registers.hpp (weft_registers in tests/verilate.cmake).
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "tests/clock.hpp"

namespace weft::test {

template <class Model>
std::vector<unsigned char> registers(const Model& model) {
  std::vector<unsigned char> bytes;
  visit_registers(*model.rootp, [&](const char*, const auto& value) {
    const auto* first = reinterpret_cast<const unsigned char*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
  });
  return bytes;
}

/// Clocks a module and returns the names of the registers that changed.
template <class Model>
std::string changed_by_an_edge(Model& model) {
  const std::vector<unsigned char> before = registers(model);
  clock(model);
  std::string changed;
  std::size_t at = 0;
  visit_registers(*model.rootp, [&](const char* name, const auto& value) {
    if (std::memcmp(&before[at], &value, sizeof value) != 0) changed += std::string(changed.empty() ? "" : ", ") + name;
    at += sizeof value;
  });
  return changed;
}

}  // namespace weft::test
