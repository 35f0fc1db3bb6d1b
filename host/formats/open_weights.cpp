#include "host/formats/open_weights.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "host/checkpoint/model_folder.hpp"
#include "host/formats/hf_folder.hpp"
#include "host/formats/llmc_source.hpp"
#include "host/formats/other_folders.hpp"
#include "sw/base/known_format.hpp"
#include "sw/base/shell_word.hpp"

namespace weft::formats {

std::shared_ptr<const checkpoint::CheckpointReader> open_weights(const std::string& path,
                                                                 const compiler::ModelShape& model,
                                                                 std::span<const compiler::TensorInfo> tensors) {
  std::error_code ignored;
  if (is_hf_folder(path)) return open_hf_folder(path, model, tensors);
  if (std::filesystem::is_directory(path, ignored)) throw other_folder(path);
  if (is_llmc(path)) return open_llmc(path, model, tensors);
  return checkpoint::open_checkpoint(path, tensors);
}

compiler::ModelShape model_of_weights(const std::string& path) {
  if (is_hf_folder(path)) return hf_model(path);
  if (is_llmc(path)) return llmc_model(path);
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(path, ignored);
  if (folder && !checkpoint::ModelFolder::checkpoints_in(path).empty())
    throw checkpoint::file_error(
        path, "", "is the folder of a run, which needs no import",
        fmt::format("weft run --params {}", shell_word((std::filesystem::path(path) / "train/params.yaml").string())));
  if (folder) throw other_folder(path);
  if (!std::filesystem::exists(path, ignored))
    throw checkpoint::file_error(path, "", "does not exist",
                                 "name a folder that save_pretrained wrote, or llm.c's .bin");
  if (const std::string start = first_bytes(path); !start.empty()) check_format(start, Expected::Weights, path);
  if (std::filesystem::is_regular_file(path, ignored) && std::filesystem::file_size(path, ignored) == 0)
    throw checkpoint::file_error(path, "", "is empty", "fetch or write it again");
  throw checkpoint::file_error(path, "", "is neither a folder with a config.json nor a checkpoint of llm.c",
                               "name a folder that save_pretrained wrote, or llm.c's .bin");
}

}  // namespace weft::formats
