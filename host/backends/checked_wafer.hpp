/// A wafer that is compared word by word with a second one.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "verif/wafer.hpp"

namespace weft::backends {

/// The two wafers differ; `what()` has the host's position, the op, row and word, and the values of both.
struct CheckFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Creates a wafer that acts like `first`. `second` gets the same stream, and is settled before each op begins (`at`),
/// so words that it has returned by then belong to earlier ops: this is how a word is attributed to an op. Words are
/// returned once both wafers have returned them; the first difference throws CheckFailed. The names are used in its
/// message. Both wafers must have the same shape.
std::unique_ptr<Wafer> make_checked_wafer(std::string first_name, std::unique_ptr<Wafer> first, std::string second_name,
                                          std::unique_ptr<Wafer> second);

}  // namespace weft::backends
