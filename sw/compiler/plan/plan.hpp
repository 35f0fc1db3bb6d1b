/// Output of the compiler: everything that MemoryX, SwarmX and the wafers need for training, as plain data.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sw/asm/program.hpp"
#include "sw/base/token_id.hpp"
#include "sw/compiler/model/dropout.hpp"
#include "sw/compiler/model/losses.hpp"
#include "sw/compiler/model/mask.hpp"
#include "sw/compiler/model/model_shape.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "sw/compiler/placement/row_constants.hpp"
#include "sw/compiler/plan/symbols.hpp"
#include "sw/compiler/stream/op.hpp"
#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

struct Prepared;

/// A compiled model. The wafer is loaded once with `load`; a micro-batch is `tokens()` followed by all of `ops`
/// (training) or the first `forward_ops` of them and no gradient (evaluation).
struct Plan {
  ModelShape model;
  machine::WaferShape wafer;
  std::vector<TensorInfo> tensors;
  std::uint64_t parameters = 0;             ///< elements of the flat parameter vector
  Mask mask;                                ///< pruned weights are in no stream, and by default in no gradient
  assembler::Program program;               ///< the program in `load`, with its labels and lines
  std::vector<machine::Message> load;       ///< routes, program, constants
  std::vector<ArraySymbol> arrays;          ///< arrays in a PE's memory, by name
  std::vector<RowConstants> row_constants;  ///< [row], as `load` writes them
  std::vector<Op> ops;
  std::size_t forward_ops = 0;  ///< ops up to and including the one that returns the loss
  int tokens_per_column = 0;    ///< T, with padding
  std::string memory_map;       ///< bytes per PE by use, as a table

  /// Sequences of a wafer's micro-batch: `model.micro_batch` in each group of rows.
  int sequences() const { return model.micro_batch * wafer.row_groups; }
  /// Messages that put a group's part of a micro-batch into the PEs. `inputs` (with_segment()), `labels`:
  /// [sequences][seq], sequences <= micro_batch; missing sequences are padding and count nothing. A token's document is
  /// the number of document_end tokens before it in its sequence; a document_end is the last token of its document.
  /// With `model.vsl` a document begins where begins_document() says, and positions restart there. The padding_token at
  /// the end of a sequence, as often as it occurs there, is a document of its own. `class_weight`: factor of the
  /// gradient of the first of two losses, rounded to bf16. `samples`: the sequences' numbers, by which features are
  /// dropped; null: none are, as in an evaluation.
  std::vector<machine::Message> tokens(std::span<const TokenId> inputs, std::span<const TokenId> labels,
                                       float class_weight = 1, const DropoutSamples* samples = nullptr) const;
  /// Numbers of the samples of micro-batch `micro_batch`, from group `group` of its rows on.
  DropoutSamples samples(std::uint64_t step, std::uint64_t micro_batch, int group = 0) const {
    return {step, micro_batch * static_cast<std::uint64_t>(sequences()) +
                      static_cast<std::uint64_t>(group) * static_cast<std::uint64_t>(model.micro_batch)};
  }
  /// As tokens(), for 1..micro_batch texts of 1..seq tokens each, in a plan of compile_generation. Only the last token
  /// of the first text is valid, so the logits are those of the token that follows it.
  std::vector<machine::Message> texts(std::span<const std::span<const TokenId>> texts) const;
  /// Messages after which the last token of text n is valid, and no longer that of text n - 1.
  std::vector<machine::Message> ask_next(std::span<const std::span<const TokenId>> texts, std::size_t n) const;
  /// The token at position t (0..T-1) of column c, by its number sequence * model.seq + position; -1 for padding, and
  /// for sequences that do not exist because there are only `sequences`.
  int token_at(int column, int t, int sequences) const;
  bool is_token(int column, int t, int sequences) const { return token_at(column, t, sequences) >= 0; }

  std::vector<std::uint32_t> token_index;  ///< [vocabulary entry] {block:16, physical index:16} (blocks.hpp)
  int token_blocks = 1;
  std::vector<std::uint16_t> segment_index;  ///< physical index of each kind of segment; empty: none are sent
  std::vector<std::uint16_t> class_index;    ///< physical index of each class, likewise
  Losses losses = {Labels::Tokens};          ///< of the ops that return losses, in their order
  bool sends_documents = false;              ///< document numbers follow the validity
  int document_behind = 0;                   ///< that of positions behind the end of a sequence
  /// Element address. Token ids (block by block), segments if there are any, labels of the last loss (block by block),
  /// validity and, with `sends_documents`, document numbers follow each other, [T] of each; then the low parts of
  /// labels that are numbers, or the labels and weights of the first of two losses.
  std::uint16_t token_address = 0;
  int valid_address() const {
    return token_address + (2 * token_blocks + (segment_index.empty() ? 0 : 1)) * tokens_per_column;
  }
  std::uint16_t drop_flag = 0, drop_numbers = 0;  ///< MemoryPlan; 0: the network has no dropout
  int padded_seq = 0;                             ///< tokens of a sequence in a column, rounded up to whole beats
  /// Physical index of each position if they are sent, by Plan::tokens() with `model.vsl` or for compile_decode; else
  /// empty. [T] of them are at position_address.
  std::vector<std::uint16_t> position_index;
  std::uint16_t position_address = 0;

  /// The part of the compilation that plans of other masks share: with_mask(). Null for a plan from a file.
  std::shared_ptr<const Prepared> prepared = {};
};

}  // namespace weft::compiler
