/// A SentencePiece model trained by a test.
#pragma once

#include <gtest/gtest.h>
#include <sentencepiece_trainer.h>

#include <string>
#include <vector>

#include "tests/random.hpp"

namespace weft::tokenizer {

class Sentences final : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(std::vector<std::string> all) : all_(std::move(all)) {}
  bool done() const override { return at_ == all_.size(); }
  void Next() override { ++at_; }
  const std::string& value() const override { return all_[at_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::vector<std::string> all_;
  std::size_t at_ = 0;
};

/// A model trained on random words, with byte fallback for unknown characters.
inline std::string small_model(const std::string& type) {
  test::Rng rng(test::test_seed());
  std::vector<std::string> sentences;
  for (int i = 0; i < 300; ++i) {
    std::string sentence;
    for (int w = 0; w < 10; ++w) {
      static constexpr const char* kParts[] = {"the", "wa", "fer", "to", "ken", "s", "ing", "er", "and"};
      for (std::uint32_t n = 1 + rng.below(3); n > 0; --n) sentence += kParts[rng.below(std::size(kParts))];
      sentence += ' ';
    }
    sentences.push_back(sentence);
  }
  std::string model;
  Sentences iterator(sentences);
  const auto status = sentencepiece::SentencePieceTrainer::Train(
      "--vocab_size=330 --byte_fallback=true --hard_vocab_limit=false --minloglevel=2 --model_type=" + type, &iterator,
      &model);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return model;
}

}  // namespace weft::tokenizer
