/// Element-wise functions of networks, described by their kernels' declarations (docs/reference/network.md).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sw/asm/program.hpp"

namespace weft::network {

/// A function that is computed for each feature of each token by kernel NAME, and its gradient by kernel NAME_back.
struct Function {
  std::string name;                    ///< of the kernel; the word of its operations in a file
  std::vector<std::string> arguments;  ///< of the kernel
  std::vector<std::string> backward;   ///< arguments of the gradient's kernel

  int inputs() const { return has(arguments, "x2") ? 2 : 1; }
  /// Returns true if backward reads input n.
  bool reads(int n) const { return has(backward, n == 0 ? "x" : "x2"); }
  bool uses_scratch() const { return has(backward, "scratch"); }
  /// The function has a constant, which is a key of its operations.
  bool has_constant() const { return has(arguments, "hi"); }
  /// The kernels read the number of features of a row; others expect those of the filter size.
  bool any_features() const { return has(arguments, "count"); }

 private:
  static bool has(const std::vector<std::string>& list, std::string_view name);
};

using Functions = std::vector<std::shared_ptr<const Function>>;

/// The functions that are built in, from the files of sw/kernels/elementwise.
const Functions& built_in_functions();

/// The functions that a text of kernels declares; other kernels are ignored. Throws Refusal with the source's name and
/// the line for kernels that no operation could call.
Functions functions_of(const assembler::Source& source);

}  // namespace weft::network
