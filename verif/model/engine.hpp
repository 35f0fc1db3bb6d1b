/// Runs the wafer's tiles: in step while their programs allow it, from then on tile by tile.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>

#include "verif/model/edge.hpp"
#include "verif/model/step/slices.hpp"
#include "verif/model/tiles/tiles.hpp"

namespace weft::model {

class Engine {
 public:
  /// Columns in step are shared by so many threads, 1 .. cols. `depth` above 0: never in step, with links of that
  /// depth.
  Engine(const WaferShape& shape, int threads, int depth);

  // All of these throw what went wrong, and from then on always, until a reset.

  /// Takes messages. A part of what they bring may come later.
  void feed(std::span<const Message> messages);
  /// The same, or false: a piece has to be made into messages.
  bool feed(const StreamPiece& piece);
  /// Runs until nothing moves.
  void drain();
  /// drain(), and the host knows.
  void wait();
  /// As Wafer::reset(). Goes back to columns in step, if the tiles of each row have the same registers and programs.
  void reset();

  // Move by move; tile by tile, so leave_step() comes first.
  void queue(std::span<const Message> messages) {
    guard([&] { tiles_->queue(messages); });
  }
  bool move(ModelMove& moved) {
    bool any = false;
    guard([&] { any = tiles_->move(moved); });
    return any;
  }
  void put(int row, int col, const TileState& state) {
    guard([&] { tiles_->put(row, col, state); });
  }

  /// As Wafer::count_progress().
  void count_progress(std::atomic<std::uint64_t>& count);

  /// Goes on tile by tile from where it is, as if it had to.
  void leave_step();

  bool in_step() const { return slices_ != nullptr; }
  // After drain(): the PE of a tile, or the one that its row's columns in step share.
  const Pe& pe(int row, int col) const { return slices_ ? slices_->pe(row, col) : tiles_->pe(row, col); }
  /// The host's messages have all been taken.
  bool fed() const { return slices_ || tiles_->fed(); }
  /// After drain(): adds what waits in the fabric.
  void show(Standstill& s) const {
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
  void change_over_if_stopped();
  void change_over();

  const WaferShape shape_;
  const int threads_, depth_;
  std::unique_ptr<Slices> slices_;  ///< either this
  std::unique_ptr<Tiles> tiles_;    ///< or this
  std::atomic<std::uint64_t>* progress_ = nullptr;
  std::exception_ptr failure_;
};

}  // namespace weft::model
