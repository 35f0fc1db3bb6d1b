#include "host/appliance/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "host/appliance/permutation.hpp"
#include "host/appliance/tokenizer.hpp"

namespace weft {

TrainingData::TrainingData(std::vector<std::uint16_t> tokens, const SampleShape& shape)
    : tokens_(std::move(tokens)), shape_(shape), samples_(tokens_.empty() ? 0 : (tokens_.size() - 1) / shape.seq) {
  if (samples_ == 0) {
    throw std::invalid_argument(fmt::format("{} tokens make no sample of {}", tokens_.size(), shape.seq));
  }
}

std::uint64_t TrainingData::sample_at(std::uint64_t position) const {
  const std::uint64_t epoch = position / samples_, within = position % samples_;
  return shape_.shuffle ? permute(within, samples_, mix64(mix64(shape_.seed) + epoch)) : within;
}

Batch TrainingData::micro_batch(std::uint64_t step, int m) const {
  Batch batch;
  const std::uint64_t first = step * shape_.batch + static_cast<std::uint64_t>(m) * shape_.micro_batch;
  for (int i = 0; i < shape_.micro_batch; ++i) {
    const auto begin = tokens_.begin() + static_cast<std::ptrdiff_t>(sample_at(first + i) * shape_.seq);
    batch.inputs.insert(batch.inputs.end(), begin, begin + shape_.seq);
    batch.labels.insert(batch.labels.end(), begin + 1, begin + 1 + shape_.seq);
  }
  return batch;
}

std::string read_corpus(const std::string& path) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  if (fs::is_directory(path)) {
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.is_regular_file() && entry.path().extension() == ".txt") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    if (files.empty()) throw std::runtime_error(path + " has no *.txt");
  } else {
    files.push_back(path);
  }
  std::stringstream text;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error(file.string() + " cannot be read");
    if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  }
  return text.str();
}

namespace {

std::string read(const Config& config, const char* key, const std::string& path) {
  try {
    return read_corpus(path);
  } catch (const std::runtime_error& e) {
    throw config.error(key, e.what(), "give a text file or a folder of *.txt");
  }
}

TrainingData sampled(const Config& config, const char* key, std::vector<std::uint16_t> tokens,
                     const SampleShape& shape) {
  try {
    return TrainingData(std::move(tokens), shape);
  } catch (const std::invalid_argument& e) {
    throw config.error(key, e.what(), "give a longer text or reduce model.max_sequence_length");
  }
}

}  // namespace

TrainingData load_training_data(const Config& config) {
  const char* key = "train_input.data_dir";
  const std::string text = read(config, key, config.train_input.data_dir);
  const CharTokenizer tokenizer(text);
  if (tokenizer.size() > config.model.vocab) {
    throw config.error("model.vocab_size",
                       fmt::format("{} is less than the {} different characters of {}", config.model.vocab,
                                   tokenizer.size(), config.train_input.data_dir),
                       fmt::format("use {} or more", tokenizer.size()));
  }
  return sampled(config, key, tokenizer.encode(text),
                 {.seq = config.model.seq,
                  .batch = config.train_input.batch_size,
                  .micro_batch = config.model.micro_batch,
                  .shuffle = config.train_input.shuffle,
                  .seed = static_cast<std::uint64_t>(config.train_input.seed)});
}

TrainingData load_eval_data(const Config& config) {
  const char* key = "eval_input.data_dir";
  const CharTokenizer tokenizer(read(config, "train_input.data_dir", config.train_input.data_dir));
  const std::string text = read(config, key, config.eval_input.data_dir);
  try {
    return sampled(
        config, key, tokenizer.encode(text),
        {.seq = config.model.seq, .batch = config.eval_input.batch_size, .micro_batch = config.model.micro_batch});
  } catch (const std::out_of_range& e) {
    throw config.error(key, e.what(), "evaluate on characters of the training text only");
  }
}

}  // namespace weft
