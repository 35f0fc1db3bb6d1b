/// Position of a machine on the wafer.
#pragma once

#include "sw/machine/shape.hpp"

namespace weft::model {

/// Neighbouring columns of the wafer.
struct Columns {
  int first, count;
};

/// Some neighbouring columns of a row.
struct Place {
  machine::WaferShape shape;
  int row;
  Columns columns;

  /// Lanes of all columns together.
  int width() const { return columns.count * shape.lanes; }
  /// Checks that the columns include the wafer's last column.
  bool last_column() const { return columns.first + columns.count == shape.cols; }
};

}  // namespace weft::model
