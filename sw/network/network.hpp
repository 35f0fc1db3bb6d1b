/// Layer graph: the structure of a model, independent of the machine that runs it (docs/reference/network.md).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "operation_kinds.hpp"
#include "sw/network/function.hpp"

namespace weft::network {

/// The kind of a value's features, which determines their placement on rows. KvHead is that of tensors alone: heads of
/// keys and values, which a linear computes once for each head that reads them, as Head.
enum class Role : std::uint8_t { Hidden, Filter, Vocab, Head, Position, Segment, KvHead, Class };
inline constexpr std::array<std::string_view, 8> kRoleNames = {"hidden",   "filter",  "vocab",   "head",
                                                               "position", "segment", "kv_head", "class"};

/// The largest part of the features, or of the weights of attention, that may be dropped.
constexpr double kMostDropout = 0.99;

struct NetworkTensor {
  struct Axis {
    Role role;
    int times = 1;  ///< number of feature sets next to each other: 3 for q, k and v

    friend bool operator==(const Axis&, const Axis&) = default;
  };
  std::string name;  ///< "h.0.attn.c_attn.weight"
  std::vector<Axis> shape;
  double normal = 0;      ///< standard deviation of the initial values, or
  double value = 0;       ///< the constant initial value
  bool residual = false;  ///< normal / sqrt(additions to the residual stream)
};

/// One array of features for all tokens. Each operation that writes makes a value; values of the same name share an
/// array.
struct NetworkValue {
  std::string name;  ///< name of the array: "q"
  Role role = Role::Hidden;
  int layer = -1;     ///< layer of the block it is made in; -1: none
  int maker = -1;     ///< operation
  bool kept = false;  ///< has an array of its own until backward has read it
};

struct NetworkOperation {
  using Kind = OperationKind;
  Kind kind = Kind::Loss;
  std::string name;  ///< "h.0.attn.c_attn"
  int layer = -1;
  std::vector<int> in = {}, out = {};  ///< values
  int add = -1;                        ///< Linear: a value that is added to `out`
  /// Embed: tokens, positions if there are, and then segments if there are. Norm: scale, and shift if there is one.
  /// Linear: weight, and bias if there is one.
  std::vector<int> tensors = {};
  std::shared_ptr<const Function> function = nullptr;  ///< Elementwise
  double by = 1;                                       ///< Elementwise: the function's constant
  bool out_by_in = false;                              ///< Linear: the weight is [out, in], not [in, out]
  bool centers = true;                                 ///< Norm: subtracts the mean; otherwise RMSNorm
  double p = 0;                                        ///< Dropout: part of the features that is dropped, or
                                                       ///< Attention: of the weights
  int site = 0;                                        ///< its number among the operations of the network that drop
  bool causal = true;                                  ///< Attention: a token sees no later ones
  bool keeps = true;                                   ///< Norm: has arrays of its own for what backward needs
  int line = 0;                                        ///< line of the file
};

struct LayerGraph {
  std::string name, file;
  std::string kernels;                 ///< text of the file's own kernels, each in its line of the file
  std::vector<NetworkTensor> tensors;  ///< in the order of the flat parameter vector
  std::vector<NetworkValue> values;
  std::vector<NetworkOperation> operations;  ///< forward, in order; the last is a loss

  const NetworkTensor& tensor(const NetworkOperation& op, std::size_t n) const {
    return tensors[static_cast<std::size_t>(op.tensors[n])];
  }
  const NetworkValue& value(int v) const { return values[static_cast<std::size_t>(v)]; }
};

/// The values that forward keeps for backward.
enum class Recompute : std::uint8_t {
  None,  ///< those that the file names
  Block  ///< the input of each block; the block is computed again before its backward
};

/// Properties that a network's file leaves open.
struct NetworkSizes {
  int layers = 1;
  bool tied = false;  ///< tensors that may be tied are tied
  Recompute recompute = Recompute::None;
  /// Part of the features that is dropped from what linears add to the residual stream, and from embeddings.
  double residual_dropout = 0, embedding_dropout = 0;
  double attention_dropout = 0;  ///< part of attention's weights, in operations that name none
};

/// The network of a file's text. Throws Refusal of model.network that names `file` and the line.
LayerGraph read_network(std::string_view text, const std::string& file, const NetworkSizes& sizes);

/// Returns true if `name` is that of a built-in network, not a path.
bool is_built_in(std::string_view name);

/// A built-in network, by its name, or the network in a file, by its path. Throws Refusal.
LayerGraph find_network(const std::string& name_or_path, const NetworkSizes& sizes);

/// The text of a network's file. Throws Refusal of model.network.
std::string network_text(const std::string& name_or_path);

}  // namespace weft::network
