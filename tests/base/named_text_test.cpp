/// Texts from files and pipes; a wait for a pipe is reported.
#include "sw/base/named_text.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <system_error>
#include <thread>

#include "sw/base/refusal.hpp"
#include "tests/checkpoint/files.hpp"
#include "tests/says.hpp"

namespace weft::test {
namespace {

using namespace std::chrono_literals;

struct NamedText : testing::Test {
  /// Reads the text while another thread runs `write`; captures standard error in `said`.
  template <class Write>
  std::string read_while(const Write& write) {
    testing::internal::CaptureStderr();
    const std::jthread writes(write);
    const std::string text = named_text(name, 1 << 20);
    said = testing::internal::GetCapturedStderr();
    return text;
  }
  checkpoint::TestFolder folder{"named_text"};
  const std::string name = folder / "text";
  std::string said;
};

TEST_F(NamedText, AFileAsFarAsIsAskedFor) {
  checkpoint::write_text(name, std::string(200'000, 'x'));
  EXPECT_EQ(named_text(name, 1 << 20).size(), 200'000U);
  EXPECT_EQ(named_text(name, 70'000).size(), 70'000U);
  EXPECT_EQ(named_text("/dev/zero", 70'000).size(), 70'000U);
  EXPECT_EQ(named_text("/dev/null", 70'000), "");
}

TEST_F(NamedText, ReadErrorHasItsErrno) {
  for (const auto& [file, why] : {std::pair{folder / "none", ENOENT}, std::pair{folder.path().string(), EISDIR}}) {
    try {
      named_text(file, 10);
      ADD_FAILURE() << file;
    } catch (const std::system_error& error) {
      EXPECT_EQ(error.code().value(), why);
    }
  }
}

TEST_F(NamedText, APipeIsReadToItsEndAndNothingIsPrintedIfItIsQuick) {
  ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);
  EXPECT_EQ(read_while([&] {
              std::ofstream out(name);
              out << "a: 1\n" << std::flush;
              std::this_thread::sleep_for(50ms);
              out << std::string(200'000, 'b');
            }),
            "a: 1\n" + std::string(200'000, 'b'));
  EXPECT_EQ(said, "");
}

TEST_F(NamedText, APipeWithoutAWriterIsNamedOnceAndReadAllTheSame) {
  ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);
  EXPECT_EQ(read_while([&] {
              std::this_thread::sleep_for(2500ms);
              std::ofstream out(name);
              out << "a: 1\n" << std::flush;
              std::this_thread::sleep_for(2500ms);
            }),
            "a: 1\n");
  EXPECT_SAYS(said, name + ": waits for a program that writes to this pipe. HINT: ");
  EXPECT_EQ(said.find("waits"), said.rfind("waits"));
}

std::string refusal(const std::string& path, std::size_t most) {
  try {
    whole_text(path, most, "name another");
    return "read";
  } catch (const Refusal& refusal) {
    EXPECT_EQ(refusal.exit_code(), 2);
    return refusal.what();
  }
}

TEST_F(NamedText, AWholeTextHasABound) {
  checkpoint::write_text(name, std::string(1 << 20, 'x'));
  EXPECT_EQ(whole_text(name, 1 << 20, "").size(), std::size_t{1} << 20);
  EXPECT_EQ(refusal("/dev/zero", 1 << 20), "/dev/zero: is longer than 1 MiB. HINT: name another.");
  std::filesystem::resize_file(name, std::uintmax_t{10} << 30);
  EXPECT_EQ(refusal(name, 2 << 20), name + ": is longer than 2 MiB. HINT: name another.");
  EXPECT_EQ(refusal(folder / "none", 1 << 20),
            folder / "none" + ": cannot be read: No such file or directory. HINT: name another.");
}

}  // namespace
}  // namespace weft::test
