/// The fabric with the RTL's buffers: every hop holds `depth` messages of a color, and a sender without room waits.
///
/// Buffers between two blocking ends, and their capacity (docs/explanation/hangs.md, Bounded):
///
///  out queue of a PE            15 entries, one beat's words each, in the order of all colors; a general tile has such
///                               a queue for each color
///  a router's input, a color    depth messages; a multicast front stays until all outputs have taken it
///  a PE's input, a color        depth words, and those that psum's instruction takes ahead of its beat
///  W at a PE                    depth messages, and those in vdot's lists (gathered.hpp)
///  a cell of the intake         depth messages; a command stays until its tile and the next cell have taken it
///  host                         unlimited, at the valves and behind the outlets
///
/// Link registers add no capacity: a message in one holds a credit of the buffer that it goes to.
#pragma once

#include <array>
#include <deque>
#include <span>
#include <vector>

#include "sw/machine/hang.hpp"
#include "verif/model/tiles/mesh.hpp"

namespace weft::model {

struct Machine;

class BoundedFabric {
 public:
  /// A PE's end of the fabric.
  struct End {
    Machine* machine;
    TilePorts* ports;
  };

  /// `mesh` must outlive it.
  BoundedFabric(Mesh& mesh, int depth);
  void reset();
  void connect(std::vector<End> ends) { ends_ = std::move(ends); }

  // Interface of a PE.
  /// Entries that still fit in the tile's out queue for a color.
  int room(TileIndex tile, int color) const { return kOutSize - static_cast<int>(out_[out_queue(tile, color)].size()); }
  /// Sends `beats` entries of k words.
  void send(TileIndex tile, int color, const std::uint32_t* words, int beats, int k);
  /// Must be called after the PE ran: it may have taken words.
  void ran(TileIndex tile);

  // Interface of the host.
  void feed(std::span<const machine::Message> messages);
  bool fed() const;

  /// Moves messages until none finds room, and wakes tiles. Returns false if nothing moved.
  bool move();
  /// Drops front messages that have no route. To be called when nothing else moves, so that no command can bring a
  /// route. Returns false if there are none.
  bool drop_routeless();

  void show(machine::HangSnapshot& s) const;

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
    unsigned pending = 0;  ///< outputs that the front must still go to; 0: not determined
  };
  struct Cell {
    std::deque<machine::Message> messages;
    unsigned served = 0;  ///< bit mask: 1: the tile, 2: the next cell
  };

  static std::size_t at(TileIndex tile) { return static_cast<std::size_t>(tile); }
  std::size_t index(TileIndex tile, int port, int color) const {
    return (at(tile) * kPorts + static_cast<std::size_t>(port)) * static_cast<std::size_t>(mesh_.shape.colors) +
           static_cast<std::size_t>(color);
  }
  void mark_open(TileIndex tile, int port, int color);
  void retry_upstream(TileIndex tile, int port, int color);
  bool has_room(TileIndex tile, int port, int color) const {
    return buffers_[index(tile, port, color)].words.size() < depth_;
  }
  /// Messages in a PE's input that no instruction has taken ahead.
  std::size_t in_ramp(TileIndex tile, int color) const;
  void push(TileIndex tile, int port, int color, const Word& word);
  bool deliver(TileIndex tile, int color, const Word& word);
  /// Sends the front message to one output. Returns false if there is no room.
  bool leave(TileIndex tile, int out, int color, const Word& word);
  bool move_buffer(TileIndex tile, int port, int color);
  bool move_out(TileIndex tile, int color);
  /// Index in out_; without general tiles that of the tile's one queue.
  std::size_t out_queue(TileIndex tile, int color) const {
    if (!mesh_.shape.general) return at(tile);
    return at(tile) * static_cast<std::size_t>(mesh_.shape.colors) + static_cast<std::size_t>(color);
  }
  bool move_edge();

  Mesh& mesh_;
  const std::size_t depth_;
  std::vector<End> ends_;
  std::vector<std::deque<Entry>> out_;  ///< [tile]; of general tiles [tile][color]
  std::vector<Buffer> buffers_;         ///< [tile][port][color]
  std::vector<bool> marked_;            ///< [tile][port][color]: the buffer is in open_
  std::vector<std::array<int, 3>> open_;
  std::vector<Cell> cells_;                           ///< [row]
  std::vector<std::deque<machine::Message>> valves_;  ///< [valve]
  std::vector<std::uint64_t> taken_;                  ///< [valve]
};

}  // namespace weft::model
