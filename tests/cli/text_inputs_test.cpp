/// Texts read as a whole, from files and pipes: never without a size limit, and never with a silent wait.
#include <filesystem>

#include "tests/cli/program.hpp"
#include "tests/says.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

struct TextInputs : testing::Test {
  TextInputs() { write_small_run(folder_); }
  ProgramResult debug(const std::string& script, const std::string& before = "true") {
    return run_program(folder_, {"debug", "--params", "mine.yaml", "--phase", "loss", "--script", script},
                       "ulimit -v 8000000 && " + before);
  }
  ProgramResult validate(const std::string& network, const std::string& before = "true") {
    return run_program(folder_, {"run", "--params", "mine.yaml", "--mode", "validate_only", "--model.network", network},
                       before);
  }
  const test::TemporaryFolder folder_;
};

TEST_F(TextInputs, AScriptWithoutEndIsRefused) {
  for (const char* endless : {"/dev/zero", "/dev/full", "large"}) {
    folder_.write("large", "");
    fs::resize_file(folder_ / "large", std::uintmax_t{10} << 30);
    const ProgramResult result = debug(endless);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.err,
              std::string("--script: ") + endless + ": is longer than 1 MiB. HINT: name a file of commands.\n");
  }
}

TEST_F(TextInputs, AScriptThatCannotBeReadSaysWhy) {
  EXPECT_EQ(debug("none").err,
            "--script: none: cannot be read: No such file or directory. HINT: name a file of "
            "commands.\n");
  EXPECT_SAYS(debug(".").err, "cannot be read: Is a directory");
}

TEST_F(TextInputs, AScriptMayComeThroughAPipe) {
  const ProgramResult result = debug("pipe", "mkfifo pipe && { printf \"info flags\\nquit\\n\" >pipe & }");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_SAYS(result.out, "info flags\n");
  EXPECT_EQ(result.err, "");
  fs::remove(folder_ / "pipe");
  const ProgramResult waits = debug("pipe", "mkfifo pipe && { (sleep 3; : >pipe) & }");
  EXPECT_EQ(waits.status, 0);
  EXPECT_EQ(waits.err.find("pipe: waits for a program that writes to this pipe."), 0U) << waits.err;
}

TEST_F(TextInputs, BytesOfAScriptThatATerminalObeysAreQuoted) {
  folder_.write("script", "print \x1b[2J\xff\nbreak \x1b]0;x\x07\n");
  const ProgramResult result = debug("script");
  EXPECT_EQ(result.status, 1);
  EXPECT_SAYS(result.out, "print \\x1b[2J\\xff\n");
  for (const char c : result.out) EXPECT_TRUE((c >= ' ' && c < 127) || c == '\n') << static_cast<int>(c);
}

TEST_F(TextInputs, ANetworkThatIsNoFileIsRefusedAtOnce) {
  fs::create_symlink("/dev/zero", folder_ / "zero.yaml");
  EXPECT_SAYS(validate("zero.yaml").err, "zero.yaml is neither built in nor a file that can be read. HINT: ");
  const ProgramResult pipe = validate("pipe.yaml", "mkfifo pipe.yaml");
  EXPECT_EQ(pipe.status, 2);
  EXPECT_EQ(pipe.err,
            "command line: model.network: pipe.yaml is a pipe, and a network is read again when its run continues. "
            "HINT: write it to a file, and name that.\n");
}

TEST_F(TextInputs, APlanThatIsNoFileIsRefusedAtOnce) {
  for (const std::string plan : {"/dev/zero", "pipe"}) {
    const ProgramResult result =
        run_program(folder_, {"run", "--params", "mine.yaml", "--plan", plan}, "mkfifo -m 600 pipe; true");
    EXPECT_EQ(result.status, 2);
    EXPECT_SAYS(result.err, plan + ": cannot be read: it is not a regular file. HINT: ");
  }
}

}  // namespace
}  // namespace weft::cli
