/// Exchange of words between machines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "verif/model/machine/routes.hpp"
#include "verif/model/machine/stream.hpp"
#include "verif/model/machine/thread.hpp"

namespace weft::model {

class West;

/// A machine's ends of all streams. Words are ordered [beat][col][k].
class Ports {
 public:
  virtual ~Ports() = default;

  /// The incoming stream of a color. Null: the columns cannot take it in lockstep.
  Stream* in(int color) const { return in_[static_cast<std::size_t>(color)]; }
  /// Done: words can be sent on a color. Waits: a router on the path still lacks a route.
  Outcome can_send(int color) { return out(color) ? Outcome::Done : may_send(color); }
  /// Room for `beats` x [col][k] words that go out on a color, to be filled before any other call to any port. Null:
  /// use send() instead, because the words go to many destinations or none, or to `from`, which may hold the words
  /// about to be sent.
  std::uint32_t* room_to_send(int color, const Stream* from, int beats, int k) {
    Stream* to = out(color) ? out(color) : queue_of_one(color);
    return to && to != from ? to->push(beats, k) : nullptr;
  }
  virtual void send(int color, const std::uint32_t* words, int beats, int k) = 0;
  /// Number of beats whose words may be sent on a color now if links are as deep as the RTL's; kNoBound: links are
  /// unbounded.
  virtual int room(int /*color*/) const { return kNoBound; }
  static constexpr int kNoBound = 1 << 20;

  /// Sets a valid route of the routers in columns `first` to `last`. False: not possible in lockstep.
  virtual bool set_route(const Route& route, int first, int last) = 0;
  /// Routes of one of the columns.
  virtual Routes routes_of(int col) const = 0;

  /// For lockstep columns: the West that evaluates a color that goes along the row. Null: the color does not go along
  /// the row, or the machine is a single tile, for which no color is special.
  virtual West* along_row(int color) = 0;

 protected:
  static constexpr std::size_t kColors = 32;

  Stream* out(int color) const { return out_[static_cast<std::size_t>(color)]; }
  virtual Outcome may_send(int color) = 0;
  /// The queue that the next words on a color go to, if it is the only destination; the queue's owner is notified. Else
  /// null.
  virtual Stream* queue_of_one(int color) = 0;

  std::array<Stream*, kColors> in_{};   ///< results of in()
  std::array<Stream*, kColors> out_{};  ///< queues that are always a color's only destination; or null
};

}  // namespace weft::model
