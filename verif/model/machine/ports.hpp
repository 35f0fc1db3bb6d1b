/// How the machines exchange words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "verif/model/machine/routes.hpp"
#include "verif/model/machine/stream.hpp"
#include "verif/model/machine/thread.hpp"

namespace weft::model {

class West;

/// A machine's own end of all streams. Words lie [beat][col][k].
class Ports {
 public:
  virtual ~Ports() = default;

  /// What a color brings. Null: the columns cannot take it in step.
  Stream* in(int color) const { return in_[static_cast<std::size_t>(color)]; }
  /// Done: words can be sent on a color. Waits: some router on their way has no route for them yet.
  Outcome can_send(int color) { return out(color) ? Outcome::Done : may_send(color); }
  /// Room for `beats` x [col][k] words that go out on a color, to be filled before anything is done with any port.
  /// Null: send() them, they go to many or to nobody, or to `from`, where words may be that are about to be sent.
  std::uint32_t* room_to_send(int color, const Stream* from, int beats, int k) {
    Stream* to = out(color) ? out(color) : queue_of_one(color);
    return to && to != from ? to->push(beats, k) : nullptr;
  }
  virtual void send(int color, const std::uint32_t* words, int beats, int k) = 0;
  /// So many beats' words may be sent now, if links are as deep as the RTL's; kNoBound: any, at any time.
  virtual int room() const { return kNoBound; }
  static constexpr int kNoBound = 1 << 20;

  /// Sets a route of the routers in columns `first` to `last`, which is one that they can have. False: not in step.
  virtual bool set_route(const Route& route, int first, int last) = 0;
  /// Of one of the columns.
  virtual Routes routes_of(int col) const = 0;

  /// Columns in step: where what goes along the row is worked out, if the color does. Null: it does not, or the machine
  /// is one tile, for which no color is like another.
  virtual West* along_row(int color) = 0;

 protected:
  static constexpr std::size_t kColors = 32;

  Stream* out(int color) const { return out_[static_cast<std::size_t>(color)]; }
  virtual Outcome may_send(int color) = 0;
  /// Where the next words on a color go, if that is one queue and nowhere else; it is told that they come.
  virtual Stream* queue_of_one(int color) = 0;

  std::array<Stream*, kColors> in_{};   ///< what in() says
  std::array<Stream*, kColors> out_{};  ///< queues that are the only ones a color goes to, whatever happens; or null
};

}  // namespace weft::model
