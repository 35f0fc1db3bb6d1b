/// Where a machine stands on the wafer.
#pragma once

#include "sw/machine/shape.hpp"

namespace weft::model {

/// Neighbouring columns of the wafer.
struct Columns {
  int first, count;
};

/// Some neighbouring columns of a row.
struct Place {
  WaferShape shape;
  int row;
  Columns columns;

  /// Lanes of all of them together.
  int width() const { return columns.count * shape.lanes; }
  /// They reach to the wafer's last column.
  bool last_column() const { return columns.first + columns.count == shape.cols; }
};

}  // namespace weft::model
