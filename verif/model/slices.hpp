/// All columns of the wafer, cut into slices with a thread for each: the caller's for the first.
///
/// Messages go to all slices, which work on them at their own pace: none waits for another. What they send west is
/// joined when all have sent it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "verif/model/slice.hpp"
#include "verif/model/worker.hpp"

namespace weft::model {

class Slices {
 public:
  /// 1 .. cols threads.
  Slices(const WaferShape& shape, int threads);
  ~Slices();
  Slices(const Slices&) = delete;
  Slices& operator=(const Slices&) = delete;

  /// Takes messages. What earlier ones brought may come now. Throws what went wrong with them, here or in a slice, and
  /// from then on always: some slices may have taken what others have not.
  void feed(std::span<const Message> messages);
  /// Waits until nothing moves and everything has come. Throws as feed().
  void settle();

  std::size_t size() const { return slices_.size(); }
  /// Before settle() only for what never changes.
  const Slice& operator[](std::size_t i) const { return *slices_[i]; }
  const Slice& of_column(int col) const;

  std::vector<std::vector<std::uint32_t>> outlets;  ///< [row]: words that left the wafer, until somebody clears them
  std::vector<std::uint64_t> delivered;             ///< [row]: so many, since construction

 private:
  struct Portion;
  void share(std::span<const Message> messages);
  void join_first();
  void join(std::span<Slice::Yield> yields);
  void compare(std::span<const Slice::Yield> yields, std::size_t row) const;

  std::vector<std::unique_ptr<Slice>> slices_;
  FirstFailure failure_;
  std::deque<std::shared_ptr<Portion>> waiting_;  ///< to be joined, in order
  std::vector<std::unique_ptr<Worker>> workers_;  ///< of the slices but the first; last: they end before what they use
};

}  // namespace weft::model
