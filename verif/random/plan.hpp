/// Thinks of a case, step by step (tile.hpp says why no case stands still).
#pragma once

#include <functional>
#include <vector>

#include "verif/random/blocks.hpp"
#include "verif/random/case.hpp"
#include "verif/random/trees.hpp"

namespace weft::random {

class Plan {
 public:
  /// `alike`: all tiles run the same program. `depth`: messages that a link buffers.
  Plan(Case& c, Dice& dice, bool alike, int depth);

  // Before the first call.
  void fill_memories(int chunks);
  /// Routes as commands, the old ones away first.
  void set_routes(const Routes& routes);

  void begin_call();
  // Steps of a call. Each may find that it cannot be done, and does nothing.
  void private_step();
  void weights_step();
  void stream_step();
  void forward_step();
  /// A tile sends where its router has no route: the words are lost.
  void lost_step();
  void row_step();
  void take_sums(Tile& t);
  void sums_in_turn(Tile& t);
  void handoff_step();
  void change_state();
  /// A tile runs into an illegal instruction, and is not needed any more.
  void illegal_step();
  void end_call(bool settle);

  /// Commands that no program needs, good and bad.
  void odd_commands(bool settled);
  void reset();
  /// Puts the programs together. Nothing may follow.
  void finish();

  /// Some program has so many instructions that no step should follow.
  bool full() const;

  const Routes& routes() const { return routes_; }

 private:
  Tile& any_tile() { return tiles_[static_cast<std::size_t>(dice_.below(static_cast<int>(tiles_.size())))]; }
  void begin_step();
  void fill_entries();
  void send(Message m) { case_.items.push_back({Item::Kind::Send, m, unit_}); }
  void command(Command code, int arg, unsigned value) {
    send(Message::command(code, static_cast<std::uint8_t>(arg), static_cast<std::uint16_t>(value)));
  }
  void select(Selection tiles) { send(Message::select(tiles)); }
  void lay_out(Tile& t);

  /// psum runs, so that it can be given something to do. False: it has ended for this call.
  /// `both`: main goes on, too.
  bool open(Tile& t, bool both = false);
  /// psum is done, and main has waited for it.
  void close(Tile& t);
  const Zone* main_zone(const Tile& t) const { return t.state == Tile::State::Both ? &t.main_zone : nullptr; }
  const Zone* psum_zone(const Tile& t) const { return t.state == Tile::State::Both ? &t.psum_zone : nullptr; }

  bool can_stream(const Tree& tree);
  void claim(const Tree& tree);
  int words(const Tree& tree);
  void stream_words(Tile& t, int from, int to, int n);
  int one_by_one(Code& c, int from, int to, int n);
  void dot(Tile& t, int indices, int most, const Tree* chain);
  int chain_color();
  bool row_can_chain(int row, int color);
  bool row_can_reduce(int row, int color);

  Case& case_;
  Dice& dice_;
  const bool alike_;
  const int depth_;
  Blocks blocks_;
  Routes routes_;
  std::vector<Tile> tiles_;              ///< one, if they are alike
  std::vector<std::vector<int>> mains_;  ///< [call][tile], its first line
  std::vector<int> outlet_of_;           ///< [row], the sender * 32 + color of what it delivers; -1: nobody yet
  int unit_ = kFrame, calls_ = 0;
  bool settled_ = true;
};

}  // namespace weft::random
