/// The ports of a tile of its own: a queue for each color, filled by whoever's routes lead there.
#pragma once

#include <vector>

#include "verif/model/machine/ports.hpp"
#include "verif/model/tiles/mesh.hpp"

namespace weft::model {

class TilePorts final : public Ports {
 public:
  /// `mesh` must outlive it.
  TilePorts(Mesh& mesh, TileIndex tile);

  Routes routes_of(int) const override { return mesh_.fabric.routes(tile_); }
  bool set_route(const Route& route, int, int) override {
    mesh_.fabric.set_route(tile_, route);
    return true;
  }
  void send(int color, const std::uint32_t* words, int beats, int k) override;
  West* along_row(int) override { return nullptr; }
  int room() const override;

  /// The routes that its words miss will not come: from now on, or not any more, words go without.
  void give_up(bool on) { gave_up_ = on; }
  void clear();
  /// Words of a sender that wait from before.
  void put(const Sender& sender, Stream stream);
  /// The queue of a color, for more words of `sender`. Throws ProgramError if others' wait there.
  Stream& queue_for(const Sender& sender);

 private:
  /// Whoever looks on is told.
  void leaves(int color);
  Outcome may_send(int color) override;
  Stream* queue_of_one(int color) override;

  struct Queue {
    Stream stream{1};
    Sender sender;  ///< of what waits
  };

  Mesh& mesh_;
  const TileIndex tile_;
  bool gave_up_ = false;
  std::vector<Queue> queues_;  ///< [color], what comes
};

}  // namespace weft::model
