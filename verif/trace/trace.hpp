/// A trace of some tiles: the FST file, a GTKWave view of it (.gtkw), text for the values that occur (.message, .bf16,
/// .fp32, .flags), and the names with which weft-words translates any value (.words). All files are in one folder,
/// which can be moved.
///
/// The files get their names when all of them are complete: a trace in progress, or of a killed program, leaves an
/// earlier one of the same name intact. Of several traces of one name the last one remains, with its own view and text.
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

namespace weft::trace {

/// A half-open range of cycles.
struct CycleWindow {
  std::uint64_t from = 0, to = ~std::uint64_t{0};
};

class Trace final : public sim::TileWatch {
 public:
  struct Options {
    std::filesystem::path file;  ///< the FST file; the others are next to it
    std::vector<sim::TilePlace> tiles;
    CycleWindow window = {};   ///< range of cycles as passed to observe(), minus `origin`
    std::uint64_t origin = 0;  ///< cycle that becomes 0 in the trace
  };

  /// `program` may be null, and must outlive the trace. Throws Refusal if the file cannot be written.
  Trace(Options options, const machine::WaferShape& shape, const assembler::Program* program);

  void observe(std::uint64_t cycle, std::size_t n, const sim::TileView& view) override;
  /// Begins a phase in this cycle; its ops call the kernels at `calls`.
  void phase(std::uint64_t cycle, const std::string& name, const std::vector<unsigned>& calls);

  /// Number of cycles written.
  std::uint64_t cycles() const { return cycles_; }
  /// Moves all files into place. Throws Refusal if the disk is full, and then leaves no files. A trace destroyed
  /// without this call also leaves no files.
  void close();

  std::filesystem::path view() const;   ///< .gtkw
  std::filesystem::path names() const;  ///< .words

 private:
  /// Writes a file of the set with `content(std::ostream&)`.
  template <class Content>
  void write(const std::string& name, const Content& content);

  Options options_;
  machine::WaferShape shape_;
  const assembler::Program* program_;
  const PartFolder part_;  // must outlive the file in it
  FstFile file_;
  TraceEnums enums_;
  FstFile::Handle phase_;
  MessageNames messages_;
  TraceValues values_;
  std::vector<TileTrace> tiles_;
  std::uint64_t cycles_ = 0, now_ = 0, last_ = 0, first_ = 0;
  bool begun_ = false;
  std::vector<std::pair<std::uint64_t, std::string>> phases_;
  std::string pending_;             // phase to be written with the next cycle
  std::vector<std::string> files_;  // names of the files written
};

}  // namespace weft::trace
