/// Generator of a case, step by step (tile.hpp explains why no case deadlocks).
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
  Plan(Case& c, Rng& rng, bool alike, int depth);

  // To be called before the first call.
  void fill_memories(int chunks);
  /// Sends routes as commands, after clearing the old ones.
  void set_routes(const Routes& routes);

  void begin_call();
  // Steps of a call. A step that is impossible in the current state does nothing.
  void private_step();
  void weights_step();
  void stream_step();
  void forward_step();
  /// A tile sends into a router without a route: the words are lost.
  void lost_step();
  void row_step();
  void take_sums(Tile& t);
  void rotating_sums(Tile& t);
  void handoff_step();
  void change_state();
  /// A tile executes an illegal instruction, and is not used any more.
  void illegal_step();
  void end_call(bool settle);

  /// Sends commands that no program needs, valid and invalid.
  void odd_commands(bool settled);
  void reset();
  /// Assembles the programs. Must be the last call.
  void finish();

  /// Some program is so long that no step should follow.
  bool full() const;

  const Routes& routes() const { return routes_; }

 private:
  Tile& any_tile() { return tiles_[static_cast<std::size_t>(rng_.below(static_cast<int>(tiles_.size())))]; }
  void begin_step();
  void fill_entries();
  void send(machine::Message m) { case_.items.push_back({Item::Kind::Send, m, unit_}); }
  void command(machine::Command code, int arg, unsigned value) {
    send(machine::Message::command(code, static_cast<std::uint8_t>(arg), static_cast<std::uint16_t>(value)));
  }
  void select(machine::Selection tiles) { send(machine::Message::select(tiles)); }
  void lay_out(Tile& t);

  /// Makes sure that psum runs, so that it can be given work. Returns false if psum has ended for this call. `both`:
  /// main must continue to run, too.
  bool open(Tile& t, bool both = false);
  /// Ends psum, and main waits for it.
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
  Rng& rng_;
  const bool alike_;
  const int depth_;
  Blocks blocks_;
  Routes routes_;
  std::vector<Tile> tiles_;              ///< a single tile if they are alike
  std::vector<std::vector<int>> mains_;  ///< [call][tile], first line of main
  std::vector<int> outlet_of_;           ///< [row], sender * 32 + color of the words delivered; -1: none yet
  int unit_ = kFrame, calls_ = 0;
  bool settled_ = true;
};

}  // namespace weft::random
