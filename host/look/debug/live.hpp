/// A micro-batch from a phase on, bit by bit forwards, and backwards.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/look/debug/target.hpp"
#include "sw/compiler/plan.hpp"
#include "verif/wafer.hpp"

namespace weft::debug {

/// Phases one after the other, with a rest between them. Time is counted in units of the wafer's own (cycles, moves),
/// and each is that of every other time: the way back is the way there once more, from the last rest before.
class Live : public Target {
 public:
  /// One unit. False if the last phase is over: nothing moves any more. Throws WaferStuck.
  bool advance();
  /// Units done, since the begin.
  std::uint64_t time() const { return time_; }
  /// As if no more than so many units had been done. `time` must be at most time().
  void rewind(std::uint64_t time);

  const Plan& plan() const { return plan_; }
  /// The number of the phase whose messages came last.
  std::size_t phase() const { return phase_; }
  const std::string& phase_name() const { return plan_.ops[phase_].name; }

  /// What a unit is called: "cycle", "move".
  virtual std::string_view unit() const = 0;
  /// What to use instead of another wafer's unit.
  virtual std::string instead() const = 0;

  // What the last unit did.

  /// Where something can have happened: no tile is missing, some may be there in vain.
  virtual std::span<const TilePlace> touched() const = 0;
  /// The thread has come to an instruction: to which.
  virtual std::optional<unsigned> arrives(TilePlace tile, bool psum) const = 0;
  /// A beat of the thread was done, or some.
  virtual bool issues(TilePlace tile, bool psum) const = 0;
  /// "gets PSUM 1.75": a message of the color went into the PE or came out of it. Empty: none did.
  virtual std::string passes(TilePlace tile, unsigned color) const = 0;
  /// "writes 1.75 to M[0x120]": to one of these elements. Empty: nothing was written to them.
  virtual std::string writes(TilePlace tile, unsigned first, unsigned last) const = 0;
  /// Sticky flags as they are now.
  virtual std::uint8_t flags(TilePlace tile) const = 0;

  Names names() const override;
  std::string now() const override;
  std::string report() const override;
  Live& live(const std::string&) override { return *this; }

 protected:
  /// `plan` and `parameters` must outlive this.
  Live(const Plan& plan, std::span<const float> parameters) : plan_(plan), parameters_(parameters) {}
  /// To be called when the rest of it is there. Before phase `first`, as the functional model comes to it.
  void start(std::span<const Message> tokens, std::size_t first, int model_threads);

  const std::vector<TilePlace>& tiles() const { return tiles_; }
  std::size_t index(TilePlace tile) const { return static_cast<std::size_t>(tile.row * plan_.wafer.cols + tile.col); }

  /// Loaded, with tiles as `states` say, [tile]; nothing under way, nothing done.
  virtual void put(const std::vector<TileState>& states) = 0;
  virtual void queue(std::span<const Message> messages) = 0;
  /// One unit. False: nothing moves.
  virtual bool move() = 0;
  /// Throws WaferStuck if it does not rest.
  virtual void settle() = 0;

 private:
  struct Rest {
    std::size_t phase = 0;          // the next one
    std::vector<TileState> states;  // [tile]
  };

  void go_on_from(const Rest& rest);
  void begin(std::size_t phase);
  void rest();

  const Plan& plan_;
  std::span<const float> parameters_;
  std::vector<TilePlace> tiles_;
  std::map<std::uint64_t, Rest> rests_;  // by time
  std::uint64_t time_ = 0;
  std::size_t phase_ = 0;
  std::shared_ptr<const Standstill> stuck_;
};

}  // namespace weft::debug
