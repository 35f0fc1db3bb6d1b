/// What is wrong with a data file.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace weft {

/// `what()` names the file and what is wrong with it, `hint` says what to do. Both are half of a line.
struct DataError : std::runtime_error {
  DataError(const std::string& what, std::string todo) : std::runtime_error(what), hint(std::move(todo)) {}
  std::string hint;
};

}  // namespace weft
