/// How the machines exchange words.
#pragma once

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
  virtual Stream* in(int color) = 0;
  /// Done: words can be sent on a color. Waits: some router on their way has no route for them yet.
  virtual Outcome can_send(int color) = 0;
  /// Room for `beats` x [col][k] words that go out on a color, to be filled before anything is done with any port.
  /// Null: send() them, they go to many or to nobody, or to `from`, where words may be that are about to be sent.
  virtual std::uint32_t* room_to_send(int color, const Stream* from, int beats, int k) = 0;
  virtual void send(int color, const std::uint32_t* words, int beats, int k) = 0;

  /// Sets a route of the columns' routers, which is one that they can have. False: not in step.
  virtual bool set_route(const Route& route) = 0;
  virtual const Routes& routes() const = 0;

  /// Columns in step: where what goes along the row is worked out, if the color does. Null: it does not, or the machine
  /// is one tile, for which no color is like another.
  virtual West* along_row(int color) = 0;
};

}  // namespace weft::model
