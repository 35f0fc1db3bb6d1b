#include "tests/reference/parity.hpp"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "host/checkpoint/checkpoint.hpp"
#include "host/config/file/load.hpp"

namespace weft::reference {
namespace {

const std::string kFolder = WEFT_SOURCE "/tests/reference/pytorch/";

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file + " cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

nlohmann::json all_cases() { return nlohmann::json::parse(text_of(kFolder + "cases.json")); }

std::vector<config::Override> overrides(const std::string& name) {
  const nlohmann::json all = all_cases();
  std::vector<config::Override> result = {{"eval_input.data_dir", WEFT_SOURCE "/configs/corpus.txt"},
                                          {"wafer.backend", "model"}};
  for (const auto* section : {&all.at("all"), &all.at("cases").at(name)}) {
    for (const auto& [key, value] : section->items()) result.push_back({key, value.get<std::string>()});
  }
  return result;
}

std::string params() { return WEFT_SOURCE "/" + all_cases().at("params").get<std::string>(); }

}  // namespace

std::vector<std::string> case_names(const std::string& section) {
  std::vector<std::string> names;
  const nlohmann::json all = all_cases();
  for (const auto& entry : all.at(section).items()) names.push_back(entry.key());
  return names;
}

config::Config option_config(const std::string& name) {
  std::vector<config::Override> changes = {
      {"train_input.shuffle", "false"}, {"wafer.backend", "model"}, {"runconfig.num_steps", "50"}};
  const nlohmann::json all = all_cases();
  for (const auto& [key, value] : all.at("options").at(name).items())
    changes.push_back({key, value.get<std::string>()});
  return config::load_config(params(), changes);
}

config::Config case_config(const std::string& name) { return config::load_config(params(), overrides(name)); }

std::vector<std::string> case_arguments(const std::string& name) {
  std::vector<std::string> words = {"run", "--params", params()};
  for (const config::Override& o : overrides(name)) words.insert(words.end(), {"--" + o.key, o.value});
  return words;
}

std::string recorded(const std::string& name, const std::string& file) {
  return kFolder + "recorded/" + name + "/" + file;
}

std::vector<double> recorded_losses(const std::string& name) {
  std::istringstream lines(
      text_of(name.ends_with(".csv") ? kFolder + "recorded/" + name : recorded(name, "curve.csv")));
  std::string line;
  std::getline(lines, line);
  std::vector<double> losses;
  while (std::getline(lines, line)) losses.push_back(std::stod(line.substr(line.find(',') + 1)));
  return losses;
}

double recorded_eval_loss(const std::string& name, const std::string& owner) {
  return nlohmann::json::parse(text_of(recorded(name, "eval_loss.json"))).at(owner).get<double>();
}

std::vector<float> recorded_gradients(const std::string& name, const std::vector<compiler::TensorInfo>& tensors) {
  return checkpoint::load_checkpoint(recorded(name, "gradients.safetensors"), tensors).weights;
}

}  // namespace weft::reference
