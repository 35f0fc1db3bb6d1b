/// Core dumps of hung wafers, and the reports about them.
#include <cstring>

#include "sw/base/crc32c.hpp"
#include "sw/base/refusal.hpp"
#include "sw/deadlock/core_dump.hpp"
#include "sw/deadlock/report.hpp"
#include "tests/fuzz/target.hpp"

namespace weft::fuzz::core_target {
namespace {

constexpr std::size_t kHead = 24;  // magic, version, checksum, size

/// Two tiles: one waits for a word from the other, which waits for room, or has less of it by `depth`.
deadlock::Core small(int depth) {
  deadlock::Core core;
  core.program = assembler::assemble("p: rcv r1, RING\nq: snd NORTH, r1\nhalt", "x.s");
  machine::HangSnapshot& s = core.hang_snapshot;
  s.shape = {.rows = 2, .cols = 1};
  s.machine = "rtl";
  s.why = "a program waits for words that do not arrive";
  s.depth = depth;
  s.place = {.wafer = 1, .step = 2, .micro_batch = 3, .phase = "h.0.attn"};
  const std::size_t colors = depth ? 4 : 0;
  for (std::uint16_t row = 0; row < 2; ++row) {
    machine::TileHang t;
    t.state.memory = {1, 2, 3};
    t.state.instructions = core.program.words;
    t.state.psum.runs = true;
    t.state.psum.pc = row;
    t.psum = {.busy = row == 1, .pc = row, .lacks_room = row == 1};
    t.state.mp.entries = {32};
    for (auto& port : t.state.routes) port.assign(4, 0);
    t.state.routes[row ? 4 : 2][row ? 2 : 1] = row ? 1 : 16;
    t.ramp.assign(4, row);
    t.w = {machine::Message::command(machine::Command::CR, 0, 0)};
    t.out.assign(row * 15u, 2);
    t.out_credits.assign(colors, 1);
    for (std::size_t port = 0; port < 5; ++port) {
      t.buffers[port].assign(colors, static_cast<std::uint32_t>(port));
      t.credits[port].assign(colors, static_cast<std::uint8_t>(depth - static_cast<int>(port) % 2));
    }
    s.tiles.push_back(t);
    s.rows.push_back({.delivered = 3,
                      .awaited = 4,
                      .outlet = machine::Counts(colors),
                      .cell = 1,
                      .front = t.w,
                      .cell_credits = {1, 0}});
  }
  s.valves.push_back({.taken = 5, .rest = 6, .next = {machine::Message::weight(7, 8)}, .credits = {0}});
  return core;
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> list;
  for (const int depth : {0, 4}) {
    const auto bytes = deadlock::encode(small(depth));
    list.emplace_back(bytes.begin(), bytes.end());
  }
  return list;
}

void read(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint8_t> file(bytes.begin(), bytes.end());
  if (file.size() > kHead) {  // else every change would end as a checksum error
    const std::uint32_t crc = crc32c(std::span(file).subspan(kHead));
    const std::uint64_t size = file.size() - kHead;
    for (unsigned b = 0; b < 4; ++b) file[12 + b] = static_cast<std::uint8_t>(crc >> 8 * b);
    for (unsigned b = 0; b < 8; ++b) file[16 + b] = static_cast<std::uint8_t>(size >> 8 * b);
  }
  try {
    const deadlock::Core core = deadlock::decode(file, "x.weftcore");
    const std::string text = deadlock::report(core.hang_snapshot, &core.program);
    promise(text.starts_with("root cause: "), "a report begins with the root cause:", text);
    const deadlock::Core again = deadlock::decode(deadlock::encode(core), "x.weftcore");
    promise(again.hang_snapshot == core.hang_snapshot, "what is read is written");
  } catch (const Refusal& e) {
    promise_one_line(e.what());
  }
}

const bool kAdded = add({"core", seeds, read});

}  // namespace weft::fuzz::core_target
