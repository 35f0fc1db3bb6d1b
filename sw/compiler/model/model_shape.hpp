/// The shape of the model that is trained, as plain data.
#pragma once

#include <cstdint>
#include <string>

#include "sw/base/bf16.hpp"
#include "sw/compiler/model/head_copies.hpp"
#include "sw/compiler/model/rotary_angles.hpp"

namespace weft::compiler {

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
  std::string network = "gpt2";    ///< a built-in network, or the path of a file (docs/reference/network.md)
  std::string recompute = "none";  ///< or "block": what backward needs of a block is computed again
  int document_end = -1;           ///< id of the last token of a document, which attention does not cross; -1: none
  /// Id of tokens at the end of a sequence that no other token sees; -1: none.
  int padding_token = -1;
  int segments = 0;             ///< kinds of segments of a sample, each with an embedding; 0: none
  bool filter_follows = false;  ///< filter is 4 x hidden by default; in hints it follows hidden
  float label_smoothing = 0;    ///< part of a label's weight that is spread over all tokens, 0 to below 1
  /// Form of attention over several columns in training and evaluation: "stored" or "shared"
  /// (docs/explanation/attention_rows.md).
  std::string attention = "stored";
  RotaryAngles rotary = {};  ///< with a rotary_dim
  int kv_heads = 0;          ///< heads of keys and values, each for heads / kv_heads heads of queries; 0: `heads`
  int classes = 0;           ///< classes or numbers that a loss other than that of tokens compares; 0: none
  bool vsl = false;          ///< samples have several documents, whose first tokens are marked (begins_document())
  /// Part of the features that is dropped in training (docs/explanation/dropout.md).
  double residual_dropout = 0, embedding_dropout = 0;
  double attention_dropout = 0;    ///< likewise, of the weights of attention
  std::uint64_t dropout_seed = 0;  ///< of the masks; in plans of networks without dropout 0

  bool has_documents() const { return document_end >= 0 || vsl; }
  int head_size() const { return hidden / heads; }
  int own_kv_heads() const { return kv_heads > 0 ? kv_heads : heads; }
  HeadCopies kv_copies() const { return {head_size(), heads / own_kv_heads()}; }
  bool has_segments() const { return segments > 0; }
  bool has_padding() const { return padding_token >= 0; }
  /// Features of a head that must share a row: rotated features are pairs.
  int head_unit() const { return rotary_dim > 0 ? 2 : 1; }
  /// The effective label_smoothing: the label's own part is rounded to bf16.
  double smoothing() const { return 1.0 - as_float(widen(nearest_bf16(1.0 - label_smoothing))); }
};

/// The setting by which attention is confined to documents.
inline const char* document_key(const ModelShape& model) {
  return model.vsl ? "train_input.use_vsl" : "model.document_end";
}

}  // namespace weft::compiler
