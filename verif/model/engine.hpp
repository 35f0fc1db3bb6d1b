/// Runs the wafer's tiles: in lockstep while their programs allow it, afterwards tile by tile.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>

#include "verif/model/edge/edge.hpp"
#include "verif/model/step/slices.hpp"
#include "verif/model/tiles/tiles.hpp"

namespace weft::model {

class Engine {
 public:
  /// Splits lockstep columns among 1 .. cols threads. With `depth` above 0 the engine never uses lockstep, and links
  /// buffer `depth` messages.
  Engine(const machine::WaferShape& shape, int threads, int depth);

  // After an error, each of these throws it again until a reset.

  /// Accepts messages. Some of their effects may become visible only later.
  void feed(std::span<const machine::Message> messages);
  /// Accepts a stream piece. Returns false if the piece must be converted to messages first.
  bool feed(const machine::StreamPiece& piece);
  /// Runs until nothing moves.
  void drain();
  /// As drain(), and marks the words delivered so far as seen by the host.
  void wait();
  /// As Wafer::reset(). Returns to lockstep if the tiles of each row have the same registers and programs.
  void reset();

  // Single moves, tile by tile: leave_lockstep() must come first.
  void queue(std::span<const machine::Message> messages) {
    guard([&] { tiles_->queue(messages); });
  }
  bool move(ModelMove& moved) {
    bool any = false;
    guard([&] { any = tiles_->move(moved); });
    return any;
  }
  void set_state(int row, int col, const machine::TileState& state) {
    guard([&] { tiles_->set_state(row, col, state); });
  }

  /// As Wafer::count_progress().
  void count_progress(std::atomic<std::uint64_t>& count);

  /// As ModelWafer::pause().
  void pause(std::function<void()> between) { between_ = std::move(between); }

  /// Continues tile by tile from the current state, as if the program required it.
  void leave_lockstep();

  bool in_lockstep() const { return slices_ != nullptr; }
  // After drain(): the PE of a tile, or the PE shared by the row's lockstep columns.
  const Pe& pe(int row, int col) const { return slices_ ? slices_->pe(row, col) : tiles_->pe(row, col); }
  /// All messages of the host have been taken.
  bool fed() const { return slices_ || tiles_->fed(); }
  /// After drain(): adds the messages waiting in the fabric.
  void show(machine::HangSnapshot& s) const {
    if (tiles_) tiles_->show(s);
  }
  const Intake& intake() const { return slices_ ? (*slices_)[0].intake : tiles_->intake(); }

  Outlets outlets;

 private:
  template <class Work>
  void guard(const Work& work) {
    if (failure_) std::rethrow_exception(failure_);
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
  }
  void switch_mode_if_stopped();
  void switch_mode();

  const machine::WaferShape shape_;
  const int threads_, depth_;
  std::unique_ptr<Slices> slices_;  ///< set in lockstep
  std::unique_ptr<Tiles> tiles_;    ///< set tile by tile
  std::atomic<std::uint64_t>* progress_ = nullptr;
  std::function<void()> between_;  ///< empty: nothing is called
  std::exception_ptr failure_;
};

}  // namespace weft::model
