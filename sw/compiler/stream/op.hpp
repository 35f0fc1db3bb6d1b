/// One op of a plan: the messages that are sent for it, and the words that it returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sw/compiler/stream/stream_descriptor.hpp"

namespace weft::compiler {

/// Description of one message: a literal, or a weight whose value is the bf16 of a parameter at the time it is sent.
struct StreamEntry {
  static constexpr std::uint64_t kCtrl = ~std::uint64_t{0};     ///< `data` is a control message
  static constexpr std::uint64_t kLiteral = ~std::uint64_t{1};  ///< `data` is a data message
  std::uint32_t data = 0;                                       ///< the message; for a parameter {index:16, 0:16}
  std::uint64_t source = kCtrl;  ///< index into the flat parameter vector, or of the above
};

enum class Returns : std::uint8_t { Nothing, Gradient, Loss, Flags, Logits };

/// Kernels that are called, the weights that the last one takes, and the words returned.
struct Op {
  /// The phase's name for users: unique in a plan, one word, e.g. "h.1.mlp.c_fc.dw".
  std::string name;
  std::vector<StreamEntry> commands;  ///< sent first
  StreamDescriptor descriptor;        ///< sent then
  std::vector<int> tensors;           ///< that have parameters in the stream
  Returns returns = Returns::Nothing;
  /// [row]: words that the row's outlet delivers for this op. Gradient: for each of the descriptor's elements in this
  /// row, d loss / d parameter, fp32, summed over the micro-batch's tokens. Loss: row 0 returns first cols*T softmax
  /// sums, then cols*T values (max - logit of the label), both fp32, column by column. Flags: one word per row. Logits:
  /// for each of the descriptor's elements in this row, the logit (fp32) at the one valid position, of the token whose
  /// number replaces the parameter's.
  std::vector<std::uint32_t> returned;
  /// In a plan of compile_decode: a command whose value grows by `each` per position.
  struct Move {
    std::size_t command;
    std::int64_t each;
  };
  std::vector<Move> moves = {};
};

}  // namespace weft::compiler
