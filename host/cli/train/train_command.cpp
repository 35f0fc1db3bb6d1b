#include "host/cli/train/train_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ostream>

#include "host/checkpoint/file.hpp"
#include "host/cli/text/commands.hpp"
#include "host/cli/train/text_settings.hpp"
#include "host/config/file/load.hpp"
#include "host/config/file/show.hpp"
#include "host/config/keys/path_keys.hpp"
#include "host/config/plural.hpp"
#include "host/planning/smallest_wafer.hpp"
#include "host/ranks/ranks.hpp"
#include "host/system/progress.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kSteps = 1000;

std::string text_of(const std::string& file) {
  std::error_code error;
  if (!fs::exists(file, error)) throw Refusal(file, "does not exist", "name a text: weft train my.txt");
  if (fs::is_directory(file, error))
    throw Refusal(file, "is a folder", "name one text; weft run trains on folders: train_input.data_dir");
  const std::vector<std::uint8_t> bytes = checkpoint::read_file(file);
  return {bytes.begin(), bytes.end()};
}

/// Value of the last override of the key; empty if there is none.
std::string override_of(const config::Arguments& arguments, std::string_view key) {
  std::string value;
  for (const config::Override& change : arguments.overrides)
    if (change.key == key) value = change.value;
  return value;
}

std::string run_folder(const config::Arguments& arguments) {
  try {
    return config::expanded_path(override_of(arguments, "runconfig.model_dir"));
  } catch (const Refusal& refusal) {
    throw refusal.within("--model_dir");
  }
}

/// Trains a BPE on the text; returns the path of its tokenizer.json.
std::string train_tokenizer(const std::string& file, int vocab, const std::string& folder, std::ostream& notes,
                            bool terminal, bool quiet) {
  config::Options options = {{"what", "train"}, {"in", file}, {"vocab_size", std::to_string(vocab)}, {"out", folder}};
  if (quiet) options["quiet"] = "";
  tokenizer_command(options, notes, notes, terminal);
  return (fs::path(folder) / "tokenizer.json").string();
}

std::string words(const TextSettings& settings) {
  if (settings.tokenizer == "char")
    return fmt::format("tokens are the {} of the text", config::plural(settings.vocab, "different character"));
  return settings.tokenizer == "byte" ? "tokens are bytes, since the text is not UTF-8"
                                      : fmt::format("tokens are a BPE of {}, trained on the text", settings.vocab);
}

/// Writes the chosen settings and those of the command line, except for the mode, which is of one call.
void write_parameters(config::Config config, const std::string& params, const std::string& file) {
  config.runconfig.max_steps = config.runconfig.steps();
  config.places.erase("runconfig.num_steps");
  config.places.erase("runconfig.mode");
  checkpoint::AtomicFile out(params);
  out.write(fmt::format("# Chosen by weft train for {}. Change it, and train again: weft run --params FILE\n",
                        one_line(fs::path(file).filename().string())));
  out.write(config::config_yaml(config, true));
  out.commit();
}

/// Throws Refusal if the parameter file that is there trains on another text than `file`.
void check_text(const std::string& params, const std::string& file) {
  const config::Config config = config::load_config(params);
  const std::string& trained = config.train_input.data_dir;
  std::error_code error;
  const bool same = fs::exists(trained, error)
                        ? fs::equivalent(trained, file, error)
                        : fs::weakly_canonical(trained, error) == fs::weakly_canonical(file, error);
  if (!same)
    throw Refusal(one_line(params), fmt::format("exists and trains on {}, not on {}", one_line(trained), one_line(file)),
                  "name another folder for this text, --model_dir DIR");
}

}  // namespace

config::Arguments prepare_training(const config::Arguments& arguments, std::ostream& out, std::ostream& notes,
                                   bool terminal) {
  const std::string file = config::option(arguments.options, "in", "");
  if (file.empty()) throw Refusal("weft train", "has no text", "name one: weft train my.txt");
  if (!arguments.params.empty())
    throw Refusal("--params", "does not apply to weft train, which writes a parameter file", "use weft run");
  if (ranks::read_ranks([](const char* name) -> const char* { return std::getenv(name); }))
    throw Refusal("weft train", "runs in one process, but this is one of several",
                  "train once, then run its parameter file with weft run in each process");
  for (const char* key : {"train_input.data_dir", "train_input.tokenizer", "train_input.vocab_file"})
    if (!override_of(arguments, key).empty())
      throw Refusal(std::string("--") + key, "is chosen by weft train",
                    "leave it out, and change it in the parameter file that weft train writes");
  system::Progress bar(notes, terminal);
  system::Progress* const progress = arguments.options.contains("quiet") ? nullptr : &bar;
  const std::string text = system::timed(progress, "reading the text", [&] { return text_of(file); });
  const TextSettings settings =
      system::timed(progress, "counting its characters", [&] { return settings_for(text, file); });

  std::string folder = run_folder(arguments);
  if (folder.empty()) folder = (fs::path("out") / fs::path(file).stem()).string();
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  const std::string params = folder + ".yaml";
  config::Arguments run = arguments;
  run.params = params;
  std::error_code error;
  if (fs::exists(params, error)) {
    check_text(params, file);
    out << fmt::format("params  {} exists and is used; remove it for a new choice\n", one_line(params));
    return run;
  }
  fs::create_directories(fs::path(params).parent_path().empty() ? "." : fs::path(params).parent_path(), error);
  const std::string vocab_file = settings.tokenizer != "bpe"
                                     ? ""
                                     : train_tokenizer(file, settings.vocab, folder + ".tokenizer", notes, terminal,
                                                       arguments.options.contains("quiet"));
  std::vector<config::Override> overrides = {{"train_input.data_dir", config::written_path(file)},
                                             {"runconfig.model_dir", config::written_path(folder)}};
  if (!vocab_file.empty()) overrides.push_back({"train_input.vocab_file", config::written_path(vocab_file)});
  overrides.insert(overrides.end(), arguments.overrides.begin(), arguments.overrides.end());
  const config::Config first = config::parse_config(parameters_for(settings, kSteps), params, overrides);
  const int steps = first.runconfig.steps();
  const config::Config config = system::timed(progress, "choosing the mesh", [&] {
    return planning::with_smallest_wafer(overrides, [&](const std::vector<config::Override>& all) {
      return config::parse_config(parameters_for(settings, steps), params, all);
    });
  });
  write_parameters(config, params, file);
  out << fmt::format(
      "text    {}: {}, {}\n"
      "chosen  {}, hidden {}, sequences of {}, on the smallest mesh that they fit, {} x {} tiles, for {}\n"
      "params  {}: change it, and train again with weft run --params {}\n",
      one_line(file), config::format_bytes(static_cast<double>(text.size())), words(settings),
      config::plural(static_cast<std::uint64_t>(config.model.layers), "layer"), config.model.hidden, config.model.seq,
      config.wafer.rows, config.wafer.cols, config::plural(static_cast<std::uint64_t>(steps), "step"), one_line(params),
      one_line(params));
  std::erase_if(run.overrides, [](const config::Override& change) { return change.key != "runconfig.mode"; });
  return run;
}

}  // namespace weft::cli
