/// A layer graph: what a model is made of, whatever runs it (docs/network.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// What a value's features are, and so which placement on rows they have.
enum class Role : std::uint8_t { Hidden, Filter, Vocab, Head, Position };
inline constexpr std::array<std::string_view, 5> kRoleNames = {"hidden", "filter", "vocab", "head", "position"};

struct NetworkTensor {
  struct Axis {
    Role role;
    int times = 1;  ///< as many sets of features beside each other: q, k and v

    friend bool operator==(const Axis&, const Axis&) = default;
  };
  std::string name;  ///< "h.0.attn.c_attn.weight"
  std::vector<Axis> shape;
  double normal = 0;      ///< standard deviation of the initial values, or
  double value = 0;       ///< what they all are
  bool residual = false;  ///< normal / sqrt(additions to the residual stream)
};

/// One array of features for all tokens. Each operation that writes makes a value; those of a name share an array.
struct NetworkValue {
  std::string name;   ///< of the array: "q"
  std::string phase;  ///< of the phase that makes its derivative, without "d.": "h.0.ln_1.out"
  Role role = Role::Hidden;
  int layer = -1;     ///< of the block it is made in; -1: of none
  int maker = -1;     ///< operation
  bool kept = false;  ///< has an array of its own until backward has read it
};

struct NetworkOperation {
  enum class Kind : std::uint8_t { Embed, Norm, Linear, Gelu, Rotary, Attention, Loss };
  Kind kind = Kind::Loss;
  std::string name;  ///< "h.0.attn.c_attn"
  int layer = -1;
  std::vector<int> in = {}, out = {};  ///< values
  int add = -1;                        ///< Linear: a value that is added to `out`
  /// Embed: tokens, and positions if there are. Norm: scale, shift. Linear: weight, and bias if there is one.
  std::vector<int> tensors = {};
  bool out_by_in = false;  ///< Linear: the weight is [out, in], not [in, out]
  bool keeps = true;       ///< Norm: has arrays of its own for what backward needs
  int line = 0;            ///< of the file
};

struct LayerGraph {
  std::string name, file;
  std::vector<NetworkTensor> tensors;  ///< in the order of the flat parameter vector
  std::vector<NetworkValue> values;
  std::vector<NetworkOperation> operations;  ///< forward, in order; the last is the loss

  const NetworkTensor& tensor(const NetworkOperation& op, std::size_t n) const {
    return tensors[static_cast<std::size_t>(op.tensors[n])];
  }
  const NetworkValue& value(int v) const { return values[static_cast<std::size_t>(v)]; }
};

/// What backward finds where forward left it.
enum class Recompute : std::uint8_t {
  None,  ///< what the file says
  Block  ///< what goes into each block: a block is computed again before its backward
};

/// What is left open by a network's file.
struct NetworkSizes {
  int layers = 1;
  bool tied = false;  ///< tensors that may be another one's are
  Recompute recompute = Recompute::None;
};

/// The network of a file's text; `file` is named in what is thrown: Refusal of model.network, with the line.
LayerGraph read_network(std::string_view text, const std::string& file, const NetworkSizes& sizes);

/// Whether a name is that of a network that is built in, and no path.
bool is_built_in(std::string_view name);

/// A network that is built in, by its name, or the file of a path. Throws Refusal.
LayerGraph find_network(const std::string& name_or_path, const NetworkSizes& sizes);

/// Its file. Throws Refusal of model.network.
std::string network_text(const std::string& name_or_path);

}  // namespace weft
