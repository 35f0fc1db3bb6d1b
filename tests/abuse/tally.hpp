/// What was injected and what came of it, by kind.
#pragma once

#include <string>

#include "tests/abuse/abused_run.hpp"

namespace weft::abuse {

class Tally {
 public:
  void add(const Report& report);

  /// A line a kind: how often, how it ended, how often with equal bits, how often wrong.
  std::string table() const;
  /// What was wrong, alike ones together, with seeds; empty: nothing.
  std::string violations() const;
  /// Kinds that were never injected, though nothing forbids it.
  std::vector<std::string> missing() const;

 private:
  struct Row {
    int injected = 0, late = 0, skipped = 0, equal = 0;
    std::map<int, int> codes;
  };
  std::map<std::string, Row> rows_;
  std::map<std::pair<std::string, std::string>, std::vector<std::uint64_t>> violations_;
};

}  // namespace weft::abuse
