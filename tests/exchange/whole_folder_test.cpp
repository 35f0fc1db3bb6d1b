/// Folders that are there as a whole or not at all.
#include "host/exchange/whole_folder.hpp"

#include <array>

#include "tests/exchange/weights.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> kFiles = {"a", "b"};

class WholeFolderTest : public testing::Test {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
      all.push_back(fs::relative(entry.path(), folder_.path()).string());
    std::ranges::sort(all);
    return all;
  }
  using Names = std::vector<std::string>;
  void make(bool ours = true, bool commit = true, const std::string& text = "new") {
    WholeFolder made(target_, kFiles, [ours](const fs::path&) { return ours; });
    std::ofstream(made.file("a")) << text;
    if (commit) made.commit();
  }

  TemporaryFolder folder_;
  std::string target_ = folder_ / "out/x";
};

TEST_F(WholeFolderTest, ItIsThereWhenItIsCommittedAndLeavesNothingElse) {
  make(true, false);
  EXPECT_EQ(names(), Names{}) << "its parent goes again, too";
  make();
  EXPECT_EQ(names(), (Names{"out", "out/x", "out/x/a"}));
}

TEST_F(WholeFolderTest, AnEmptyFolderOrOnesOwnIsReplaced) {
  fs::create_directories(target_);
  make(false);
  EXPECT_EQ(file_text(target_ + "/a"), "new");
  folder_.write("out/x/b", "of before");
  make(true, false, "newer");
  EXPECT_EQ(file_text(target_ + "/a"), "new");
  make(true, true, "newer");
  EXPECT_EQ(names(), (Names{"out", "out/x", "out/x/a"})) << "no file of the old one stays";
  EXPECT_EQ(file_text(target_ + "/a"), "newer");
}

TEST_F(WholeFolderTest, WhatIsNotOnesOwnStays) {
  folder_.write("out/x/a", "mine");
  EXPECT_SAYS(refusal_of([&] { make(false); }), "out/x: is there, and weft export has not written it");
  folder_.write("out/x/notes", "mine");
  EXPECT_SAYS(refusal_of([&] { make(); }), "has a file that weft export does not write: notes");
  EXPECT_EQ(names(), (Names{"out", "out/x", "out/x/a", "out/x/notes"}));
  target_ = folder_ / "out/x/a";
  EXPECT_SAYS(refusal_of([&] { make(); }), "is there, and is no folder");
}

TEST_F(WholeFolderTest, WhatAKilledOneLeftGoesAndWhatOneWritesStays) {
  folder_.write("out/.x.weft-part.999999999/a", "left");  // no process has this number
  folder_.write("out/.x.weft-part.1/a", "of one that goes on");
  make();
  EXPECT_EQ(names(), (Names{"out", "out/.x.weft-part.1", "out/.x.weft-part.1/a", "out/x", "out/x/a"}));
}

TEST_F(WholeFolderTest, AFolderThatHasComeMeanwhileStays) {
  WholeFolder made(target_, kFiles, [](const fs::path&) { return true; });
  folder_.write("out/x/a", "another's");
  EXPECT_SAYS(refusal_of([&] { made.commit(); }), "out/x: cannot be written: File exists");
  EXPECT_EQ(file_text(target_ + "/a"), "another's");
}

}  // namespace
}  // namespace weft
