/// Programs of a wafer's tiles, and streams between the tiles (docs/reference/programs.md).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/export.hpp"

namespace weft {
inline namespace v0 {

/// A tile by row and column, from 0.
struct Tile {
  int row = 0, col = 0;
};

/// A rectangle of tiles. With 0 rows or columns it reaches to the last one.
struct Region {
  int row = 0, col = 0;  ///< its first tile
  int rows = 0, cols = 0;
};

/// The tiles to which a stream brings words.
struct WEFT_API Way {
  /// From each tile to the neighbour in that direction: (0, 1) is the eastern one.
  static Way shift(int rows, int cols);
  /// The routes of shift(), named for their use: a tile adds what it takes to its own, and sends the sum on.
  static Way reduce(int rows, int cols);
  /// From one tile to all others.
  static Way broadcast(Tile from);
  /// From the tile of that column to the others of its row, in each row.
  static Way broadcast_along_rows(int from_col);
  /// From the tile of that row to the others of its column, in each column.
  static Way broadcast_along_columns(int from_row);
  /// From each tile to its western neighbour, and from the first column to the host (Wafer::words).
  static Way gather();
  /// From the first tile to the last, through neighbours.
  static Way path(std::vector<Tile> tiles);

  enum class Kind { Shift, Broadcast, Gather, Path } kind = Kind::Shift;
  std::vector<Tile> tiles = {};  ///< Shift: the direction
};

/// Names and numbers that a program's text may use, as if by `.equ`.
using Parameters = std::map<std::string, int>;

/// A kernel that all tiles of a region compute together, on an array of fp32 that their program declares.
struct Collective {
  enum class Kind {
    Broadcast,  ///< all get the array of the root
    Reduce,     ///< the root gets the sum
    AllReduce,  ///< all get the sum
    Gather,     ///< the root gets the arrays of its line, one behind the other, in `other`
    Scatter,    ///< each tile of the root's line gets its part of the root's `other`
    Transpose,  ///< the tile of row r and column c gets the array of row c and column r, in `other`
  };
  enum class Along { Rows, Columns, All };  ///< each row, each column, or the region

  Kind kind = Kind::Broadcast;
  std::string array;
  std::string other = {};
  Along along = Along::All;
  Tile root = {};  ///< in the region; along rows only its column counts, along columns only its row
};

/// A layout of any wafer. A copy is independent. Programs and streams are checked when a wafer loads the layout.
class WEFT_API Layout {
 public:
  Layout();
  ~Layout();
  Layout(const Layout& other);
  Layout& operator=(const Layout& other);

  /// Adds a file of the assembly language, for the tiles of the region. Throws Error if the file cannot be read.
  void program(const std::string& file, const Parameters& parameters = {}, const Region& region = {});
  /// As above, with the program's text; `name`: of errors.
  void program_text(const std::string& text, const std::string& name, const Parameters& parameters = {},
                    const Region& region = {});
  /// Adds a stream. Its name is a constant in all programs: the color of the stream. Without `color` one is chosen.
  void stream(const std::string& name, const Way& way, std::optional<int> color = {}, const Region& region = {});
  /// Adds a kernel `name`, and the routine `name`_psum that kernels of the region's program may fork. The region must
  /// be that of a program, and the one of all collectives.
  void collective(const std::string& name, const Collective& collective, const Region& region = {});

  class WEFT_LOCAL Impl;
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace v0
}  // namespace weft
