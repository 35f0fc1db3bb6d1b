/// Links, pipes, closed streams and removed folders prepared by another program.
#include <sys/stat.h>

#include "tests/cli/bad_input.hpp"

namespace weft::cli {
namespace {

/// Any user of the folder may have created the link, which points to another file.
TEST_F(BadInput, ALockThatIsALinkOrNoFileIsNotWrittenTo) {
  folder_.write("precious", "mine");
  std::filesystem::create_directories(folder_ / "out");
  std::filesystem::create_symlink("../precious", folder_ / "out/.lock");
  const std::string lock = "command line: runconfig.model_dir: out/.lock: ";
  expect(lock + "is a symbolic link: a lock must be a file in the folder itself. HINT: move it away, or set another");
  EXPECT_EQ(test::file_text(folder_ / "precious"), "mine");
  std::filesystem::remove(folder_ / "out/.lock");
  ASSERT_EQ(::mkfifo((folder_ / "out/.lock").c_str(), 0600), 0);
  expect(lock + "is not a regular file. HINT: move it away, or set another");
  std::filesystem::remove(folder_ / "out/.lock");
  std::filesystem::create_directories(folder_ / "out/.lock");
  expect(lock + "is not a regular file. HINT: move it away, or set another");
}

TEST_F(BadInput, AFolderThatCannotBeUsedSaysWhy) {
  std::filesystem::create_symlink("scratch/run", folder_ / "link");
  expect("command line: runconfig.model_dir: link: is a broken link: scratch/run. HINT: make that folder",
         {"--model_dir", "link"});
  std::filesystem::create_directories(folder_ / "kept/checkpoint_1.safetensors");
  expect("command line: runconfig.model_dir: kept/checkpoint_1.safetensors: is a folder, not a file of safetensors",
         {"--model_dir", "kept"});
  const std::string leave = "mkdir gone && cd gone && rmdir ../gone";
  const ProgramResult gone =
      run_program(folder_, {"run", "--params", folder_ / "mine.yaml", "--model_dir", "out"}, leave);
  EXPECT_EQ(gone.status, 2);
  EXPECT_EQ(gone.err,
            "weft: the current folder no longer exists: No such file or directory. HINT: cd into an "
            "existing folder, or give absolute paths.\n");
  const ProgramResult from_root =
      run_program(folder_, {"run", "--params", folder_ / "mine.yaml", "--model_dir", folder_ / "out"}, leave);
  EXPECT_EQ(from_root.status, 0) << from_root.err;
}

/// The next opened file would take the closed stream's number: messages would be written into it, and its content read
/// as commands.
TEST_F(BadInput, AStandardStreamThatIsClosedIsNoOtherFile) {
  const ProgramResult input = run_program(
      folder_, {"debug", "--params", "mine.yaml", "--backend", "model", "--phase", "h.0.attn.c_attn.q"}, "exec <&-");
  EXPECT_EQ(input.status, 0) << input.err;
  EXPECT_EQ(input.out.find("is not a command"), std::string::npos) << input.out;
  const ProgramResult output =
      run_program(folder_, {"run", "--params", "mine.yaml", "--model_dir", "out"}, "exec >&- 2>&-");
  EXPECT_EQ(output.status, 1);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/checkpoint_3.safetensors"));
}

}  // namespace
}  // namespace weft::cli
