/// Some neighbouring columns of all rows: a wafer of its own, but for the words that go west.
#pragma once

#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "verif/message.hpp"
#include "verif/model/row.hpp"

namespace weft::model {

class Slice {
 public:
  Slice(const WaferShape& shape, Columns columns);

  /// What came of some messages, by row.
  struct Yield {
    std::vector<West> west;
    std::vector<std::vector<Scalar>> scalars;
    std::exception_ptr failure;  ///< what a row threw; null: nothing
  };
  /// Takes messages and runs until nothing moves.
  Yield feed(std::span<const Message> messages) noexcept;

  const Columns columns;
  std::vector<std::unique_ptr<Row>> rows;
  std::uint64_t edge_messages = 0;  ///< that went in

 private:
  void distribute(std::span<const Message> messages);
  void settle();

  const WaferShape shape_;
  const int shift_;
};

}  // namespace weft::model
