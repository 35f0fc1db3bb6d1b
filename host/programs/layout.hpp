/// A layout as plain data: programs of regions, and streams between tiles (docs/reference/programs.md).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weft::programs {

/// A tile by row and column.
struct Tile {
  int row = 0, col = 0;
  friend auto operator<=>(const Tile&, const Tile&) = default;
};

/// A rectangle of tiles.
struct Region {
  int row = 0, col = 0;  ///< its first tile
  int rows = 0, cols = 0;

  bool has(Tile t) const { return t.row >= row && t.row < row + rows && t.col >= col && t.col < col + cols; }
  bool meets(const Region& o) const {
    return row < o.row + o.rows && o.row < row + rows && col < o.col + o.cols && o.col < col + cols;
  }
  friend bool operator==(const Region&, const Region&) = default;
};

/// A program of the tiles of a region.
struct RegionProgram {
  std::string name;  ///< of its file, for messages
  std::string text;
  std::map<std::string, int> parameters;  ///< constants, as if by `.equ`
  Region region;
};

/// The tiles to which a stream brings words.
struct Way {
  enum class Kind {
    Shift,      ///< each tile sends to the neighbour in the direction {rows, cols}
    Broadcast,  ///< from tiles[0] to all others of the region; with a row or column of -1 from one tile of each
    Gather,     ///< each tile sends to its western neighbour, and the first column to the host
    Path,       ///< from tiles[0] along tiles to the last
  };
  Kind kind = Kind::Shift;
  Tile step = {};                ///< Shift: one of the four neighbours
  std::vector<Tile> tiles = {};  ///< Broadcast, Path
};

struct Stream {
  std::string name;
  Way way;
  Region region;
  std::optional<int> color = {};  ///< unset: chosen
};

/// A kernel that all tiles of a region compute together, on an array of fp32.
struct Collective {
  enum class Kind {
    Broadcast,  ///< all get the array of the root
    Reduce,     ///< the root gets the sum; the arrays of the others keep their contents
    AllReduce,  ///< all get the sum
    Gather,     ///< the root gets the arrays of its line, one behind the other, in `other`
    Scatter,    ///< each tile of the root's line gets its part of the root's `other`
    Transpose,  ///< the tile of row r and column c gets the array of row c and column r, in `other`
  };
  enum class Along { Rows, Columns, All };  ///< each row, each column, or the region

  std::string name;
  Kind kind = Kind::Broadcast;
  std::string array;
  std::string other = {};
  Along along = Along::All;
  Tile root = {};  ///< in the region; along rows only its column counts, along columns only its row
  Region region = {};
};

struct Layout {
  std::vector<RegionProgram> programs;
  std::vector<Stream> streams;
  std::vector<Collective> collectives = {};  ///< each is part of the program with its region
};

/// `tile (2,0)`
std::string name_of(Tile tile);
/// `rows 0 to 3, columns 2 to 5`
std::string name_of(const Region& region);

}  // namespace weft::programs
