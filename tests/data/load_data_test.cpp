/// From a data_dir to samples, and the errors along the way.
#include "host/data/load_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "host/tokenizer/vocabulary.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::data {
namespace {

class LoadData : public testing::Test {
 protected:
  LoadData() {
    config_.file = "mine.yaml";
    config_.places["model.vocab_size"] = {"mine.yaml", 12};
    config_.model.seq = 4;
    config_.model.micro_batch = 1;
    config_.train_input.batch_size = 1;
    config_.train_input.shuffle = false;
    config_.runconfig.model_dir = folder_ / "model";
    std::filesystem::create_directories(config_.runconfig.model_dir);
  }

  /// The error message without the folder's path.
  template <class Work>
  std::string message(const Work& work) {
    try {
      work();
    } catch (const Refusal& e) {
      std::string text = e.what();
      const std::string path = folder_.path().string() + "/";
      for (std::size_t at; (at = text.find(path)) != std::string::npos;) text.erase(at, path.size());
      return text;
    }
    return "no error";
  }
  std::string train(const std::string& data_dir) {
    config_.train_input.data_dir = folder_ / data_dir;
    return message([&] { load_training_data(config_); });
  }
  std::string eval(const std::string& data_dir) {
    config_.eval_input.data_dir = folder_ / data_dir;
    return message([&] { load_eval_data(config_); });
  }
  std::vector<TokenId> first_sample(const std::string& data_dir) {
    config_.train_input.data_dir = folder_ / data_dir;
    return load_training_data(config_).micro_batch(0, 0).inputs;
  }

  const test::TemporaryFolder folder_;
  config::Config config_;
};

using Ids = std::vector<TokenId>;

TEST_F(LoadData, AFormatOfShardsIsNotedWhereThereIsOnlyText) {
  folder_.write("a.txt", "hello");
  folder_.write("a.bin", "");
  config_.train_input.data_dir = folder_ / "a.txt";
  EXPECT_EQ(note_shard_format(config_), std::nullopt);
  config_.train_input.shard_format = "nanogpt";
  EXPECT_EQ(note_shard_format(config_),
            "note    train_input.shard_format: has no effect: applies to token shards, but " + (folder_ / "a.txt") +
                " has none");
  config_.eval_input.data_dir = folder_ / "a.bin";
  EXPECT_EQ(note_shard_format(config_), std::nullopt);
  config_.eval_input.data_dir = folder_ / "none";
  EXPECT_EQ(note_shard_format(config_), std::nullopt);
}

TEST_F(LoadData, ASmallVocabularyIsRefusedWithTheSizeItNeeds) {
  folder_.write("a.txt", "hello world");
  config_.model.vocab = 8;
  EXPECT_EQ(train("a.txt"), "no error");
  config_.model.vocab = 7;
  EXPECT_EQ(train("a.txt"),
            "mine.yaml:12: model.vocab_size: 7 is less than the 8 different characters of a.txt. HINT: use 8 or more.");
  config_.train_input.tokenizer = "byte";
  EXPECT_EQ(
      train("a.txt"),
      "mine.yaml:12: model.vocab_size: 7 is less than the 256 values of a byte, the tokens of a.txt. HINT: use 256 "
      "or more.");
}

TEST_F(LoadData, AFoldersTextsAreOneInOrderOfName) {
  folder_.write("d/b.txt", "ca");
  folder_.write("d/a.txt", "ab\n");
  folder_.write("d/0.md", "not this");
  folder_.write("d/._a.txt", "nor this, which macOS writes");
  EXPECT_EQ(first_sample("d"), (Ids{1, 2, 0, 3}));
  config_.model.vocab = 256;
  config_.train_input.tokenizer = "byte";
  EXPECT_EQ(first_sample("d"), (Ids{'a', 'b', '\n', 'c'}));
}

TEST_F(LoadData, AFoldersShardsAreOneInOrderOfName) {
  folder_.write("d/train_000002.bin", test::shard_bytes({3, 4, 5}));
  folder_.write("d/train_000001.bin", test::shard_bytes({1, 2}));
  folder_.write("d/readme.md", "not this");
  EXPECT_EQ(first_sample("d"), (Ids{1, 2, 3, 4}));
  folder_.write("tokens", test::shard_bytes({9, 8, 7, 6, 5}));  // recognized by its first bytes
  EXPECT_EQ(first_sample("tokens"), (Ids{9, 8, 7, 6}));
  EXPECT_FALSE(load_tokenizer(config_).has_value());
}

/// nanoGPT and llm.c keep training and validation files in one folder.
TEST_F(LoadData, ValidationFilesAreNotTrainedOn) {
  folder_.write("d/corpus_train_000002.bin", test::shard_bytes({3, 4, 5}));
  folder_.write("d/corpus_train_000001.bin", test::shard_bytes({1, 2}));
  for (const char* kept : {"corpus_val_000000.bin", "val.bin", "Test.bin", "my-validation2.bin", "dev.txt"}) {
    folder_.write(std::string("d/") + kept, test::shard_bytes({9, 8, 7, 6, 5}));
    EXPECT_EQ(train("d"),
              std::string("mine.yaml: train_input.data_dir: d: has corpus_train_000001.bin and ") + kept +
                  ", which would be read as one data set. HINT: name one of them, or several by a pattern, as "
                  "DIR/*train*.");
    EXPECT_EQ(first_sample("d/*_train_*.bin"), (Ids{1, 2, 3, 4}));
    std::filesystem::remove(folder_ / (std::string("d/") + kept));
  }
  folder_.write("d/train_val.bin", test::shard_bytes({6}));
  folder_.write("d/valley.bin", test::shard_bytes({7}));
  EXPECT_EQ(first_sample("d"), (Ids{1, 2, 3, 4}));
}

TEST_F(LoadData, APatternNamesSeveralFilesOfAKind) {
  folder_.write("d/a1.txt", "ab");
  folder_.write("d/a2.txt", "cde");
  folder_.write("d/a1.md", "no");
  config_.model.vocab = 256;
  config_.train_input.tokenizer = "byte";
  EXPECT_EQ(first_sample("d/a[12].txt"), (Ids{'a', 'b', 'c', 'd'}));
  EXPECT_EQ(train("d/a1*").find("mine.yaml: train_input.data_dir: d/a1*: matches "), 0U);
  EXPECT_EQ(train("d/b*").find("mine.yaml: train_input.data_dir: d/b*: does not exist"), 0U);
  folder_.write("d/a*.txt", "*wxyz");  // an existing file has precedence over a pattern
  EXPECT_EQ(first_sample("d/a*.txt"), (Ids{'*', 'w', 'x', 'y'}));
}

TEST_F(LoadData, MissingOrEmptyDataIsNamed) {
  const std::string hint = ". HINT: give a text file, a token shard, or a folder of *.txt, *.jsonl, *.bin or *.h5.";
  EXPECT_EQ(train("none"), "mine.yaml: train_input.data_dir: none: does not exist" + hint);
  folder_.write("empty.txt", "");
  EXPECT_EQ(train("empty.txt"),
            "mine.yaml: train_input.data_dir: empty.txt: is empty. HINT: put the text into the file or name another.");
  folder_.write("empty.bin", "");
  EXPECT_EQ(train("empty.bin"),
            "mine.yaml: train_input.data_dir: empty.bin: is empty. HINT: write or fetch the shard again.");
  config_.train_input.data_dir = "/dev/null";
  EXPECT_EQ(message([&] { load_training_data(config_); }),
            "mine.yaml: train_input.data_dir: /dev/null: is neither a file nor a folder. HINT: give a text file, a "
            "token shard, or a folder of *.txt, *.jsonl, *.bin or *.h5.");
  folder_.write("d/read.me", "");
  EXPECT_EQ(train("d"),
            "mine.yaml: train_input.data_dir: d: has no *.txt, *.jsonl, *.bin or *.h5. HINT: put the corpus there.");
  folder_.write("d/data-00000-of-00001.arrow", "\xff\xff\xff\xff....");
  EXPECT_EQ(
      train("d"),
      "mine.yaml: train_input.data_dir: d: has no *.txt, *.jsonl, *.bin or *.h5; data-00000-of-00001.arrow is a "
      "stream of Arrow, as the datasets package writes, not a text. HINT: write its texts as *.jsonl, an object a "
      "line.");
  folder_.write("d/a.txt", "a");
  folder_.write("d/a.bin", "a");
  EXPECT_EQ(train("d"),
            "mine.yaml: train_input.data_dir: d: has text and *.bin. HINT: keep text and token shards in folders of "
            "their own.");
}

TEST_F(LoadData, UnreachablePathReportsTheSystemError) {
  std::filesystem::create_symlink("loop.txt", folder_ / "loop.txt");
  EXPECT_EQ(
      train("loop.txt"),
      "mine.yaml: train_input.data_dir: loop.txt: cannot be read: Too many levels of symbolic links. HINT: give a "
      "text file, a token shard, or a folder of *.txt, *.jsonl, *.bin or *.h5.");
  folder_.write("a.txt", "abcdefgh");
  EXPECT_EQ(train("a.txt/b").rfind("mine.yaml: train_input.data_dir: a.txt/b: does not exist.", 0), 0U);
  EXPECT_NE(train(std::string(5000, 'x')).find("cannot be read: File name too long"), std::string::npos);
  std::filesystem::create_directories(folder_ / "d/a.bin");
  EXPECT_EQ(train("d"), "mine.yaml: train_input.data_dir: d/a.bin: is not a file. HINT: name a file.");
}

TEST_F(LoadData, TooLittleForOneSampleIsRefused) {
  const std::string hint = ". HINT: give more text or tokens, or reduce model.max_sequence_length.";
  folder_.write("a.txt", "four");
  EXPECT_EQ(train("a.txt"),
            "mine.yaml: train_input.data_dir: 4 tokens make no sample, which takes 4 and a last label" + hint);
  folder_.write("a.bin", test::shard_bytes({}));
  EXPECT_EQ(train("a.bin"),
            "mine.yaml: train_input.data_dir: 0 tokens make no sample, which takes 4 and a last label" + hint);
}

TEST_F(LoadData, ADamagedShardIsNamed) {
  folder_.write("d/a.bin", test::shard_bytes({1, 2, 3, 4, 5}));
  folder_.write("d/b.bin", test::shard_bytes({1, 2, 3, 96, 200}));
  EXPECT_EQ(train("d"),
            "mine.yaml: train_input.data_dir: d/b.bin: token 96 at position 3 is not below model.vocab_size 96. HINT: "
            "use model.vocab_size 201 or more.");
  folder_.write("d/b.bin", "just text, with a name that promises more");
  EXPECT_EQ(
      train("d"),
      "mine.yaml: train_input.data_dir: d/b.bin: is not a token shard: it starts with 1953723754, not with 20240520. "
      "HINT: use shards in the layout of llm.c, or train_input.shard_format nanogpt, or a text named other than "
      "*.bin.");
}

TEST_F(LoadData, TextThatIsNoUtf8NeedsBytes) {
  folder_.write("a.txt",
                "abc\xff"
                "def");
  EXPECT_EQ(train("a.txt"),
            "mine.yaml: train_input.data_dir: a.txt: byte 0xff at offset 3 is not valid UTF-8. HINT: save the text as "
            "UTF-8 or use tokenizer: byte.");
}

TEST_F(LoadData, PackedFileIsRejectedEvenAsBytes) {
  config_.train_input.tokenizer = "byte";
  config_.model.vocab = 256;
  folder_.write("a.txt", "BZh91AY&SY and so on");
  EXPECT_EQ(train("a.txt"),
            "mine.yaml: train_input.data_dir: a.txt: is packed by bzip2, not a text. HINT: unpack it, or pack it by "
            "gzip or Zstandard.");
}

TEST_F(LoadData, EvaluationUsesTheTrainingTextsIds) {
  folder_.write("a.txt", "abcdefgh");
  folder_.write("e.txt", "hgfed");
  EXPECT_EQ(train("a.txt"), "no error");
  EXPECT_EQ(eval("e.txt"), "no error");
  EXPECT_EQ(load_eval_data(config_).micro_batch(0).inputs, (Ids{7, 6, 5, 4}));
  folder_.write("e.txt", "hgz");
  EXPECT_EQ(
      eval("e.txt"),
      "mine.yaml: eval_input.data_dir: e.txt: character 'z' (U+007A) at offset 2 is not in the vocabulary. HINT: use "
      "only characters of the training text, or train with tokenizer: byte.");
  folder_.write("a.bin", test::shard_bytes({1, 2, 3, 4, 5}));
  config_.train_input.data_dir = folder_ / "a.bin";
  EXPECT_EQ(
      eval("e.txt"),
      "mine.yaml: eval_input.data_dir: e.txt is text, but a.bin has token shards. HINT: make shards of it with the "
      "same tokenizer.");
}

TEST_F(LoadData, ShardsForAModelOfTextAreRefused) {
  folder_.write("a.txt", "abcdefgh");
  folder_.write("a.bin", test::shard_bytes({1, 2, 3, 4, 5}));
  EXPECT_EQ(train("a.txt"), "no error");
  EXPECT_EQ(eval("a.bin"),
            "mine.yaml: eval_input.data_dir: a.bin has token shards, but a.txt is text. HINT: give text for both.");
  EXPECT_EQ(train("a.bin"), "no error");
  EXPECT_EQ(eval("a.bin"), "no error");

  const auto refused = [](const std::string& key, const std::string& folder) {
    return "mine.yaml: " + key + ": a.bin has token shards, but the model was trained on text, according to " + folder +
           "/vocab.json. HINT: give text, or remove that file if it is another model's.";
  };
  const auto of_text = tokenizer::Tokenizer::characters({'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'});
  tokenizer::save_vocabulary(config_.runconfig.model_dir, of_text);
  EXPECT_EQ(train("a.bin"), "no error") << "of a run that left no weights";
  folder_.write("model/checkpoint_5.safetensors", "");
  EXPECT_EQ(train("a.bin"), refused("train_input.data_dir", "model"));
  EXPECT_EQ(eval("a.bin"), refused("eval_input.data_dir", "model"));
  config_.runconfig.mode = "eval";
  EXPECT_EQ(eval("a.bin"), refused("eval_input.data_dir", "model"));
  EXPECT_EQ(eval("a.txt"), "no error");
  config_.runconfig.checkpoint_path = folder_ / "other/checkpoint_5.safetensors";
  EXPECT_EQ(eval("a.bin"), "no error") << "no vocabulary beside it";
  folder_.write("other/vocab.json", tokenizer::vocabulary_text(of_text));
  EXPECT_EQ(eval("a.bin"), refused("eval_input.data_dir", "other"));
}

TEST_F(LoadData, AContinuedRunKeepsItsIds) {
  folder_.write("a.txt", "bcdef");
  tokenizer::save_vocabulary(config_.runconfig.model_dir,
                             tokenizer::Tokenizer::characters({'a', 'b', 'c', 'd', 'e', 'f'}));
  EXPECT_EQ(first_sample("a.txt"), (Ids{0, 1, 2, 3}));  // from a run that left no weights
  folder_.write("model/checkpoint_5.safetensors", "");
  EXPECT_EQ(first_sample("a.txt"), (Ids{1, 2, 3, 4}));
  folder_.write("a.txt", "bcdefg");
  EXPECT_EQ(
      train("a.txt"),
      "mine.yaml: train_input.data_dir: a.txt: character 'g' (U+0067) at offset 5 is not in the vocabulary. HINT: "
      "use only characters of the training text, or train with tokenizer: byte.");
  config_.model.vocab = 256;
  config_.train_input.tokenizer = "byte";
  EXPECT_EQ(
      train("a.txt"),
      "mine.yaml: train_input.tokenizer: the checkpoints in model were trained with another tokenizer. HINT: use char, "
      "or another model_dir.");
}

TEST_F(LoadData, SeveralTextsHaveOneVocabularyAndTheirShares) {
  folder_.write("a.txt", "aaaaaaaaa");
  folder_.write("b.txt", "bbbbbbbbb");
  config_.train_input.data_dir = folder_ / "a.txt";
  config_.train_input.more_data_dirs = {folder_ / "b.txt"};
  config_.train_input.weights = {1, 3};
  config_.train_input.batch_size = config_.model.micro_batch = 4;
  const Ids inputs = load_training_data(config_).micro_batch(0, 0).inputs;
  EXPECT_EQ(std::ranges::count(inputs, 0), 4);
  EXPECT_EQ(std::ranges::count(inputs, 1), 12);
}

TEST_F(LoadData, ErrorInOneOfSeveralNamesIt) {
  folder_.write("a.txt", "aaaaaaaaa");
  folder_.write("short.txt", "aaaa");
  folder_.write("c.bin", test::shard_bytes({1, 2, 3, 4, 5}));
  const auto more = [&](const std::string& name) {
    config_.train_input.more_data_dirs = {folder_ / name};
    return train("a.txt");
  };
  EXPECT_EQ(more("none.txt").rfind("mine.yaml: train_input.more_data_dirs: none.txt: does not exist", 0), 0U);
  EXPECT_EQ(
      more("short.txt"),
      "mine.yaml: train_input.more_data_dirs: short.txt: 4 tokens make no sample, which takes 4 and a last label. "
      "HINT: give more text or tokens, or reduce model.max_sequence_length.");
  EXPECT_EQ(more("c.bin"),
            "mine.yaml: train_input.more_data_dirs: c.bin has token shards, but a.txt is text. HINT: give text for "
            "both.");
  config_.train_input.weights = {1, 1e-9};
  EXPECT_EQ(
      more("a.txt"),
      "mine.yaml: train_input.weights: 1e-09 of 1.000000001 is less than one sample in 10000. HINT: use a greater "
      "one, or leave that data set out.");
}

}  // namespace
}  // namespace weft::data
