/// What the compiler makes of a configuration: everything MemoryX, SwarmX and the wafers need to train, as plain data.
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
#include "sw/compiler/sweep.hpp"
#include "sw/compiler/symbols.hpp"
#include "sw/compiler/token_id.hpp"
#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"
#include "sw/network/network.hpp"

namespace weft {

/// The GPT-2 that is trained.
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
  int rotary_dim = 0;              ///< features of a head that turn with the position; 0: the network has none that do
  std::string network = "gpt2";    ///< one that is built in, or the path of a file (docs/network.md)
  std::string recompute = "none";  ///< or "block": what backward needs of a block is computed again
  int document_end = -1;           ///< id behind which a document begins, to which attention does not go; -1: none
  bool filter_follows = false;     ///< filter is 4 x hidden as nobody chose it: a hint of another hidden means another
  float label_smoothing = 0;       ///< part of a label's weight that all tokens share, 0 to below 1

  bool has_documents() const { return document_end >= 0; }
  /// Features of a head that must share a row: those that turn are pairs.
  int head_unit() const { return rotary_dim > 0 ? 2 : 1; }
  /// What label_smoothing comes to: what the label keeps is a bf16.
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
  std::vector<Role> roles = {};  ///< what the features of each dimension are
};

/// One message to be: a literal, or a weight whose value is the bf16 of a parameter at the time it is sent.
struct StreamEntry {
  static constexpr std::uint64_t kCtrl = ~std::uint64_t{0};     ///< `data` is a control message
  static constexpr std::uint64_t kLiteral = ~std::uint64_t{1};  ///< `data` is a data message
  std::uint32_t data = 0;                                       ///< the message; for a parameter {index:16, 0:16}
  std::uint64_t source = kCtrl;  ///< index into the flat parameter vector, or of the above
};

enum class Returns : std::uint8_t { Nothing, Gradient, Loss, Flags, Logits };

/// Kernels that are called, the weights the last one takes, and what comes back.
struct Op {
  /// Of the phase, as a user names it: unique in a plan, one word, e.g. "d.h.1.mlp.c_fc.weight".
  std::string name;
  std::vector<StreamEntry> commands;  ///< sent first
  Sweep sweep;                        ///< sent then
  std::vector<int> tensors;           ///< whose parameters are sent
  Returns returns = Returns::Nothing;
  /// Words row r's outlet delivers for this op. Gradient: of the sweep's taps in this row, each d loss / d its
  /// parameter, fp32, summed over the micro-batch's tokens. Loss: row 0 returns first cols*T softmax sums, then cols*T
  /// values (max - logit of the label), both fp32, column by column. Flags: one word a row. Logits: of the sweep's
  /// taps, each the logit of the token that is its parameter's number, fp32, at the one position that is valid.
  std::vector<std::uint32_t> returned;
  /// Of a plan of compile_decode: a command whose value is `each` more for every position behind the first.
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
  Mask mask;                                ///< what it leaves out is in no stream and in no gradient
  Program program;                          ///< what `load` loads, with its labels and lines
  std::vector<Message> load;                ///< routes, program, constants
  std::vector<ArraySymbol> arrays;          ///< of a PE's memory, by name
  std::vector<RowConstants> row_constants;  ///< [row], as `load` writes them
  std::vector<Op> ops;
  std::size_t forward_ops = 0;  ///< ops up to and including the one that returns the loss
  int tokens_per_column = 0;    ///< T, with padding
  std::string memory_map;       ///< bytes per PE by use, as a table

  /// Messages that put a micro-batch into the PEs. `inputs`, `labels`: [sequences][seq], sequences <= micro_batch;
  /// missing sequences are padding and count nothing. A token's document is the number of ends before it in its
  /// sequence: an end is the last token of its document.
  std::vector<Message> tokens(std::span<const TokenId> inputs, std::span<const TokenId> labels) const;
  /// The same for 1..micro_batch texts of 1..seq tokens each, of a plan of compile_generation: the last token of the
  /// first one alone is valid, so that logits are of the token that follows it.
  std::vector<Message> texts(std::span<const std::span<const TokenId>> texts) const;
  /// Then the last token of text n, and no more that of text n - 1.
  std::vector<Message> ask_next(std::span<const std::span<const TokenId>> texts, std::size_t n) const;
  /// Which token position t (0..T-1) of column c has: number sequence * model.seq + position; -1: none, as it is
  /// padding, or as there are but `sequences`.
  int token_at(int column, int t, int sequences) const;
  bool is_token(int column, int t, int sequences) const { return token_at(column, t, sequences) >= 0; }

  std::vector<std::uint32_t> token_index;  ///< of each vocabulary entry {block:16, physical index:16} (blocks.hpp)
  int token_blocks = 1;
  /// Element. Token ids, labels, both block by block, validity and, of a model with documents, their numbers follow
  /// each other, [T] of each.
  std::uint16_t token_address = 0;
  int valid_address() const { return token_address + 2 * token_blocks * tokens_per_column; }
  int padded_seq = 0;  ///< tokens of a sequence in a column, rounded up to whole beats
  /// Of compile_decode: physical index of each position; else empty. [T] of them are at position_address.
  std::vector<std::uint16_t> position_index;
  std::uint16_t position_address = 0;

  /// What it was made of, which plans of other masks share: with_mask(). Null: it comes from a file.
  std::shared_ptr<const Prepared> prepared = {};
};

/// How features are dealt to rows: those with the most non-zero weights first, so that rows have about as many, or as
/// they come. The same where all have as many.
enum class Placement : std::uint8_t { ByLoad, InOrder };

/// What gradients are of: weights that the mask keeps, or all, also those that it leaves out, which are zero.
enum class Gradients : std::uint8_t { OfKept, OfAll };

/// compile() is two halves. prepare(): all that no mask changes, which is graph, memory map and assembled program.
/// Throws Refusal, of a configuration's key, if the model does not fit the wafer or the shapes are impossible: with
/// bytes and what to change.
std::shared_ptr<const Prepared> prepare(const ModelShape& model, const WaferShape& wafer);

/// And what a mask makes of it: placements, the constants that say them, ops with their sweeps. Any number of times, in
/// any thread. Throws std::invalid_argument if `mask` is not of this model's tensors.
///
/// Plans of one `prepared` differ in no program and no address. Where `load` is the same as well, as it is unless masks
/// are so uneven that rows have other numbers of features, or leave out positions: what ran one of them runs the other.
Plan with_mask(const std::shared_ptr<const Prepared>& prepared, const Mask& mask,
               Placement placement = Placement::ByLoad, Gradients gradients = Gradients::OfKept);

/// The same of what `plan` was made of, features dealt by load. Throws std::invalid_argument also if it comes from a
/// file.
Plan with_mask(const Plan& plan, const Mask& mask, Gradients gradients = Gradients::OfKept);

/// Both halves. Throws Refusal, of a configuration's key, if the model does not fit the wafer or the shapes are
/// impossible: with bytes and what to change; std::invalid_argument if `mask` is not of this model's tensors.
Plan compile(const ModelShape& model, const WaferShape& wafer, const Mask& mask = {},
             Placement placement = Placement::ByLoad);

/// A plan that returns the logits of a text's next token instead of a loss: forward ops only, `texts` of them at a time
/// in the place of a micro-batch. The program and every value before the logits are those of compile() with such a
/// micro-batch, but that a text is one document. Throws as compile().
Plan compile_generation(const ModelShape& model, const WaferShape& wafer, const Mask& mask = {}, int texts = 1);

/// A plan that goes on with texts by one token each, whose keys and values stay on the wafer (decode.hpp): model.seq
/// positions of wafer.cols * wafer.lanes texts, which are plan.model.micro_batch. Every value has the bits that
/// compile_generation() gives it. `wafer.sequence_columns` and `model.recompute` say nothing here. Throws Refusal if
/// that has no room, or the network has no such keys and values; else as compile().
Plan compile_decode(const ModelShape& model, const WaferShape& wafer, const Mask& mask = {});

/// Fills `messages` with all of op's stream, weights being parameters rounded to bf16 (nearest even, subnormals to
/// zero); without parameters they are zero. In pieces: expand.hpp.
void expand(const Op& op, std::span<const float> parameters, std::vector<Message>& messages);

}  // namespace weft
