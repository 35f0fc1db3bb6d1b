/// Counts of injected faults and their outcomes, by kind.
#pragma once

#include <string>

#include "tests/fault_injection/faulty_run.hpp"

namespace weft::fault_injection {

class Outcomes {
 public:
  void add(const Report& report);

  /// A row per kind: injections, exit codes, runs with equal bits, violations.
  std::string table() const;
  /// Violations with their seeds, equal ones merged; empty: none.
  std::string violations() const;
  /// Kinds that were never injected although the environment allows them.
  std::vector<std::string> missing() const;

 private:
  struct Row {
    int injected = 0, late = 0, skipped = 0, equal = 0;
    std::map<int, int> codes;
  };
  std::map<std::string, Row> rows_;
  std::map<std::pair<std::string, std::string>, std::vector<std::uint64_t>> violations_;
};

}  // namespace weft::fault_injection
