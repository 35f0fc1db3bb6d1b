/// GTKWave's save file, as text.
#include "verif/trace/gtkw.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace weft {
namespace {

std::string text(const GtkwView& view) {
  std::ostringstream out;
  write_gtkw(view, out);
  return out.str();
}

TEST(Gtkw, GroupsRowsFiltersAndMarkers) {
  GtkwView view{.trace = "/t/a.fst", .names = "/t/a.words", .words = "/b/weft-words", .first = 10, .last = 20};
  view.markers = {{12, "h.0.attn"}};
  view.groups = {{"tile 2,1", {{"t.m[37:0]", RowKind::Message, 5, "north in W"}, {"t.s[3:0]", RowKind::Named, 0, ""}}}};
  const std::string file = text(view);
  const auto has = [&](const std::string& part) { return file.find(part) != std::string::npos; };
  EXPECT_TRUE(has("[dumpfile] \"/t/a.fst\"\n")) << file;
  EXPECT_TRUE(has("[markername] Ah.0.attn\n")) << file;
  EXPECT_TRUE(has(" 12 -1 ")) << file;
  EXPECT_TRUE(
      has("@800200\n-tile 2,1\n@4022\n^>1 /b/weft-words message /t/a.words\n[color] 5\n+{north in W} t.m[37:0]\n"))
      << file;
  EXPECT_TRUE(has("@100000028\nt.s[3:0]\n@1000200\n-tile 2,1\n")) << file;
}

TEST(Gtkw, WithoutTheProgramOrWithBlanksInAPathTextsTakeItsPlace) {
  for (const auto& [words, names] : {std::pair("", "/t/a.words"), std::pair("/b b/weft-words", "/t/a.words"),
                                     std::pair("/b/weft-words", "/t t/a.words")}) {
    GtkwView view{.trace = "/t/a.fst", .names = names, .words = words, .first = 0, .last = 1};
    view.groups = {
        {"g", {{"t.m[37:0]", RowKind::Message, 5, "west in W", "t.words.m"}, {"t.f[7:0]", RowKind::Flags, 0, ""}}}};
    const std::string file = text(view);
    EXPECT_EQ(file.find("^>"), std::string::npos) << file;
    EXPECT_NE(file.find("@820\n[color] 5\n+{west in W} t.words.m\n@22\nt.f[7:0]\n"), std::string::npos) << file;
  }
}

}  // namespace
}  // namespace weft
