/// Many prompts at once: each gives the same text as alone.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "host/planning/choose_shape.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/planning/generation_batch.hpp"
#include "host/tokenizer/vocabulary.hpp"
#include "sw/base/descriptor.hpp"
#include "tests/generate/small_generation.hpp"

namespace weft::generate {
namespace {

class ManyPrompts : public Generate {
 protected:
  static std::vector<config::Override> prompts(const std::vector<std::string>& texts) {
    std::vector<config::Override> list;
    for (const std::string& text : texts) list.push_back({"runconfig.prompt", text});
    return list;
  }
  /// The output of separate runs with each prompt, in the format of a run with many.
  std::string each_alone(const std::vector<std::string>& texts, int tokens,
                         const std::vector<config::Override>& more) const {
    std::string all;
    for (std::size_t n = 0; n < texts.size(); ++n)
      all += fmt::format("==> {} <==\n{}", n + 1, run(texts[n], tokens, more).text);
    return all;
  }
  static std::vector<config::Override> with(std::vector<config::Override> list,
                                            const std::vector<config::Override>& more) {
    list.insert(list.end(), more.begin(), more.end());
    return list;
  }
  int at_once(std::vector<config::Override> overrides) const {
    overrides.push_back({"runconfig.mode", "generate"});
    return planning::compile_plan(config(overrides), {}).model.micro_batch;
  }
  /// Prompts of different lengths, some repeated, one longer than a sequence.
  const std::vector<std::string> twelve = {"ab",          "k",  "abe", "j",  "k",  "mdb",
                                           "abdabdabdab", "ee", "d",   "ab", "jk", "m"};
};

TEST_F(ManyPrompts, HaveTheTextsThatTheyHaveAlone) {
  train({{"runconfig.num_steps", "3"}});
  for (const std::string temperature : {"0", "1.5"}) {
    const std::vector<config::Override> drawn = {{"runconfig.temperature", temperature}, {"runconfig.top_p", "0.9"}};
    const Generated all = run("", 11, with(prompts(twelve), drawn));
    EXPECT_EQ(all.text, each_alone(twelve, 11, drawn)) << temperature;
    EXPECT_NE(all.notes.find("132 tokens of 12 prompts in "), std::string::npos) << all.notes;
  }
}

TEST_F(ManyPrompts, TakeAsManyPassesAsTheirMemoryNeeds) {
  train({{"runconfig.num_steps", "3"}});
  EXPECT_EQ(at_once(prompts(twelve)), 12);
  EXPECT_EQ(at_once(prompts({"ab"})), 1);
  const std::vector<config::Override> small = {{"wafer.sram_kib", "2"}};
  const int few = at_once(with(prompts(twelve), small));
  EXPECT_LT(few, 12);
  EXPECT_GT(few, 1);
  EXPECT_EQ(run("", 5, with(prompts(twelve), small)).text, each_alone(twelve, 5, {}));
}

/// Sequences of 64 tokens: one text takes 8 beats in each of two columns, or 16 in one; four texts take the same time
/// either way.
TEST_F(ManyPrompts, LieOverColumnsWhereThatIsFaster) {
  const config::Override sequence{"model.max_sequence_length", "64"};
  train({sequence, {"runconfig.num_steps", "2"}});
  const auto columns = [&](const std::vector<std::string>& texts, std::vector<config::Override> more = {}) {
    more.insert(more.end(), {sequence, {"runconfig.mode", "generate"}});
    config::Config c = config(with(prompts(texts), more));
    (void)planning::choose_shape(c);
    return c.wafer.sequence_columns;
  };
  EXPECT_EQ(columns({"ab"}), 2);
  EXPECT_EQ(columns({"ab", "k", "d", "m"}), 1);
  EXPECT_EQ(columns({"ab"}, {{"wafer.sequence_columns", "1"}}), 1) << "as it was said";
  const auto text = [&](const std::string& over) {
    return run("abe", 70, {sequence, {"wafer.sequence_columns", over}}).text;
  };
  EXPECT_EQ(text("2"), text("1"));
}

/// Four texts of 16 beats on four columns beat passes of six texts, which fit two columns each and take 24 beats.
TEST(GenerationBatch, TakeTheFewestBeatsThenTheFewestColumns) {
  const compiler::ModelShape model{.seq = 64};
  const auto of = [&](int prompts, machine::WaferShape wafer) {
    const planning::GenerationBatch found = planning::choose_generation_batch(model, wafer, prompts);
    return std::pair(found.model.micro_batch, found.wafer.sequence_columns);
  };
  EXPECT_EQ(of(12, {.sequence_columns = 0}), std::pair(4, 1));
  EXPECT_EQ(of(1, {.sequence_columns = 0}), std::pair(1, 4));
  EXPECT_EQ(of(1, {.sequence_columns = 2}), std::pair(1, 2)) << "as it was said";
  EXPECT_EQ(of(5, {.sram_kib = 128, .sequence_columns = 0}), std::pair(5, 4)) << "five of 4 beats, not two of 16";
  EXPECT_EQ(of(3, {.sram_kib = 1, .sequence_columns = 0}).first, 1) << "does not fit";
  EXPECT_EQ(planning::choose_generation_batch(model, {.sequence_columns = 0}, 1).model.recompute, "none")
      << "it need not";
  EXPECT_EQ(planning::choose_generation_batch(model, {.sequence_columns = 0}, 12).model.recompute, "block");
}

TEST_F(ManyPrompts, AreTheSameOnRtl) {
  train({{"runconfig.num_steps", "3"}});
  const std::vector<config::Override> three = prompts({"ab", "k", "abejm"});
  EXPECT_EQ(run("", 4, with(three, {{"wafer.backend", "rtl"}})).text, run("", 4, three).text);
}

TEST_F(ManyPrompts, ComeFromAFileAsFromTheCommandLine) {
  train({{"runconfig.num_steps", "2"}});
  folder_.write("prompts.txt", "ab\r\n\nk\nabe");
  const config::Override file{"runconfig.prompts_file", folder_ / "prompts.txt"};
  const std::string three = run("", 6, prompts({"ab", "k", "abe"})).text;
  EXPECT_EQ(run("", 6, {file}).text, three);
  folder_.write("prompts.txt",
                "\xef\xbb\xbf"
                "ab\nk\nabe\n");  // UTF-8 with a BOM, as Windows editors save it
  EXPECT_EQ(run("", 6, {file}).text, three);
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::jthread writer([&] {
    for (int tries = 0; tries < 500; ++tries, std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
      const Descriptor end(::open(pipe.c_str(), O_WRONLY | O_NONBLOCK));
      if (end.get() < 0) continue;  // no reader yet
      ASSERT_EQ(::write(end.get(), "ab\nk\nabe\n", 9), 9);
      return;
    }
  });
  EXPECT_EQ(run("", 6, {{"runconfig.prompts_file", pipe}}).text, three);
  cli::edit_run(folder_, "runconfig:", "runconfig:\n  prompt: [ab, k, abe]");
  EXPECT_EQ(run("", 6).text,
            run("", 6, {{"runconfig.prompt", "ab"}, {"runconfig.prompt", "k"}, {"runconfig.prompt", "abe"}}).text);
  EXPECT_EQ(run("d", 6).text.substr(0, 1), "d") << "the command line's instead of the file's";
}

TEST_F(ManyPrompts, EndEachBeforeItsStopWord) {
  train();
  const std::string text = run("ab", 40).text;
  const std::string word = text.substr(20, 3);
  const std::size_t first = text.find(word, 2);
  ASSERT_LE(first, 20U);
  const Generated ended = run("ab", 40, {{"runconfig.stop", word}});
  EXPECT_EQ(ended.text, text.substr(0, first) + "\n");
  EXPECT_NE(ended.notes.find(fmt::format("{} tokens in ", first + 1)), std::string::npos) << ended.notes;
  const std::vector<config::Override> stops = {{"runconfig.stop", word}, {"runconfig.stop", "#"}};
  EXPECT_EQ(run("", 30, with(prompts({"ab", "k"}), stops)).text, each_alone({"ab", "k"}, 30, stops));
  // The text and the stop sequence as ids.
  std::vector<TokenId> ids, stop;
  const auto tokenizer = tokenizer::load_vocabulary(folder_ / "out");
  tokenizer->encode(text.substr(0, first), ids);
  tokenizer->encode(word, stop);
  EXPECT_EQ(run("", 40,
                {{"runconfig.prompt_tokens", fmt::format("{},{}", ids[0], ids[1])},
                 {"runconfig.stop", fmt::format("{}", fmt::join(stop, ","))}})
                .text,
            fmt::format("{}\n", fmt::join(ids, " ")));
}

TEST_F(ManyPrompts, AreRefusedWithTheNumberOfTheBadOne) {
  train({{"runconfig.num_steps", "1"}});
  const auto refused = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"run", "--params", "mine.yaml", "--model_dir", "out", "--mode", "generate"});
    const cli::ProgramResult result = cli::run_program(folder_, more);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_EQ(refused({"--prompt", "ab", "--prompt", "a#"}),
            "command line: runconfig.prompt: prompt 2: character '#' (U+0023) at offset 1 is not in the vocabulary. "
            "HINT: use only characters of the training text, or train with tokenizer: byte.\n");
  EXPECT_EQ(refused({"--prompt_tokens", "1", "--prompt_tokens", "1,x"}),
            "command line: runconfig.prompt_tokens: prompt 2: \"x\" is not a token id. HINT: write ids with commas "
            "between them, e.g. \"1,2,3\".\n");
  EXPECT_EQ(refused({"--prompt", "ab", "--prompt", ""}),
            "command line: runconfig.prompt: prompt 2 of 2 is empty. HINT: give it a character at least.\n");
  EXPECT_EQ(refused({"--prompt", "ab", "--stop", ""}),
            "command line: runconfig.stop: stop word 1 of 1 is empty. HINT: give it a character at least.\n");
  EXPECT_EQ(
      refused({"--prompt", "ab", "--prompts_file", "none.txt"}),
      "command line: runconfig.prompts_file: cannot be combined with runconfig.prompt. HINT: leave one of them out.\n");
  EXPECT_EQ(refused({"--prompt", "ab", "--runconfig.top_p", "0"}),
            "command line: runconfig.top_p: 0 is out of range. HINT: use 1e-06 to 1.\n");
  EXPECT_EQ(refused({"--prompt", "ab", "--runconfig.top_p", "1.1"}),
            "command line: runconfig.top_p: 1.1 is out of range. HINT: use 1e-06 to 1.\n");
  EXPECT_EQ(refused({"--prompt_tokens", "1", "--stop", "one"}),
            "command line: runconfig.stop: \"one\" is not a token id. HINT: write ids with commas between them, e.g. "
            "\"1,2,3\".\n");
  folder_.write("none.txt", "\n\n");
  EXPECT_EQ(refused({"--prompts_file", "none.txt"}),
            "command line: runconfig.prompts_file: none.txt has nothing but empty lines. HINT: write a prompt on each "
            "line.\n");
  EXPECT_NE(refused({"--prompts_file", "missing.txt"}).find("command line: runconfig.prompts_file: missing.txt: "),
            std::string::npos);
}

}  // namespace
}  // namespace weft::generate
