/// What is written into an FST file is what its reader finds.
#include "verif/trace/fst_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "sw/base/refusal.hpp"
#include "tests/trace/read_fst.hpp"

namespace weft {
namespace {

std::string path(const char* name) { return (std::filesystem::path(testing::TempDir()) / name).string(); }

TEST(FstFile, ValuesComeBackAtTheirTimes) {
  const std::string name = path("values.fst");
  FstFile file(name);
  file.open_scope("tile");
  FstSignal wide(file, file.vector("wide", 38), 38);
  FstSignal state(file, file.enumerated("state", 2, file.enumeration("states", {"idle", "busy"}, 2)), 2);
  FstText text(file, file.text("text"));
  FstLanes lanes(file, file.vector("lanes", 8), 2, 4);
  file.close_scope();
  file.time(5);
  wide.none();
  state.set(1);
  text.set("W 17");
  lanes.set(0b01, [](std::size_t) { return 9; });
  file.time(6);
  wide.set(0x2000000003);
  state.set(1);  // no change
  text.set("");
  file.time(9);
  wide.none();
  lanes.set(0b11, [](std::size_t l) { return l; });
  file.close();

  const FstContent c = read_fst(name);
  using Values = std::vector<std::pair<std::uint64_t, std::string>>;
  const auto after = [&](const char* signal) {  // the reader gives every signal a first value
    Values v = c.signals.at(signal);
    std::erase_if(v, [](const auto& one) { return one.first < 5; });
    return v;
  };
  EXPECT_EQ(after("tile.wide").at(0).second, std::string(38, 'z'));
  EXPECT_EQ(after("tile.wide").at(1), (std::pair<std::uint64_t, std::string>(6, "1" + std::string(35, '0') + "11")));
  EXPECT_EQ(after("tile.wide").size(), 3u);
  EXPECT_EQ(after("tile.state"), (Values{{5, "01"}}));
  EXPECT_EQ(after("tile.text"), (Values{{5, "W 17"}, {6, ""}}));
  EXPECT_EQ(after("tile.lanes"), (Values{{5, "zzzz1001"}, {9, "00010000"}}));
}

TEST(FstFile, AFolderThatIsNotThereIsRefused) { EXPECT_THROW(FstFile(path("no/such/folder/x.fst")), Refusal); }

/// In a process of its own: a file may not grow beyond some bytes.
void write_much() {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{2000, 2000};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  try {
    FstFile file(path("much.fst"));
    FstSignal s(file, file.vector("s", 32), 32);
    std::uint64_t noise = 1;
    for (unsigned t = 1; t < 100000; ++t) {
      file.time(t);
      s.set((noise = noise * 6364136223846793005 + 1) >> 32);
    }
    file.close();
  } catch (const Refusal&) {
    std::_Exit(7);
  }
  std::_Exit(0);
}

/// 1,000 signals, for which the library's temporary files have to grow beyond the limit of one page.
void write_wide() {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{4096, 4096};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  FstFile file(path("wide.fst"));
  for (int i = 0; i < 1000; ++i) file.vector("s" + std::to_string(i), 32);
  file.time(1);
  file.put(1, 5, 32);
  std::_Exit(0);
}

TEST(FstFileDeathTest, TemporaryFilesWithoutRoomEndItWithALine) {
  EXPECT_EXIT(write_wide(), testing::ExitedWithCode(1), "wide.fst: cannot be written: its temporary files .* HINT: ");
}

TEST(FstFileDeathTest, AFullDiskIsSaid) { EXPECT_EXIT(write_much(), testing::ExitedWithCode(7), ""); }

}  // namespace
}  // namespace weft
