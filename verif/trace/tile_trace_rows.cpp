#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "verif/trace/tile_trace.hpp"
#include "verif/trace/words.hpp"

namespace weft::trace {

RowGroup TileTrace::rows() const {
  RowGroup tile{fmt::format("tile {},{}", place_.row, place_.col), {}};
  constexpr std::array kHues = {5, 2, 3, 7, 1, 6};  // blue, orange, yellow, violet, red, indigo
  const auto hue = [&](std::size_t color) { return kHues.at(color % kHues.size()); };
  tile.rows.push_back({scope_ + ".call", RowKind::Text, 0, ""});
  RowGroup links{"ports", {}};
  for (std::size_t p = 0; p < links_.size(); ++p) {
    const auto add = [&](const std::vector<FstSignal>& colors, const char* prefix, const char* arrow) {
      for (std::size_t c = 0; c < colors.size(); ++c) {
        const std::string color = color_word(static_cast<unsigned>(c));
        if (colors[c].used())
          links.rows.push_back({fmt::format("{}.{}.{}{}[37:0]", scope_, kPorts[p], prefix, color), RowKind::Message,
                                hue(c), fmt::format("{} {} {}", kPorts[p], arrow, color),
                                fmt::format("{}.words.{}_{}{}", scope_, kPorts[p], prefix, color)});
      }
    };
    add(links_[p].in, p == 4 ? "from_pe_" : "in_", p == 4 ? "from PE" : "in");
    add(links_[p].out, p == 4 ? "to_pe_" : "out_", p == 4 ? "to PE" : "out");
  }
  const std::string pc = fmt::format("[{}:0]", enums_.pc_bits - 1);
  const std::string narrow = fmt::format("[{}:0]", shape_.lanes * 16 - 1);
  const std::string wide = fmt::format("[{}:0]", shape_.lanes * 32 - 1);
  const RowKind at = enums_.instructions ? RowKind::Named : RowKind::Number;
  const auto row = [this](const std::string& signal, RowKind kind, const std::string& label, const char* words = "") {
    return Row{scope_ + "." + signal, kind, 0, label, *words ? scope_ + ".words." + words : ""};
  };
  const auto thread = [&](const std::string& name) {
    RowGroup group{name + " thread",
                   {row(name + ".at" + pc, at, name + " at"), row(name + ".vector" + pc, at, name + " vector"),
                    row(name + ".unit[3:0]", RowKind::Named, name + " unit"),
                    row(name + ".state[3:0]", RowKind::Named, name + " state")}};
    if (counts_) group.rows.push_back(row(name + ".stall[3:0]", RowKind::Named, name + " stall"));
    return group;
  };
  RowGroup unit{
      "vector unit",
      {row("unit.issue[1:0]", RowKind::Named, "issues"), row("unit.a" + narrow, RowKind::Bf16, "a", "a"),
       row("unit.x[63:0]", RowKind::Fp32, "x", "x"), row("unit.b" + narrow, RowKind::Bf16, "b", "b"),
       row("unit.read_R_b[7:0]", RowKind::Hex, "reads R for b"),
       row("unit.read_R_c[7:0]", RowKind::Hex, "reads R for c"), row("unit.write_R[7:0]", RowKind::Hex, "writes R"),
       row("unit.R" + wide, RowKind::Fp32, "R value", "R")}};
  RowGroup memory{
      "memory",
      {row("unit.read_M[15:0]", RowKind::Hex, "reads M"), row("unit.write_M[15:0]", RowKind::Hex, "writes M"),
       row("unit.M" + narrow, RowKind::Bf16, "M value", "M")}};
  RowGroup rest{"handoff and flags",
                {row("handoff.MP[1:0]", RowKind::Number, "MP"), row("handoff.PM[1:0]", RowKind::Number, "PM"),
                 row("flags[7:0]", RowKind::Flags, "flags")}};
  tile.groups = {std::move(links), thread("main"), thread("psum"), std::move(unit), std::move(memory), std::move(rest)};
  return tile;
}

}  // namespace weft::trace
