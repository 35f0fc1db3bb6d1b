/// A run that cannot end: refused before it begins, or found to hang.
#pragma once

#include <string>

#include "sw/base/refusal.hpp"

namespace weft::programs {

/// A Refusal with a report of several lines behind its own.
class Stopped : public Refusal {
 public:
  Stopped(const std::string& subject, const std::string& problem, const std::string& hint, const std::string& report)
      : Refusal(subject, problem, hint), text_(std::string(Refusal::what()) + (report.empty() ? "" : "\n" + report)) {}

  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

}  // namespace weft::programs
