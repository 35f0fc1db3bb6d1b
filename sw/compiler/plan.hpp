/// Output of the compiler: everything that MemoryX, SwarmX and the wafers need for training, as plain data.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/base/bf16.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/mask.hpp"
#include "sw/compiler/row_constants.hpp"
#include "sw/compiler/stream_descriptor.hpp"
#include "sw/compiler/symbols.hpp"
#include "sw/compiler/token_id.hpp"
#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"
#include "sw/network/network.hpp"

namespace weft {

/// The shape of the model that is trained.
struct ModelShape {
  int vocab = 96;   ///< token ids 0..vocab-1
  int hidden = 32;  ///< features of the residual stream
  int layers = 2;
  int heads = 4;        ///< must divide hidden
  int filter = 128;     ///< features between the two halves of the MLP
  int seq = 32;         ///< tokens of a sequence
  bool tied = true;     ///< the head uses the token embedding
  int micro_batch = 4;  ///< sequences a wafer takes at once
  float ln_eps = 1e-5F;
  int rotary_dim = 0;              ///< features of a head that are rotated by the position; 0: no rotary positions
  std::string network = "gpt2";    ///< a built-in network, or the path of a file (docs/network.md)
  std::string recompute = "none";  ///< or "block": what backward needs of a block is computed again
  int document_end = -1;           ///< id of the last token of a document, which attention does not cross; -1: none
  bool filter_follows = false;     ///< filter is 4 x hidden by default; in hints it follows hidden
  float label_smoothing = 0;       ///< part of a label's weight that is spread over all tokens, 0 to below 1

  bool has_documents() const { return document_end >= 0; }
  /// Features of a head that must share a row: rotated features are pairs.
  int head_unit() const { return rotary_dim > 0 ? 2 : 1; }
  /// The effective label_smoothing: the label's own part is rounded to bf16.
  double smoothing() const { return 1.0 - as_float(widen(nearest_bf16(1.0 - label_smoothing))); }
};

/// One parameter tensor. `offset`: its first element in the flat parameter vector, row major.
struct TensorInfo {
  std::string name;       ///< Hugging Face GPT-2 name, e.g. "h.0.attn.c_attn.weight"
  std::vector<int> dims;  ///< e.g. {in, out} = {32, 96}: GPT-2 stores weights as [in, out]
  std::uint64_t offset = 0;
  std::uint64_t size = 0;        ///< elements
  bool decay = false;            ///< weight decay applies (two dimensions)
  float init_std = 0;            ///< normal(0, init_std), or
  float init_value = 0;          ///< this constant if init_std is 0
  std::vector<Role> roles = {};  ///< the kind of features of each dimension
};

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
  /// The phase's name for users: unique in a plan, one word, e.g. "d.h.1.mlp.c_fc.weight".
  std::string name;
  std::vector<StreamEntry> commands;  ///< sent first
  Sweep sweep;                        ///< sent then
  std::vector<int> tensors;           ///< that have parameters in the stream
  Returns returns = Returns::Nothing;
  /// [row]: words that the row's outlet delivers for this op. Gradient: for each of the sweep's taps in this row, d
  /// loss / d parameter, fp32, summed over the micro-batch's tokens. Loss: row 0 returns first cols*T softmax sums,
  /// then cols*T values (max - logit of the label), both fp32, column by column. Flags: one word per row. Logits: for
  /// each of the sweep's taps in this row, the logit (fp32) at the one valid position, of the token whose number
  /// replaces the parameter's.
  std::vector<std::uint32_t> returned;
  /// In a plan of compile_decode: a command whose value grows by `each` per position.
  struct Move {
    std::size_t command;
    std::int64_t each;
  };
  std::vector<Move> moves = {};
};

struct Prepared;

/// A compiled model. The wafer is loaded once with `load`; a micro-batch is `tokens()` followed by all of `ops`
/// (training) or the first `forward_ops` of them and no gradient (evaluation).
struct Plan {
  ModelShape model;
  WaferShape wafer;
  std::vector<TensorInfo> tensors;
  std::uint64_t parameters = 0;             ///< elements of the flat parameter vector
  Mask mask;                                ///< pruned weights are in no stream, and by default in no gradient
  Program program;                          ///< the program in `load`, with its labels and lines
  std::vector<Message> load;                ///< routes, program, constants
  std::vector<ArraySymbol> arrays;          ///< of a PE's memory, by name
  std::vector<RowConstants> row_constants;  ///< [row], as `load` writes them
  std::vector<Op> ops;
  std::size_t forward_ops = 0;  ///< ops up to and including the one that returns the loss
  int tokens_per_column = 0;    ///< T, with padding
  std::string memory_map;       ///< bytes per PE by use, as a table

  /// Messages that put a micro-batch into the PEs. `inputs`, `labels`: [sequences][seq], sequences <= micro_batch;
  /// missing sequences are padding and count nothing. A token's document is the number of document_end tokens before it
  /// in its sequence; a document_end is the last token of its document.
  std::vector<Message> tokens(std::span<const TokenId> inputs, std::span<const TokenId> labels) const;
  /// As tokens(), for 1..micro_batch texts of 1..seq tokens each, in a plan of compile_generation. Only the last token
  /// of the first text is valid, so the logits are those of the token that follows it.
  std::vector<Message> texts(std::span<const std::span<const TokenId>> texts) const;
  /// Messages after which the last token of text n is valid, and no longer that of text n - 1.
  std::vector<Message> ask_next(std::span<const std::span<const TokenId>> texts, std::size_t n) const;
  /// The token at position t (0..T-1) of column c, by its number sequence * model.seq + position; -1 for padding, and
  /// for sequences that do not exist because there are only `sequences`.
  int token_at(int column, int t, int sequences) const;
  bool is_token(int column, int t, int sequences) const { return token_at(column, t, sequences) >= 0; }

  std::vector<std::uint32_t> token_index;  ///< [vocabulary entry] {block:16, physical index:16} (blocks.hpp)
  int token_blocks = 1;
  /// Element address. Token ids and labels (both block by block), validity and, in a model with documents, document
  /// numbers follow each other, [T] of each.
  std::uint16_t token_address = 0;
  int valid_address() const { return token_address + 2 * token_blocks * tokens_per_column; }
  int padded_seq = 0;  ///< tokens of a sequence in a column, rounded up to whole beats
  /// For compile_decode: physical index of each position; else empty. [T] of them are at position_address.
  std::vector<std::uint16_t> position_index;
  std::uint16_t position_address = 0;

  /// The part of the compilation that plans of other masks share: with_mask(). Null for a plan from a file.
  std::shared_ptr<const Prepared> prepared = {};
};

/// Placement of features on rows: those with the most non-zero weights first, to balance the rows, or in their order.
/// Both are equal if all features have equally many weights.
enum class Placement : std::uint8_t { ByLoad, InOrder };

/// Weights for which gradients are returned: those that the mask keeps, or all, including pruned ones, which are zero.
enum class Gradients : std::uint8_t { OfKept, OfAll };

/// First half of compile(): everything that does not depend on the mask, that is graph, memory map and assembled
/// program. Throws Refusal, of a configuration's key, if the model does not fit the wafer or the shapes are impossible;
/// the message has numbers of bytes and a hint.
std::shared_ptr<const Prepared> prepare(const ModelShape& model, const WaferShape& wafer);

/// Second half of compile(), which depends on the mask: placements, the constants that describe them, ops with their
/// sweeps. May be called any number of times, in any thread. Throws std::invalid_argument if `mask` is not of this
/// model's tensors.
///
/// Plans of one `prepared` have the same program and the same addresses. If their `load` is equal as well, a wafer that
/// ran one of them can run the other. `load` is equal unless masks are so uneven that rows have different numbers of
/// features, or masks leave out positions.
Plan with_mask(const std::shared_ptr<const Prepared>& prepared, const Mask& mask,
               Placement placement = Placement::ByLoad, Gradients gradients = Gradients::OfKept);

/// As above, for the Prepared of `plan`, with features placed by load. Throws std::invalid_argument also if `plan`
/// comes from a file.
Plan with_mask(const Plan& plan, const Mask& mask, Gradients gradients = Gradients::OfKept);

/// Both halves: prepare() and with_mask(). Throws as they do.
Plan compile(const ModelShape& model, const WaferShape& wafer, const Mask& mask = {},
             Placement placement = Placement::ByLoad);

/// A plan that returns the logits of a text's next token instead of a loss: forward ops only, with `texts` texts at a
/// time in place of a micro-batch. The program and every value before the logits are those of compile() with such a
/// micro-batch, except that a text is always one document. Throws as compile().
Plan compile_generation(const ModelShape& model, const WaferShape& wafer, const Mask& mask = {}, int texts = 1);

/// A plan that continues texts by one token each, with keys and values kept on the wafer (decode.hpp): model.seq
/// positions of wafer.cols * wafer.lanes texts (plan.model.micro_batch). Every value is bit-identical to that of
/// compile_generation(). `wafer.sequence_columns` and `model.recompute` are ignored. Throws Refusal if there is no
/// room, or if the network's keys and values cannot be kept; otherwise as compile().
Plan compile_decode(const ModelShape& model, const WaferShape& wafer, const Mask& mask = {});

/// Fills `messages` with op's whole stream. Weights are parameters rounded to bf16 (nearest even, subnormals to zero),
/// or zero without parameters. expand.hpp expands a stream in pieces.
void expand(const Op& op, std::span<const float> parameters, std::vector<Message>& messages);

}  // namespace weft
