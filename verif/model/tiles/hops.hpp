/// The fabric with the RTL's buffers: every hop holds `depth` messages of a color, and who finds no room waits.
///
/// What stands between two blocking ends, and how much it holds (docs/hangs.md, Bounded):
///
///   out queue of a PE            15 entries, one beat's words each, in the order of all colors
///   a router's input, a color    depth messages; a front that goes to many stays until all have taken it
///   a PE's input, a color        depth words, and those that psum's instruction takes ahead of its beat
///   W at a PE                    depth messages, and what vdot gathers (gathered.hpp)
///   a cell of the intake         depth messages; a command stays until its tile and the next cell have taken it
///   host                         any number, at the valves and behind the outlets
///
/// Registers of links add nothing: a message in one has taken a credit of the buffer it goes to.
#pragma once

#include <array>
#include <deque>
#include <span>
#include <vector>

#include "sw/machine/standstill.hpp"
#include "verif/model/tiles/mesh.hpp"

namespace weft::model {

struct Machine;

class Hops {
 public:
  /// What a PE has of the fabric.
  struct End {
    Machine* machine;
    TilePorts* ports;
  };

  /// `mesh` must outlive it.
  Hops(Mesh& mesh, int depth);
  void reset();
  void connect(std::vector<End> ends) { ends_ = std::move(ends); }

  // A PE's.
  /// Entries that still fit into the tile's out queue.
  int room(TileIndex tile) const { return kOutSize - static_cast<int>(out_[at(tile)].size()); }
  /// `beats` entries of k words.
  void send(TileIndex tile, int color, const std::uint32_t* words, int beats, int k);
  /// The PE may have taken something.
  void ran(TileIndex tile);

  // The host's.
  void feed(std::span<const Message> messages);
  bool fed() const;

  /// Moves what finds room, until nothing does, and wakes tiles. False: nothing moved.
  bool move();
  /// Nothing else moves, so no command brings a route: drops the fronts that have none. False: there are none.
  bool drop_routeless();

  void show(Standstill& s) const;

 private:
  static constexpr int kOutSize = 15;

  struct Word {
    std::uint32_t data;
    bool ctrl;
    Sender sender;
  };
  struct Entry {
    int color;
    std::vector<std::uint32_t> words;
    std::size_t sent = 0;
  };
  struct Buffer {
    std::deque<Word> words;
    unsigned pending = 0;  ///< outputs that the front has still to go to; 0: not looked at
  };
  struct Cell {
    std::deque<Message> messages;
    unsigned served = 0;  ///< 1: the tile, 2: the next cell
  };

  static std::size_t at(TileIndex tile) { return static_cast<std::size_t>(tile); }
  std::size_t index(TileIndex tile, int port, int color) const {
    return (at(tile) * kPorts + static_cast<std::size_t>(port)) * static_cast<std::size_t>(mesh_.shape.colors) +
           static_cast<std::size_t>(color);
  }
  void look(TileIndex tile, int port, int color);
  void look_upstream(TileIndex tile, int port, int color);
  bool has_room(TileIndex tile, int port, int color) const {
    return buffers_[index(tile, port, color)].words.size() < depth_;
  }
  /// Messages in a PE's input that no instruction has taken ahead.
  std::size_t in_ramp(TileIndex tile, int color) const;
  void push(TileIndex tile, int port, int color, const Word& word);
  bool deliver(TileIndex tile, int color, const Word& word);
  /// One branch of a front. False: no room.
  bool leave(TileIndex tile, int out, int color, const Word& word);
  bool move_buffer(TileIndex tile, int port, int color);
  bool move_out(TileIndex tile);
  bool move_edge();

  Mesh& mesh_;
  const std::size_t depth_;
  std::vector<End> ends_;
  std::vector<std::deque<Entry>> out_;  ///< [tile]
  std::vector<Buffer> buffers_;         ///< [tile][port][color]
  std::vector<bool> looked_at_;         ///< the same: it is in open_
  std::vector<std::array<int, 3>> open_;
  std::vector<Cell> cells_;                  ///< [row]
  std::vector<std::deque<Message>> valves_;  ///< [valve]
  std::vector<std::uint64_t> taken_;         ///< [valve]
};

}  // namespace weft::model
