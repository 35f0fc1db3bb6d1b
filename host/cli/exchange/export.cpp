#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <ostream>

#include "host/checkpoint/file.hpp"
#include "host/cli/exchange/exchange.hpp"
#include "host/config/file/load.hpp"
#include "host/config/keys/key_names.hpp"
#include "host/config/keys/path_keys.hpp"
#include "host/config/plural.hpp"
#include "host/data/load_data.hpp"
#include "host/formats/hf_config.hpp"
#include "host/formats/llmc_source.hpp"
#include "host/formats/whole_folder.hpp"
#include "host/formats/write_weights.hpp"
#include "host/system/progress.hpp"
#include "host/tokenizer/config_tokenizer.hpp"
#include "host/tokenizer/tokenizer_json.hpp"
#include "host/train/load_weights.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kFiles = {"config.json", "model.safetensors", "tokenizer.json",
                                                    "tokenizer_config.json", "tokenizer.model"};

/// True if the config.json of a folder was written by `weft export`.
bool is_exported(const fs::path& folder) {
  try {
    const std::vector<std::uint8_t> text = checkpoint::read_file((folder / kFiles[0]).string(), 1 << 20);
    const auto config = parse_json_or_discard({reinterpret_cast<const char*>(text.data()), text.size()});
    return config.is_object() && config.contains("weft") && config["weft"].is_object();
  } catch (const Refusal&) {
    return false;
  }
}

void write_text(const std::string& path, const std::string& text) {
  checkpoint::AtomicFile file(path);
  file.write(text);
  file.commit();
}

checkpoint::Dtype dtype_of(const config::Options& options) {
  const std::string name = config::option(options, "dtype", "fp32");
  if (name == "fp32") return checkpoint::Dtype::F32;
  if (name == "bf16") return checkpoint::Dtype::BF16;
  if (name == "fp16") return checkpoint::Dtype::F16;
  throw Refusal("--dtype", name + " is not fp32, bf16 or fp16", "use one of these");
}

/// Path in `--model_dir`, expanded before the configuration is loaded.
std::string folder_of(const config::Override& model_dir) {
  try {
    return config::expanded_path(model_dir.value);
  } catch (const Refusal& e) {
    throw e.within(model_dir.key).at("command line");
  }
}

/// Parameter file of the command line, or else the run's own.
std::string params_of(const config::Arguments& arguments) {
  if (!arguments.params.empty()) return arguments.params;
  std::string folder;
  for (const config::Override& change : arguments.overrides)
    if (change.key == "runconfig.model_dir") folder = folder_of(change);
  if (folder.empty()) throw Refusal("weft export", "has nothing to write", "name the folder of a run, --model_dir DIR");
  std::error_code ignored;
  const fs::path params = fs::path(folder) / "train/params.yaml";
  if (fs::exists(params, ignored)) return params.string();
  throw Refusal("--params", fmt::format("missing, and there is no {}", params.string()),
                "name the parameter file of the run, or the folder of another run");
}

/// Rewrites the error about a file in a temporary folder as one about the final folder.
Refusal of_target(const Refusal& refusal, const std::string& part, const std::string& target) {
  std::string subject = refusal.subject();
  if (!subject.starts_with(part)) return refusal;
  subject.replace(0, part.size(), target);
  return refusal.reworded(subject, refusal.problem(), refusal.hint());
}

void write_hf(const std::string& target, const config::Config& config, const train::ResumePoint& start,
              checkpoint::Dtype dtype, std::span<const compiler::TensorInfo> tensors, const formats::Written& written) {
  // throws before the folder is created
  const std::string text = formats::hf_config(config.model, dtype, start.step());
  const auto tokenizer = tokenizer::saved_tokenizer(config);
  formats::WholeFolder folder(target, kFiles, is_exported);
  try {
    write_text(folder.file("config.json"), text);
    formats::write_hf_weights(folder.file("model.safetensors"), *start.checkpoint, tensors, dtype, written);
    if (tokenizer && tokenizer->kind() == tokenizer::Tokenizer::Kind::SentencePiece) {
      write_text(folder.file("tokenizer.model"), tokenizer->file());
    } else if (tokenizer) {
      write_text(folder.file("tokenizer.json"), tokenizer::tokenizer_json(*tokenizer));
      write_text(folder.file("tokenizer_config.json"), tokenizer::tokenizer_config_json(config.model.seq));
    }
  } catch (const Refusal& refusal) {
    throw of_target(refusal, folder.part(), target);
  }
  start.checkpoint->check();
  folder.commit();
}

void write_bin(const std::string& target, const config::Config& config, const train::ResumePoint& start,
               checkpoint::Dtype dtype, std::span<const compiler::TensorInfo> tensors,
               const formats::Written& written) {
  if (dtype == checkpoint::Dtype::F16) throw Refusal("--dtype", "fp16 is not supported by llm.c", "use fp32 or bf16");
  std::error_code ignored;
  if (fs::exists(target, ignored) && !formats::is_llmc(target)) {
    throw checkpoint::file_error(target, "", "exists and is not a checkpoint of llm.c",
                                 "name another file, or move it away");
  }
  formats::write_llmc(target, *start.checkpoint, config.model, tensors, dtype, written);
}

}  // namespace

int export_command(const config::Arguments& arguments, std::ostream& out, std::ostream& notes, bool terminal) {
  const config::Options& options = arguments.options;
  const std::string to = config::option(options, "to", ""), target = config::option(options, "out", "");
  if (to != "hf" && to != "llmc")
    throw Refusal("--to", to.empty() ? "missing" : to + " is neither hf nor llmc",
                  "write --to hf DIR, or --to llmc FILE");
  if (target.empty()) throw Refusal("weft export", "has no place to write to", fmt::format("write --to {} PATH", to));
  const checkpoint::Dtype dtype = dtype_of(options);
  config::Config config = config::load_config(params_of(arguments), arguments.overrides);
  config.runconfig.mode = "generate";  // loads trained weights; no prompts needed
  config.runconfig.prompt.clear();
  try {
    const std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(config.model);
    system::Progress bar(notes, terminal);
    const train::ResumePoint start =
        system::timed(&bar, "reading the checkpoint", [&] { return train::load_weights(config, tensors); });
    for (const std::string& line : start.lines) out << line << '\n';
    bar.begin("export", compiler::parameter_count(tensors));
    (to == "hf" ? write_hf : write_bin)(target, config, start, dtype, tensors,
                                        [&](std::uint64_t elements) { bar.show(elements); });
    bar.clear();
    out << fmt::format("export  {}: {} in {}\n", target,
                       config::plural(compiler::parameter_count(tensors), "parameter"),
                       config::option(options, "dtype", "fp32"));
  } catch (const Refusal& refusal) {
    throw config::placed(config, refusal);
  }
  return 0;
}

}  // namespace weft::cli
