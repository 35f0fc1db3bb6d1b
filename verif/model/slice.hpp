/// Some neighbouring columns of all rows: a wafer of its own, but for the words that go west.
#pragma once

#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "sw/machine/message.hpp"
#include "verif/model/row.hpp"

namespace weft::model {

class Slice {
 public:
  Slice(const WaferShape& shape, Columns columns);

  /// What came of some messages, by row.
  struct Yield {
    explicit Yield(int rows) : west(static_cast<std::size_t>(rows)), scalars(static_cast<std::size_t>(rows)) {}

    std::vector<West> west;
    std::vector<std::vector<Scalar>> scalars;
    std::exception_ptr failure;  ///< of what was thrown; null: nothing
  };
  /// Takes messages, runs until nothing moves and leaves in `yield`, which is empty, what came of it. After a failure
  /// the slice does nothing any more but say it again.
  void feed(std::span<const Message> messages, Yield& yield) noexcept;

  const Columns columns;
  std::vector<std::unique_ptr<Row>> rows;
  std::uint64_t edge_messages = 0;  ///< that went in

 private:
  void distribute(std::span<const Message> messages);
  void settle();

  const WaferShape shape_;
  const int shift_;
  std::exception_ptr failure_;  ///< the rows are somewhere in the middle of what they did
};

}  // namespace weft::model
