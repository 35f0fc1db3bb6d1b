#include "host/checkpoint/foreign.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "host/checkpoint/model_tensors.hpp"
#include "host/checkpoint/unusable.hpp"
#include "sw/base/shell_word.hpp"

namespace weft::checkpoint {
namespace {

constexpr const char* kHead = "lm_head.weight";

/// True for a matrix of GPT-2's blocks.
bool is_block_matrix(std::string_view name) {
  return name.starts_with("h.") && name.find(".c_") != std::string_view::npos && name.ends_with(".weight");
}

/// True for buffers that PyTorch's GPT-2, GPT-J and LLaMA save next to the weights: causal masks and angles.
bool is_buffer(std::string_view name) {
  return name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias") ||
         name.ends_with(".attn.embed_positions") || name.ends_with(".rotary_emb.inv_freq");
}

/// Segments that wrappers of PyTorch insert anywhere into a name: torch.compile, FSDP, activation checkpoints.
constexpr std::string_view kWrappers[] = {"_orig_mod.", "_fsdp_wrapped_module.", "_checkpoint_wrapped_module.",
                                          "_forward_module."};
/// Prefixes of all names: of DataParallel, of a trainer's module, of the class with a head.
constexpr std::string_view kPrefixes[] = {"module.", "model.", "transformer.", "network."};

/// LLaMA's name of a block's tensor in Weft's form: "model.layers.0.mlp.up_proj.weight" is "model.h.0.mlp...".
std::string with_blocks(std::string name) {
  constexpr std::string_view kLayers = "layers.";
  const std::size_t at = name.find(kLayers);
  if (at != std::string::npos && (at == 0 || name[at - 1] == '.')) name.replace(at, kLayers.size(), "h.");
  return name;
}

/// Removes wrappers and prefixes from the name, unless the model has a tensor of exactly this name.
std::string unwrapped(std::string name, std::span<const compiler::TensorInfo> infos) {
  const auto known = [&](const std::string& one) {
    return std::ranges::find(infos, one, &compiler::TensorInfo::name) != infos.end();
  };
  if (known(name)) return name;
  for (const std::string_view wrapper : kWrappers)
    for (std::size_t at = 0; (at = name.find(wrapper, at)) != std::string::npos;)
      if (at == 0 || name[at - 1] == '.')
        name.erase(at, wrapper.size());
      else
        ++at;
  while (!known(name)) {
    if (const std::string block = with_blocks(name); known(block)) return block;
    const auto* prefix = std::ranges::find_if(kPrefixes, [&](std::string_view p) { return name.starts_with(p); });
    if (prefix == std::end(kPrefixes)) break;
    name.erase(0, prefix->size());
  }
  return name;
}

/// A prefix of all names, except perhaps the head's, whose removal yields the names of the model: `base_model.model.`
/// of PEFT, or `gpt.` and `backbone.` of custom classes. "" if there is none.
std::string other_prefix(const std::vector<TensorView>& tensors, std::span<const compiler::TensorInfo> infos) {
  const auto is_head = [](const std::string& name) { return name.ends_with(kHead); };
  const auto first = std::ranges::find_if(tensors, [&](const TensorView& t) { return !is_head(t.name); });
  if (first == tensors.end()) return {};
  const auto is_of_all = [&](std::string_view prefix) {
    return std::ranges::all_of(tensors,
                               [&](const TensorView& t) { return t.name.starts_with(prefix) || is_head(t.name); });
  };
  const auto makes_all = [&](std::string_view prefix) {
    std::set<std::string> names;
    for (const TensorView& t : tensors)
      names.insert(unwrapped(t.name.starts_with(prefix) ? t.name.substr(prefix.size()) : t.name, infos));
    return std::ranges::all_of(infos, [&](const compiler::TensorInfo& info) { return names.contains(info.name); });
  };
  for (std::size_t dot = 0; (dot = first->name.find('.', dot)) != std::string::npos;) {
    const std::string prefix = first->name.substr(0, ++dot);
    if (!is_of_all(prefix)) return {};
    if (makes_all(prefix)) return prefix;
  }
  return {};
}

/// Throws if the tensors belong to another kind of model or file, for which a missing tensor would be a misleading
/// error.
void check_kind(const std::string& file, const std::vector<TensorView>& tensors,
                std::span<const compiler::TensorInfo> infos) {
  for (const TensorView& tensor : tensors)
    if (tensor.name.find(".lora_A") != std::string::npos)
      throw file_error(file, tensor.name, "belongs to an adapter (LoRA), not to a whole model",
                       "merge it into its model: merge_and_unload(), then save_pretrained");
  const auto is_ours = [&](const TensorView& tensor) {
    return tensor.name == kHead || std::ranges::find(infos, tensor.name, &compiler::TensorInfo::name) != infos.end();
  };
  if (tensors.empty()) throw file_error(file, "", "has no tensors", "take the file that has the model's weights");
  if (std::ranges::none_of(tensors, is_ours))
    throw file_error(file, tensors.front().name, "is not a tensor of the model, and no other tensor of the file is",
                     "take the weights of a GPT-2, GPT-J or LLaMA, under the names of transformers");
  for (const TensorView& tensor : tensors) {
    const auto info = std::ranges::find(infos, tensor.name, &compiler::TensorInfo::name);
    if (info == infos.end() || tensor.shape.size() != 2 || info->dims.size() != 2) continue;
    const auto rows = static_cast<std::uint64_t>(info->dims[0]), columns = static_cast<std::uint64_t>(info->dims[1]);
    if (rows == columns || tensor.shape[0] != columns || tensor.shape[1] != rows || !is_block_matrix(tensor.name))
      continue;
    throw file_error(
        file, tensor.name,
        fmt::format("has the shape [{}, {}], the model's is [{}, {}]: the order of nn.Linear (nanoGPT)", columns, rows,
                    rows, columns),
        "transpose the blocks' matrices: python3 -c \"import sys;from safetensors.torch import load_file as "
        "l,save_file as s;s({k:v.t().contiguous() if v.dim()==2 and '.c_' in k else v for k,v in "
        "l(sys.argv[1]).items()},sys.argv[2])\" " +
            shell_word(file) + " OUT.safetensors");
  }
}

/// Renames the tensors to the names of the model and drops buffers. A buffer's name may be a tensor of another network.
std::vector<TensorView> renamed(const std::string& file, std::vector<TensorView> tensors,
                                std::span<const compiler::TensorInfo> infos) {
  std::vector<TensorView> result;
  const std::string prefix = other_prefix(tensors, infos);
  for (TensorView& tensor : tensors) {
    if (tensor.name.starts_with("weft.")) {
      throw file_error<DamagedFile>(file, tensor.name, "has no weft.format next to it", "take another checkpoint");
    }
    if (tensor.name.starts_with(prefix)) tensor.name.erase(0, prefix.size());
    tensor.name = unwrapped(std::move(tensor.name), infos);
    if (is_buffer(tensor.name) && std::ranges::find(infos, tensor.name, &compiler::TensorInfo::name) == infos.end())
      continue;
    result.push_back(std::move(tensor));
  }
  return result;
}

/// True if two tensors have the same numbers; reads both in chunks.
bool are_equal(const ByteSource& source, const TensorView& one, const TensorView& other, std::uint64_t size) {
  constexpr std::uint64_t kSome = ByteSource::kSome / sizeof(float);
  std::vector<float> mine;
  bool equal = true;
  for (std::uint64_t at = 0; at < size && equal; at += kSome) {
    const std::uint64_t count = std::min(kSome, size - at);
    mine.clear();
    for_each_float(source, one, at, count, [&](auto values) { mine.insert(mine.end(), values.begin(), values.end()); });
    auto next = mine.begin();
    for_each_float(source, other, at, count, [&](auto values) {
      equal &= std::ranges::equal(values, std::span(next, values.size()));
      next += static_cast<std::ptrdiff_t>(values.size());
    });
  }
  return equal;
}

}  // namespace

std::vector<TensorView> take_foreign(const std::string& file, const ByteSource& source, std::vector<TensorView> views,
                                     std::span<const compiler::TensorInfo> infos) {
  views = renamed(file, std::move(views), infos);
  check_kind(file, views, infos);
  ModelTensors tensors(file, source, std::move(views));
  std::vector<TensorView> taken;
  for (const compiler::TensorInfo& t : infos) {
    taken.push_back(tensors.take_floats(t.name, t));
    if (const auto problem = tensors.first_fault(taken.back(), beyond_limit)) {
      tensors.fail(t.name, *problem, "take another file");
    }
  }
  // The head of a model with shared embeddings must equal the token table.
  const auto wte = std::ranges::find_if(infos, [](const compiler::TensorInfo& info) {
    return info.name == "wte.weight" || info.name == "embed_tokens.weight";
  });
  if (wte != infos.end() && tensors.has(kHead)) {
    const TensorView head = tensors.take_floats(kHead, *wte);
    if (!are_equal(source, head, taken[static_cast<std::size_t>(wte - infos.begin())], wte->size))
      tensors.fail(kHead, "differs from " + wte->name, "set model.share_embedding_weights false");
  }
  tensors.finish();
  return taken;
}

}  // namespace weft::checkpoint
