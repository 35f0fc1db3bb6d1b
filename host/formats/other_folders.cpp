#include "host/formats/other_folders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "host/checkpoint/error.hpp"
#include "host/checkpoint/model_folder.hpp"
#include "sw/base/shell_word.hpp"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;

constexpr auto kMerge = "merge it into its model: merge_and_unload(), then save_pretrained";
constexpr auto kSavePretrained = "name a folder that save_pretrained wrote, or a file of checkpoint_N.safetensors";

/// The names in a folder, sorted.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  std::ranges::sort(names);
  return names;
}

/// The first name that contains one of these parts.
std::string with(const std::vector<std::string>& names, std::initializer_list<std::string_view> parts) {
  for (const std::string& name : names)
    for (const std::string_view part : parts)
      if (name.find(part) != std::string::npos) return name;
  return {};
}

}  // namespace

Refusal other_folder(const std::string& folder) {
  const std::vector<std::string> names = names_in(folder);
  const auto refuse = [&](const std::string& has, const std::string& hint) {
    return checkpoint::file_error(folder, "", fmt::format("has {}, but no config.json", has), hint);
  };
  if (const auto own = checkpoint::ModelFolder::checkpoints_in(folder); !own.empty())
    return checkpoint::file_error(folder, "", "is a folder of checkpoints, not one of them",
                                  "name the file " + own.front().file);
  if (const std::string name = with(names, {"adapter_config.json"}); !name.empty())
    return refuse(name + ", of an adapter (LoRA)", kMerge);
  if (const std::string name = with(names, {".distcp"}); !name.empty())
    return refuse(
        name + ", of a distributed checkpoint of PyTorch",
        fmt::format("make one file of it: python3 -m torch.distributed.checkpoint.format_utils dcp_to_torch {} "
                    "OUT.pt",
                    shell_word(folder)));
  if (const std::string name = with(names, {"mp_rank_", "zero_pp_rank_", "zero_to_fp32.py"}); !name.empty())
    return refuse(name + ", of a checkpoint of DeepSpeed",
                  fmt::format("make one file of it: python3 {} {} OUT.pt",
                              shell_word((fs::path(folder) / "zero_to_fp32.py").string()), shell_word(folder)));
  if (const std::string name = with(names, {".data-00000-of-", "saved_model.pb"}); !name.empty())
    return refuse(
        name + ", of TensorFlow",
        "load it with transformers 4 (from_tf=True) and save_pretrained(FOLDER, safe_serialization=True); name FOLDER");
  if (const std::string name = with(names, {"_CHECKPOINT_METADATA", "manifest.ocdbt"}); !name.empty())
    return refuse(name + ", of Orbax",
                  "load it with Flax and save_pretrained(FOLDER, safe_serialization=True); name FOLDER");
  if (const std::string name = with(names, {".safetensors", ".pt", ".pth", ".bin", ".ckpt", ".gguf"}); !name.empty())
    return refuse(name, fmt::format("name that file, {}, or put the model's config.json next to it",
                                    (fs::path(folder) / name).string()));
  if (fs::path(folder).extension() == ".safetensors")
    return checkpoint::file_error(folder, "", "is a folder, not a file of safetensors", "move it away, or name a file");
  return checkpoint::file_error(folder, "", "is a folder without a config.json", kSavePretrained);
}

namespace {

constexpr auto kNeither = "has neither model.safetensors nor model.safetensors.index.json";

/// The error for weights under an unsupported name, such as variants (fp16) and shards without their index.
Refusal named_otherwise(const std::string& folder, const std::vector<std::string>& names) {
  const auto move = [&](const std::string& name, const char* to) {
    return fmt::format("give it that name: mv {} {}", shell_word((fs::path(folder) / name).string()),
                       shell_word((fs::path(folder) / to).string()));
  };
  const std::string index = with(names, {".safetensors.index."}), shard = with(names, {"-of-"}),
                    one = with(names, {".safetensors"});
  const std::string found = !index.empty() ? index : !shard.empty() ? shard : one;
  if (found.empty() || found.find(".safetensors") == std::string::npos)
    return checkpoint::file_error(folder, "", kNeither, "fetch the weights in safetensors into the folder");
  const std::string problem = fmt::format("{}, but {}", kNeither, found);
  if (!index.empty()) return checkpoint::file_error(folder, "", problem, move(index, "model.safetensors.index.json"));
  if (!shard.empty())
    return checkpoint::file_error(folder, "", problem,
                                  "fetch model.safetensors.index.json of the same model into the folder");
  return checkpoint::file_error(folder, "", problem, move(one, "model.safetensors"));
}

}  // namespace

Refusal no_safetensors(const std::string& folder) {
  std::vector<std::string> names = names_in(folder);
  const std::string adapter = with(names, {"adapter_model", "adapter_config.json"});
  std::erase_if(names, [](const std::string& name) { return name.starts_with("adapter_"); });
  if (!adapter.empty() &&
      with(names, {".safetensors", "pytorch_model", ".msgpack", ".h5", ".gguf", ".pt", ".bin"}).empty())
    return checkpoint::file_error(folder, "", fmt::format("{}, but {}, of an adapter (LoRA)", kNeither, adapter),
                                  kMerge);
  const std::string other = with(names, {"pytorch_model", ".msgpack", "tf_model.h5", ".gguf", ".pt", ".bin"});
  const bool is_old =
      other.ends_with(".msgpack") || other.ends_with(".h5");  // Flax and TensorFlow, removed in version 5
  const auto load = [&](const char* more) {
    return fmt::format(
        "convert it{}: python3 -c \"import sys;from transformers import AutoModelForCausalLM as M;"
        "M.from_pretrained(sys.argv[1]{}).save_pretrained(sys.argv[2],safe_serialization=True)\" {} OUT; name OUT",
        is_old ? ", with transformers 4" : "", more, shell_word(folder));
  };
  if (other.empty()) return named_otherwise(folder, names);
  const char* more = other.ends_with(".msgpack") ? ",from_flax=True"
                     : other.ends_with(".h5")    ? ",from_tf=True"
                     : other.ends_with(".gguf")  ? ",gguf_file=sys.argv[3]"
                                                 : "";
  std::string hint = load(more);
  if (other.ends_with(".gguf")) hint.replace(hint.rfind(" OUT; name"), 4, " OUT " + shell_word(other));
  return checkpoint::file_error(folder, "", fmt::format("{}, but {}", kNeither, other), hint);
}

}  // namespace weft::formats
