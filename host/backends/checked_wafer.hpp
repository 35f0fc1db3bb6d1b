/// A wafer with a second one beside it that has to say the same.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "verif/wafer.hpp"

namespace weft {

/// The two differ; `what()` has where the host was, the op, row and word, and what each said.
struct CheckFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Acts like `first`. `second` gets the same stream, and comes to rest before each op begins (`at`), so what it has
/// returned by then is of the ops before: that is how a word is known to be of an op. Words are given out when both
/// have returned them; at the first difference CheckFailed is thrown. Names are for its text. Both have the same shape.
std::unique_ptr<Wafer> make_checked_wafer(std::string first_name, std::unique_ptr<Wafer> first, std::string second_name,
                                          std::unique_ptr<Wafer> second);

}  // namespace weft
