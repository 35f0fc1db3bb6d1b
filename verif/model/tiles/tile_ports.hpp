/// Ports of an independent tile: a queue for each color, filled by the tiles whose routes lead here.
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
  int room(int color) const override;

  /// Turns on, or off, sending without waiting for missing routes.
  void give_up(bool on) { gave_up_ = on; }
  void clear();
  /// Restores waiting words of a sender.
  void set_stream(const Sender& sender, Stream stream);
  /// The queue of a color, for more words of `sender`. Throws ProgramError if words of another sender wait there.
  Stream& queue_for(const Sender& sender);

 private:
  Outcome may_send(int color) override;
  Stream* queue_of_one(int color) override;

  struct Queue {
    Stream stream{1};
    Sender sender;  ///< sender of the waiting words
  };

  Mesh& mesh_;
  const TileIndex tile_;
  bool gave_up_ = false;
  std::vector<Queue> queues_;  ///< [color], incoming words
};

}  // namespace weft::model
