#include "sw/deadlock/core_dump.hpp"

#include <algorithm>
#include <cstring>

#include "sw/base/archive.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/quoted_lines.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/plan/program_fields.hpp"
#include "sw/machine/hang.hpp"

// The members of all types in a core dump, one list for writing and reading. A member added to one of these types must
// be added here; tests/deadlock/core_test.cpp fails if it is forgotten.
namespace weft::machine {

template <class A>
void fields(A& a, ThreadState& x) {
  auto& [runs, pc, registers, control] = x;
  a(runs, pc, registers, control);
}
template <class A>
void fields(A& a, HandoffState& x) {
  auto& [entries, put_buffer, taken_buffer, filled] = x;
  a(entries, put_buffer, taken_buffer, filled);
}
template <class A>
void fields(A& a, TileState& x) {
  auto& [memory, accumulators, instructions, main, psum, mp, pm, selected, instruction_address, low_half,
         memory_address, routes, flags, beats, fma_lanes] = x;
  a(memory, accumulators, instructions, main, psum, mp, pm, selected, instruction_address, low_half, memory_address,
    routes, flags, beats, fma_lanes);
}
template <class A>
void fields(A& a, SequencerState& x) {
  auto& [busy, pc, lacks_w, lacks_words, lacks_room] = x;
  a(busy, pc, lacks_w, lacks_words, lacks_room);
}
template <class A>
void fields(A& a, TileHang& x) {
  auto& [state, main, psum, awake, lacks_route, ramp, w, out, out_credits, buffers, credits] = x;
  a(state, main, psum, awake, lacks_route, ramp, w, out, out_credits, buffers, credits);
}
template <class A>
void fields(A& a, RowHang& x) {
  auto& [delivered, awaited, outlet, cell, front, served, cell_credits] = x;
  a(delivered, awaited, outlet, cell, front, served, cell_credits);
}
template <class A>
void fields(A& a, ValveHang& x) {
  auto& [taken, rest, next, credits] = x;
  a(taken, rest, next, credits);
}
template <class A>
void fields(A& a, StreamPlace& x) {
  auto& [wafer, step, micro_batch, phase] = x;
  a(wafer, step, micro_batch, phase);
}
template <class A>
void fields(A& a, HangSnapshot& x) {
  auto& [shape, machine, why, depth, cycle, tiles, rows, valves, place] = x;
  a(shape, machine, why, depth, cycle, tiles, rows, valves, place);
}

}  // namespace weft::machine

namespace weft::deadlock {
namespace {

constexpr char kMagic[] = {'W', 'E', 'F', 'T', 'C', 'O', 'R', 'E'};
constexpr std::uint32_t kVersion = 5;
constexpr std::size_t kHeader = 24;

/// True if a terminal shows all names unchanged, as code that prints parts of a core assumes.
bool names_are_plain(const Core& core) {
  const auto plain = [](const auto& name) { return is_plain(name); };
  for (const auto& [label, address] : core.program.labels)
    if (!is_plain(label)) return false;
  for (const assembler::Kernel& kernel : core.program.kernels)
    if (!is_plain(kernel.name) || !is_plain(kernel.file) ||
        !std::ranges::all_of(kernel.parameters, plain, &assembler::Parameter::name))
      return false;
  return std::ranges::all_of(core.program.files, plain) &&
         std::ranges::all_of(core.arrays, plain, &compiler::ArraySymbol::name) &&
         is_plain(core.hang_snapshot.machine) && is_plain(core.hang_snapshot.place.phase);
}

/// True if a core has the properties that its readers rely on.
bool plausible(const Core& core) {
  const machine::HangSnapshot& s = core.hang_snapshot;
  const auto in = [](int x, int low, int high) { return x >= low && x <= high; };
  if (!in(s.shape.rows, 1, machine::WaferShape::kMostRows) || !in(s.shape.cols, 1, machine::WaferShape::kMostCols) ||
      !in(s.shape.row_groups, 1, 1) || !in(s.shape.valves, 1, s.shape.rows) || !in(s.shape.colors, 1, 32) ||
      !in(s.depth, 0, 255))
    return false;
  const auto rows = static_cast<std::size_t>(s.shape.rows), cols = static_cast<std::size_t>(s.shape.cols);
  if (s.tiles.size() != rows * cols || s.rows.size() != rows) return false;
  if (s.valves.size() != static_cast<std::size_t>(s.shape.valves)) return false;
  const auto colors = static_cast<std::size_t>(s.shape.colors);
  constexpr std::uint32_t kMostMessages = 1 << 30;  // sums of counts and credits are ints
  const auto few = [](const machine::Counts& counts) {
    return std::ranges::all_of(counts, [](std::uint32_t count) { return count <= kMostMessages; });
  };
  for (const machine::TileHang& t : s.tiles) {
    if (!few(t.ramp) || !std::ranges::all_of(t.buffers, few)) return false;
    if (t.ramp.size() > colors || t.out_credits.size() > colors) return false;
    for (std::size_t port = 0; port < 5; ++port)
      if (t.buffers[port].size() > colors || t.credits[port].size() > colors || (s.depth && t.buffers[port].empty()))
        return false;
    for (const std::uint8_t color : t.out)
      if (color >= 32 && color != machine::kColorUnknown) return false;
  }
  for (const machine::RowHang& r : s.rows)
    if (!few(r.outlet) || !few({r.cell}) || (s.depth && r.cell_credits.size() != 2)) return false;
  for (const assembler::SourceLine& line : core.program.lines)
    if (line.file >= core.program.files.size()) return false;
  for (const assembler::Kernel& kernel : core.program.kernels)
    for (const assembler::Parameter& p : kernel.parameters)
      if (!in(p.reg, 0, 15)) return false;
  constexpr int kMost = 1 << 16;  // elements that an address reaches
  for (const compiler::ArraySymbol& a : core.arrays)
    if (!in(a.address, 0, kMost) || !in(a.slots, 0, kMost) || !in(a.width, 0, kMost)) return false;
  return in(core.width, 0, kMost) && in(s.shape.lanes, 2, 64) && in(s.shape.sram_kib, 1, 128);
}

}  // namespace

std::vector<std::uint8_t> encode(const Core& core) {
  ArchiveWriter body;
  body(core.hang_snapshot, core.program, core.arrays, core.width, core.options);
  ArchiveWriter head;
  for (const char c : kMagic) head(static_cast<std::uint8_t>(c));
  head(kVersion, crc32c(body.bytes), std::uint64_t{body.bytes.size()});
  head.bytes.insert(head.bytes.end(), body.bytes.begin(), body.bytes.end());
  return std::move(head.bytes);
}

Core decode(std::span<const std::uint8_t> bytes, const std::string& file) {
  if (bytes.size() < sizeof kMagic || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
    throw Refusal(file, "is not a core dump of a wafer", "name a .weftcore that a run has written");
  const auto damaged = [&](const std::string& how) {
    return DamagedFile(file, "is damaged: " + how, "take another copy, or let the run hang again");
  };
  if (bytes.size() < kHeader) throw damaged("the file ends within the first " + std::to_string(kHeader) + " bytes");
  std::uint32_t version = 0, crc = 0;
  std::uint64_t size = 0;
  ArchiveReader head(bytes.subspan(sizeof kMagic));
  head(version, crc, size);
  if (version != kVersion)
    throw Refusal(
        file,
        "is a core dump of version " + std::to_string(version) + ", and this program reads " + std::to_string(kVersion),
        "open it with the program that wrote it");
  const auto body = bytes.subspan(kHeader);
  if (body.size() != size)
    throw damaged("the file has " + std::to_string(body.size()) + " bytes after the header, not " +
                  std::to_string(size));
  if (crc32c(body) != crc) throw damaged("its checksum does not match");
  Core core;
  try {
    ArchiveReader reader(body);
    reader(core.hang_snapshot, core.program, core.arrays, core.width, core.options);
    if (!reader.done() || !plausible(core) || !names_are_plain(core)) throw ArchiveEnds{};
    core.hang_snapshot.why = quoted_lines(core.hang_snapshot.why);
  } catch (const ArchiveEnds&) {
    throw damaged("its checksum matches, but its content is invalid");
  }
  return core;
}

}  // namespace weft::deadlock
