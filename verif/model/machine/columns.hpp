/// Splitting and joining of interleaved columns, [word][col][lane].
#pragma once

#include <algorithm>
#include <cstddef>

namespace weft::model {

/// One column of an interleaved array.
template <class T>
struct ColumnOf {
  T* data;
  int cols;  ///< columns of the array
  int col;   ///< index of this column
};

/// Copies a column of `words` words of `lanes` each.
template <class T>
void copy_column(ColumnOf<const T> from, ColumnOf<T> to, int lanes, std::size_t words) {
  const T* source = from.data + static_cast<std::size_t>(from.col * lanes);
  T* target = to.data + static_cast<std::size_t>(to.col * lanes);
  for (; words; --words, source += from.cols * lanes, target += to.cols * lanes) std::copy_n(source, lanes, target);
}

}  // namespace weft::model
