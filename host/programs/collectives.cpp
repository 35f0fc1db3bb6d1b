#include "host/programs/collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sw/base/refusal.hpp"

namespace weft::programs {
namespace {

using Kind = Collective::Kind;
using Along = Collective::Along;

/// A line of tiles along an axis: the register with a tile's index in it, and the streams in both directions.
struct Axis {
  const char* index;
  const char* up;    ///< towards higher indices
  const char* down;  ///< towards lower ones
  int tiles;
};

constexpr const char* kToEast = "weft_east";
constexpr const char* kToWest = "weft_west";
constexpr const char* kToSouth = "weft_south";
constexpr const char* kToNorth = "weft_north";

/// Writes psum's routine. Registers: r1 row and r2 column in the region, r3 the array, r4 the other array, r5 and up
/// scratch.
class Writer {
 public:
  Writer(const Collective& c, const Region& region, int beats)
      : c_(c),
        beats_(beats),
        along_row_{"r2", kToEast, kToWest, region.cols},
        along_column_{"r1", kToSouth, kToNorth, region.rows} {
    text_ = fmt::format(
        ".kernel {0}\n fork {0}_psum\n halt\n.routine {0}_psum\n csrr r1, ROW\n addi r1, r1, {1}\n csrr r2, COL\n"
        " addi r2, r2, {2}\n li r5, {3}\n csrw VL, r5\n li r3, {4}\n",
        c.name, -region.row, -region.col, beats, c.array);
    if (!c.other.empty()) line("li r4, {}", c.other);
  }

  std::string text() {
    const bool rows = c_.along != Along::Columns, columns = c_.along != Along::Rows;
    switch (c_.kind) {
      case Kind::Broadcast:
        if (rows) on_root_row(columns, [&] { broadcast(along_row_, c_.root.col); });
        if (columns) broadcast(along_column_, c_.root.row);
        break;
      case Kind::Reduce:
      case Kind::AllReduce: {
        if (rows) reduce(along_row_, c_.root.col);
        const auto down_the_column = [&] {
          reduce(along_column_, c_.root.row);
          if (c_.kind == Kind::AllReduce) broadcast(along_column_, c_.root.row);
        };
        if (columns) on_root_column(rows, down_the_column);
        if (rows && c_.kind == Kind::AllReduce) broadcast(along_row_, c_.root.col);
        break;
      }
      case Kind::Gather:
        gather(rows ? along_row_ : along_column_, rows ? c_.root.col : c_.root.row);
        break;
      case Kind::Scatter:
        scatter(rows ? along_row_ : along_column_, rows ? c_.root.col : c_.root.row);
        break;
      case Kind::Transpose:
        transpose();
    }
    line("halt");
    return text_;
  }

 private:
  template <class... Parts>
  void line(fmt::format_string<Parts...> format, Parts&&... parts) {
    text_ += " " + fmt::format(format, std::forward<Parts>(parts)...) + "\n";
  }
  std::string fresh() { return fmt::format("{}_psum_{}", c_.name, labels_++); }
  void label(const std::string& name) { text_ += name + ":\n"; }

  /// Work of the tiles of one index alone, if `only`.
  template <class Work>
  void only_at(bool only, const char* index, int at, const Work& work) {
    const std::string others = fresh();
    if (only) {
      line("li r5, {}", at);
      line("bne {}, r5, {}", index, others);
    }
    work();
    label(others);
  }
  template <class Work>
  void on_root_row(bool only, const Work& work) {
    only_at(only, "r1", c_.root.row, work);
  }
  template <class Work>
  void on_root_column(bool only, const Work& work) {
    only_at(only, "r2", c_.root.col, work);
  }

  /// Work of the tiles on a line: at `root`, behind it with streams that lead away and back, and before it likewise.
  /// Works get {away from the root, towards it} and the index of the end of their side.
  template <class Root, class Side>
  void on_line(const Axis& axis, int root, const Root& at_root, const Side& at_side) {
    const std::string is_root = fresh(), before = fresh(), end = fresh();
    line("li r5, {}", root);
    line("beq {}, r5, {}", axis.index, is_root);
    line("blt {}, r5, {}", axis.index, before);
    if (root < axis.tiles - 1) at_side(axis.up, axis.down, axis.tiles - 1);
    line("jmp {}", end);
    label(before);
    if (root > 0) at_side(axis.down, axis.up, 0);
    line("jmp {}", end);
    label(is_root);
    at_root();
    label(end);
  }

  /// `last` at the tile of index `end`, `other` at the others.
  void at_end(const Axis& axis, int end, const std::string& last, const std::string& other) {
    const std::string is_last = fresh(), behind = fresh();
    line("li r5, {}", end);
    line("beq {}, r5, {}", axis.index, is_last);
    line("{}", other);
    line("jmp {}", behind);
    label(is_last);
    line("{}", last);
    label(behind);
  }

  /// Repeats lines as often as r6 says.
  template <class Work>
  void times_r6(const Work& work) {
    const std::string again = fresh(), none = fresh();
    line("beq r6, r0, {}", none);
    label(again);
    work();
    line("dbnz r6, {}", again);
    label(none);
  }
  /// r6 = the number of tiles between this one and the end of its side.
  void tiles_beyond(const Axis& axis, int end) {
    if (end == 0) return line("mov r6, {}", axis.index);
    line("li r6, {}", end);
    line("sub r6, r6, {}", axis.index);
  }
  void forward(const char* stream) { line("vs.mov in={0}, out={0}", stream); }

  void broadcast(const Axis& axis, int root) {
    on_line(
        axis, root,
        [&] {
          if (root < axis.tiles - 1) line("vs.mov own=R[r3], out={}", axis.up);
          if (root > 0) line("vs.mov own=R[r3], out={}", axis.down);
        },
        [&](const char* away, const char*, int end) {
          at_end(axis, end, fmt::format("vs.mov in={}, dst=R[r3]", away),
                 fmt::format("vs.mov in={0}, out={0}, dst=R[r3]", away));
        });
  }

  void reduce(const Axis& axis, int root) {
    on_line(
        axis, root,
        [&] {
          if (root < axis.tiles - 1) line("vs.add in={}, own=R[r3], dst=R[r3]", axis.down);
          if (root > 0) line("vs.add in={}, own=R[r3], dst=R[r3]", axis.up);
        },
        [&](const char*, const char* towards, int end) {
          at_end(axis, end, fmt::format("vs.mov own=R[r3], out={}", towards),
                 fmt::format("vs.add in={0}, own=R[r3], out={0}", towards));
        });
  }

  /// Instructions for each block of r4 on one side of the root, from the nearest on.
  template <class Work>
  void blocks(int root, int step, int count, const Work& work) {
    line("li r7, {}", c_.other);
    line("addi r7, r7, {}", (root + step) * beats_);
    line("li r6, {}", count);
    times_r6([&] {
      work();
      line("addi r7, r7, {}", step * beats_);
    });
  }

  void gather(const Axis& axis, int root) {
    on_line(
        axis, root,
        [&] {
          line("addi r7, r4, {}", root * beats_);
          line("vs.mov own=R[r3], dst=R[r7]");
          if (root < axis.tiles - 1)
            blocks(root, 1, axis.tiles - 1 - root, [&] { line("vs.mov in={}, dst=R[r7]", axis.down); });
          if (root > 0) blocks(root, -1, root, [&] { line("vs.mov in={}, dst=R[r7]", axis.up); });
        },
        [&](const char*, const char* towards, int end) {
          line("vs.mov own=R[r3], out={}", towards);
          tiles_beyond(axis, end);
          times_r6([&] { forward(towards); });
        });
  }

  void scatter(const Axis& axis, int root) {
    on_line(
        axis, root,
        [&] {
          if (root < axis.tiles - 1)
            blocks(root, 1, axis.tiles - 1 - root, [&] { line("vs.mov own=R[r7], out={}", axis.up); });
          if (root > 0) blocks(root, -1, root, [&] { line("vs.mov own=R[r7], out={}", axis.down); });
          line("addi r7, r4, {}", root * beats_);
          line("vs.mov own=R[r7], dst=R[r3]");
        },
        [&](const char* away, const char*, int end) {
          line("vs.mov in={}, dst=R[r3]", away);
          tiles_beyond(axis, end);
          times_r6([&] { forward(away); });
        });
  }

  /// Tiles above the diagonal send to it along their row, and from there the vectors go down the column; then those
  /// below it, the other way. The first step never waits for the second, so no tiles wait in a cycle.
  void transpose() {
    const int last = along_row_.tiles - 1;
    const auto side = [&](bool sends, const char* row_stream, const char* column_stream, bool to_high) {
      if (sends)
        line("vs.mov own=R[r3], out={}", row_stream);
      else
        line("vs.mov in={}, dst=R[r4]", column_stream);
      tiles_beyond(sends ? along_row_ : along_column_, to_high ? last : 0);
      times_r6([&] { forward(sends ? row_stream : column_stream); });
    };
    const auto diagonal = [&](const char* row_stream, const char* column_stream, bool to_high) {
      tiles_beyond(along_row_, to_high ? last : 0);
      times_r6([&] { line("vs.mov in={}, out={}", row_stream, column_stream); });
    };
    const std::string on_diagonal = fresh(), below = fresh(), end = fresh();
    line("beq r1, r2, {}", on_diagonal);
    line("blt r2, r1, {}", below);
    if (last > 0) {
      side(true, kToWest, kToSouth, true);
      side(false, kToEast, kToNorth, false);
    }
    line("jmp {}", end);
    label(below);
    if (last > 0) {
      side(false, kToWest, kToSouth, true);
      side(true, kToEast, kToNorth, false);
    }
    line("jmp {}", end);
    label(on_diagonal);
    if (last > 0) {
      diagonal(kToWest, kToSouth, true);
      diagonal(kToEast, kToNorth, false);
    }
    line("vs.mov own=R[r3], dst=R[r4]");
    label(end);
  }

  const Collective& c_;
  const int beats_;
  const Axis along_row_, along_column_;
  std::string text_;
  int labels_ = 0;
};

bool has_blocks(Kind kind) { return kind == Kind::Gather || kind == Kind::Scatter; }

}  // namespace

std::vector<Stream> collective_streams(std::span<const Collective> collectives) {
  std::vector<Stream> streams;
  const auto add = [&](const char* name, Tile step, const Collective& c) {
    const auto same = [&](const Stream& s) { return s.name == name; };
    if (const auto found = std::ranges::find_if(streams, same); found != streams.end()) {
      if (found->region == c.region) return;
      throw Refusal(c.name, "its region is not that of the other collectives", "give all collectives one region");
    }
    streams.push_back({name, {.kind = Way::Kind::Shift, .step = step, .tiles = {}}, c.region, {}});
  };
  for (const Collective& c : collectives) {
    // Words leave the root, or go to it, or both.
    const bool from = c.kind != Kind::Reduce && c.kind != Kind::Gather;
    const bool to = c.kind != Kind::Broadcast && c.kind != Kind::Scatter;
    const auto add_axis = [&](const char* up, const char* down, Tile step, int root, int tiles) {
      const bool turns = c.kind == Kind::Transpose && tiles > 1;
      const bool behind = root<tiles - 1, before = root> 0;
      if (turns || (from && behind) || (to && before)) add(up, step, c);
      if (turns || (from && before) || (to && behind)) add(down, {-step.row, -step.col}, c);
    };
    if (c.along != Along::Columns) add_axis(kToEast, kToWest, {0, 1}, c.root.col, c.region.cols);
    if (c.along != Along::Rows) add_axis(kToSouth, kToNorth, {1, 0}, c.root.row, c.region.rows);
  }
  return streams;
}

std::string collective_text(const Collective& c, const Region& region, int lanes, const ElementsOf& elements_of) {
  const Region own = {0, 0, region.rows, region.cols};
  if (!own.has(c.root))
    throw Refusal(c.name,
                  name_of(c.root) + " is not in its region of " + fmt::format("{} x {} tiles", own.rows, own.cols),
                  "count rows and columns of the root from those of the region");
  if (has_blocks(c.kind) && c.along == Along::All)
    throw Refusal(c.name, "it gathers or scatters along rows and columns", "use one of both, or two collectives");
  if (c.kind == Kind::Transpose && region.rows != region.cols)
    throw Refusal(c.name, fmt::format("its region of {} x {} tiles is not square", region.rows, region.cols),
                  "transpose a square region");
  const int elements = elements_of(c.array), beats = (elements + lanes - 1) / lanes;
  if (c.other.empty()) return Writer(c, region, beats).text();
  const int tiles = !has_blocks(c.kind) ? 1 : c.along == Along::Rows ? region.cols : region.rows;
  if (elements_of(c.other) != tiles * elements || (tiles > 1 && elements % lanes != 0))
    throw Refusal(
        c.name,
        fmt::format("array {} has {} elements, and array {} has {}", c.array, elements, c.other, elements_of(c.other)),
        fmt::format("declare {} with {} times the elements of {}, a multiple of the {} lanes", c.other, tiles, c.array,
                    lanes));
  return Writer(c, region, beats).text();
}

}  // namespace weft::programs
