#include "tests/deadlock/fabric.hpp"

#include <algorithm>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/program/load.hpp"

namespace weft::deadlock {
namespace {

std::string repeat(test::Rng&, int n, const std::string& instruction, const char* label, int& labels) {
  const std::string name = label + std::to_string(labels++);
  return "li r9, " + std::to_string(n) + "\n" + name + ": " + instruction + "\ndbnz r9, " + name + "\n";
}

std::string vl(int beats) { return "li r9, " + std::to_string(beats) + "\ncsrw VL, r9\n"; }

/// The threads of a tile, as lists of code fragments.
struct Tile {
  std::vector<std::string> psum;
  std::vector<std::string> main;
  int labels = 0, broadcasts = 0;
};

/// Code that sends `n` words, a multiple of four.
std::string send(test::Rng& rng, Tile& t, const std::string& color, int n, int lanes) {
  if (rng.chance(33)) return repeat(rng, n, "snd " + color + ", r1", "s", t.labels);
  if (n % lanes) return repeat(rng, n, "snd " + color + ", r1", "s", t.labels);
  return vl(n / lanes) + "vs.mov own=R[r2], out=" + color + "\n";
}

std::string take(test::Rng& rng, Tile& t, const std::string& color, int n, int lanes) {
  if (n % lanes || rng.chance(33)) return repeat(rng, n, "rcv r3, " + color, "t", t.labels);
  return vl(n / lanes) +
         (rng.chance(50) ? "vs.add in=" + color + ", own=R[r2], dst=R[r2]\n" : "vs.mov in=" + color + ", dst=M[r0]\n");
}

}  // namespace

Fabric random_fabric(test::Rng& rng) { return random_fabric(rng, rng.chance(33) ? 8 : 4); }

Fabric random_fabric(test::Rng& rng, int lanes, int colors) {
  Fabric f;
  const int rows = 1 + static_cast<int>(rng.below(3)), cols = 1 + static_cast<int>(rng.below(3));
  f.shape = {.rows = rows,
             .cols = cols,
             .lanes = lanes,
             .sram_kib = 4,
             .valves = 1 + static_cast<int>(rng.below(static_cast<unsigned>(rows))),
             .colors = colors};
  std::vector<Tile> tiles(static_cast<std::size_t>(rows * cols));
  const auto tile = [&](int r, int c) -> Tile& { return tiles[static_cast<std::size_t>(r * cols + c)]; };

  const bool broadcasts =
      rng.chance(50);  // then nothing takes the entries of PM, which has room for two: a third would wait forever

  // Transfers in an order that works; each tile's own order is shuffled below.
  for (int n = static_cast<int>(rng.below(20)); n > 0; --n) {
    const int r = static_cast<int>(rng.below(static_cast<unsigned>(rows))),
              c = static_cast<int>(rng.below(static_cast<unsigned>(cols)));
    const int words = 4 * (1 + static_cast<int>(rng.below(rng.chance(50) ? 6 : 24)));
    int to_r = r, to_c = c;
    std::string color = "WEST";
    const unsigned kind = rng.below(3);
    if (kind == 0 && rows > 1) color = "RING", to_r = (r + 1) % rows;
    if (kind == 1 && r > 0) color = "NORTH", to_r = r - 1;
    if (color == "WEST") to_c = c - 1;
    Tile& from = tile(r, c);
    from.psum.push_back(send(rng, from, color, words, lanes));
    if (to_c < 0) continue;
    Tile& to = tile(to_r, to_c);
    if (words % lanes || rng.chance(50)) {
      to.psum.push_back(take(rng, to, color, words, lanes));
      continue;
    }
    // The tile forwards the words while it receives them: to the west, or around the ring.
    const bool west = rows == 1 || rng.chance(50);
    const bool vb = broadcasts && to.broadcasts < 3 && rng.chance(50);
    const std::string out = west ? "WEST" : "RING";
    if (vb)
      to.psum.push_back(vl(words * 2 / lanes) + "vb in=" + color + ", out=" + out + ", dst=M[r2]\n"), ++to.broadcasts;
    else
      to.psum.push_back(vl(words / lanes) + "vs.add in=" + color + ", own=R[r2], out=" + out + "\n");
    if (west && to_c > 0) tile(to_r, to_c - 1).psum.push_back(take(rng, tile(to_r, to_c - 1), out, words, lanes));
    if (!west)
      tile((to_r + 1) % rows, to_c).psum.push_back(take(rng, tile((to_r + 1) % rows, to_c), out, words, lanes));
  }
  // Rows whose vectors are gathered.
  for (int r = 0; r < rows; ++r) {
    if (!rng.chance(33)) continue;
    const int beats = 1 + static_cast<int>(rng.below(6));
    for (int c = 0; c < cols; ++c) tile(r, c).psum.push_back(vl(beats) + "vs.mov own=R[r2], out=WEST, gather\n");
  }

  // The segments of the W stream, each up to its CR, and the tiles' code for them.
  std::vector<machine::Message> stream;
  bool before = false;  // the previous segment was a gradient
  for (int n = static_cast<int>(rng.below(6)); n > 0; --n) {
    const int each = static_cast<int>(rng.below(17));  // indices per group of vdot, in most tiles
    const bool gradient = !broadcasts && rng.chance(50);
    f.ahead |= before && gradient;
    before = gradient;
    for (int w = static_cast<int>(rng.below(gradient ? 90 : 40)); w > 0; --w) {
      const unsigned row = rng.below(static_cast<unsigned>(rows));
      stream.push_back(machine::Message::weight(static_cast<std::uint16_t>(row << f.shape.row_shift()), 0x3f80));
    }
    stream.push_back(machine::Message::command(machine::Command::CR, 0, 0));
    for (int r = 0; r < rows; ++r) {
      const bool keeps = rng.chance(50), sums = rng.chance(50), in_turn = keeps && rng.chance(50);
      for (int c = 0; c < cols; ++c) {
        Tile& t = tile(r, c);
        if (gradient) {
          const int group = rng.chance(80) ? each : static_cast<int>(rng.below(17));
          t.main.push_back("li r8, " + std::to_string(group) + "\n");
          t.main.push_back(std::string("vdot R[r4], ") + (rng.chance(50) ? "M" : "OH") + "[r0], M[r5], r8\n");
          t.psum.push_back(vl(1) + "vb src=M[r0], dst=M[r5]\n");
          t.psum.push_back("vr in=WEST, out=WEST, src=R[r4]\n");
        } else {
          t.main.push_back(in_turn ? "vaxs Q[r7], M[r0], put\n" : "vaxs R[r6], M[r0]\n");
          if (keeps) {
            if (!in_turn) t.main.push_back("vcr R[r7], R[r6]\n");
            const bool adds = sums && rows > 1;
            t.psum.push_back(vl(1) +
                             (adds ? "vs.add in=RING, own=Q[r7], dst=R[r2]\n" : "vs.mov own=Q[r7], dst=R[r2]\n"));
            if (adds) tile((r + rows - 1) % rows, c).psum.push_back(vl(1) + "vs.mov own=R[r2], out=RING\n");
          }
        }
      }
    }
  }
  // Adjacent fragments of a tile's list are swapped.
  for (Tile& t : tiles)
    for (unsigned n = rng.below(rng.chance(50) ? 3 : 6); n > 0 && t.psum.size() > 1; --n) {
      const std::size_t i = rng.below(static_cast<unsigned>(t.psum.size() - 1));
      const auto of = [](const std::string& text, const char* what) { return text.find(what) != std::string::npos; };
      // Instructions that use handoff entries keep their order, which must match the producer's independently of room.
      const bool ordered = (of(t.psum[i], "vr ") || of(t.psum[i], "Q[") || of(t.psum[i], "vb ")) &&
                           (of(t.psum[i + 1], "vr ") || of(t.psum[i + 1], "Q[") || of(t.psum[i + 1], "vb "));
      // On WEST a sum and its words form one stream.
      const bool west = of(t.psum[i], "WEST") && of(t.psum[i + 1], "WEST");
      if (!ordered && !west) std::swap(t.psum[i], t.psum[i + 1]);
    }

  f.messages = compiler::route_messages(f.shape);
  const auto command = [&](machine::Command code, int value) {
    f.messages.push_back(machine::Message::command(code, 0, static_cast<std::uint16_t>(value)));
  };
  for (int i = 0; i < rows * cols; ++i) {
    const Tile& t = tiles[static_cast<std::size_t>(i)];
    std::string text = "li r9, 1\ncsrw VL, r9\nli r4, 0\nli r5, 48\nli r6, 50\nli r7, 60\n";
    for (const char* r : {"r4", "r5", "r7"}) text += std::string("mvp ") + r + ", " + r + "\n";
    // psum runs in one part, or in two.
    const bool two = rng.chance(33);
    const std::size_t part = two ? rng.below(static_cast<unsigned>(t.psum.size() + 1)) : t.psum.size();
    const std::size_t fork = two ? rng.below(static_cast<unsigned>(t.main.size() + 1)) : t.main.size();
    text += "fork p\n";
    for (std::size_t k = 0; k < t.main.size(); ++k) text += (two && k == fork ? "fork q\n" : "") + t.main[k];
    if (two && fork == t.main.size()) text += "fork q\n";
    text += std::string(rng.chance(50) ? "join\n" : "") + "halt\np: li r2, 80\n";
    for (std::size_t k = 0; k < t.psum.size(); ++k)
      text += (two && k == part ? "halt\nq: li r2, 80\n" : "") + t.psum[k];
    if (two && part == t.psum.size()) text += "halt\nq: li r2, 80\n";
    text += "halt\n";
    f.sources.push_back(text);
    f.messages.push_back(machine::Message::select({i / cols, i % cols}));
    const auto load = compiler::program_messages(assembler::assemble(text, "t" + std::to_string(i) + ".s"));
    f.messages.insert(f.messages.end(), load.begin(), load.end());
  }
  f.messages.push_back(machine::Message::select());
  command(machine::Command::Call, 0);
  f.messages.insert(f.messages.end(), stream.begin(), stream.end());
  return f;
}

}  // namespace weft::deadlock
