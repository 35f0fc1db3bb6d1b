/// GTKWave's save file, as text.
#include "verif/trace/gtkw.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "verif/trace/seen_values.hpp"

namespace weft::trace {
namespace {

std::string text(const GtkwView& view) {
  std::ostringstream out;
  write_gtkw(view, "a.gtkw", out);
  return out.str();
}

TEST(Gtkw, GroupsRowsFiltersAndMarkers) {
  GtkwView view{.trace = "a.fst", .words = {{RowKind::Message, "a.message"}}, .first = 10, .last = 20};
  view.markers = {{12, "h.0.attn"}};
  view.groups = {{"tile 2,1", {{"t.m[37:0]", RowKind::Message, 5, "north in W"}, {"t.s[3:0]", RowKind::Named, 0, ""}}}};
  const std::string file = text(view);
  const auto has = [&](const std::string& part) { return file.find(part) != std::string::npos; };
  EXPECT_TRUE(has("[dumpfile] \"a.fst\"\n[savefile] \"a.gtkw\"\n")) << file;
  EXPECT_TRUE(has("[markername] Ah.0.attn\n")) << file;
  EXPECT_TRUE(has(" 12 -1 ")) << file;
  EXPECT_TRUE(has("@800200\n-tile 2,1\n@2022\n^1 a.message\n[color] 5\n+{north in W} t.m[37:0]\n")) << file;
  EXPECT_TRUE(has("@100000028\nt.s[3:0]\n@1000200\n-tile 2,1\n")) << file;
}

TEST(Gtkw, TextsReplaceMissingWordsOfAKind) {
  GtkwView view{.trace = "a.fst", .words = {{RowKind::Fp32, "a.fp32"}}, .first = 0, .last = 1};
  view.groups = {
      {"g", {{"t.m[37:0]", RowKind::Message, 5, "west in W", "t.words.m"}, {"t.f[7:0]", RowKind::Flags, 0, ""}}}};
  const std::string file = text(view);
  EXPECT_EQ(file.find("\n^"), std::string::npos) << file;
  EXPECT_NE(file.find("@820\n[color] 5\n+{west in W} t.words.m\n@22\nt.f[7:0]\n"), std::string::npos) << file;
}

TEST(SeenValues, AreWrittenAsAViewerWritesThem) {
  SeenValues seen;
  seen.add(0x13fe00000, 38);
  seen.add(0x13fe00000, 38);
  seen.add(5, 2);
  seen.add("zzzz0011");
  seen.add("zzzzzzzz");
  EXPECT_EQ(seen.hex(), (std::set<std::string>{"013FE00000", "5", "z3", "zz"}));
  EXPECT_TRUE(seen.complete());
}

}  // namespace
}  // namespace weft::trace
