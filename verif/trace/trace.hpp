/// A trace of some tiles: the FST file, the view of it for GTKWave (.gtkw), words for the values that occur (.message,
/// .bf16, .fp32, .flags), and what weft-words needs for any value (.words). All lie in one folder, which can be moved.
///
/// The files have their names when all of them are whole: a trace that is under way, or whose program was killed,
/// leaves an earlier one of that name as it is. Of several traces of one name the last one stays, with its own view and
/// words.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/machine/shape.hpp"
#include "verif/sim/tile_view.hpp"
#include "verif/trace/filter.hpp"
#include "verif/trace/part_folder.hpp"
#include "verif/trace/tile_trace.hpp"

namespace weft {

/// Half open.
struct CycleWindow {
  std::uint64_t from = 0, to = ~std::uint64_t{0};
};

class Trace final : public TileWatch {
 public:
  struct Options {
    std::filesystem::path file;  ///< the FST file; the others lie beside it
    std::vector<TilePlace> tiles;
    CycleWindow window = {};   ///< of cycles as look() counts them, less `origin`
    std::uint64_t origin = 0;  ///< the cycle that is 0 in the trace
  };

  /// `program` may be null, and must outlive this. Throws Refusal if the file cannot be written.
  Trace(Options options, const WaferShape& shape, const Program* program);

  void look(std::uint64_t cycle, std::size_t n, const TileView& view) override;
  /// A phase begins in this cycle; its ops call kernels at `calls`.
  void phase(std::uint64_t cycle, const std::string& name, const std::vector<unsigned>& calls);

  /// The last cycle, and how many were written.
  std::uint64_t cycles() const { return cycles_; }
  /// Puts all files in their places. Throws Refusal if the disk is full; then it leaves none. A trace that goes without
  /// this call leaves none either.
  void close();

  std::filesystem::path view() const;   ///< .gtkw
  std::filesystem::path names() const;  ///< .words

 private:
  /// Writes a file of the set through `content(std::ostream&)`.
  template <class Content>
  void write(const std::string& name, const Content& content);

  Options options_;
  WaferShape shape_;
  const Program* program_;
  const PartFolder part_;  // goes after the file in it
  FstFile file_;
  TraceEnums enums_;
  FstFile::Handle phase_;
  MessageNames messages_;
  TraceValues values_;
  std::vector<TileTrace> tiles_;
  std::uint64_t cycles_ = 0, now_ = 0, last_ = 0, first_ = 0;
  bool begun_ = false;
  std::vector<std::pair<std::uint64_t, std::string>> phases_;
  std::string pending_;             // the phase to be written with the next cycle
  std::vector<std::string> files_;  // names of those that are written
};

}  // namespace weft
