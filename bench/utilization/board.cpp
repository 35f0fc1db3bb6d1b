#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bench/benches.hpp"
#include "bench/common/gpt.hpp"
#include "bench/common/work.hpp"
#include "bench/print.hpp"
#include "host/board/lines/cobs.hpp"
#include "host/board/link/frame.hpp"
#include "host/board/wafer/packer.hpp"
#include "host/config/file/load.hpp"
#include "sw/compiler/stream/expand.hpp"

namespace weft::bench {
namespace {

constexpr double kClock = 40e6;         // Hz, as in fpga/boards
constexpr std::size_t kEntries = 2048;  // entries of a board's index memory
// The board processes a byte per cycle in each direction, which is slower than the wire, and needs a header's cycles
// after each frame (docs/reference/ethernet.md).
constexpr std::size_t kHeaderCycles = 44;

struct Line {
  const char* name;
  double bits;  // bits per second of a serial line, in each direction
  bool serial;

  /// Seconds for full frames, and a partial one.
  double seconds(std::size_t stream) const {
    const auto frame = [&](std::size_t payload) {
      const std::size_t bytes = board::kHeaderBytes + payload + board::kChecksumBytes;
      return serial ? static_cast<double>(10 * (bytes + bytes / 254 + 2)) / bits
                    : static_cast<double>(bytes + kHeaderCycles) / kClock;
    };
    const std::size_t rest = stream % board::kMostPayload;
    return static_cast<double>(stream / board::kMostPayload) * frame(board::kMostPayload) + (rest ? frame(rest) : 0);
  }
};

constexpr Line kLines[] = {{"serial line, 2 Mbaud", 2e6, true}, {"Ethernet", 0, false}};

/// Load of an op on the wafer and on each direction of a line.
struct BoardPart {
  std::uint64_t cycles = 0;
  std::size_t down = 0, up = 0;  // bytes in each direction
};

std::size_t bytes_of(const std::vector<std::uint32_t>& words) {
  std::size_t bytes = 0;
  for (const std::uint32_t n : words) bytes += 4 * n + (n + 15) / 16;
  return bytes;
}

/// Load of a micro-batch, op by op. Measures the second one, for which the index memory is already filled.
std::vector<BoardPart> board_parts_of(const Gpt& gpt) {
  const auto wafer = make_rtl_wafer(gpt.config.wafer);
  wafer->feed(gpt.plan.load);
  wafer->settle();
  board::Packer packer(kEntries);
  std::vector<BoardPart> parts;
  std::vector<machine::Message> messages;
  for (int round = 0; round < 2; ++round) {
    parts.clear();
    const auto add = [&](const std::vector<machine::Message>& feed, std::size_t up) {
      board::Bytes records;
      packer.pack(feed, records);
      packer.flush(records);
      const Work work = measure(*wafer, [&] {
        wafer->feed(feed);
        wafer->settle();
      });
      parts.push_back({work.done.cycles, records.size(), up});
    };
    add(gpt.tokens, 0);
    for (const compiler::Op& op : gpt.plan.ops) {
      compiler::expand(op, gpt.parameters, messages);
      add(messages, bytes_of(op.returned));
    }
  }
  return parts;
}

void print(const Line& line, const std::vector<BoardPart>& parts, double tokens) {
  double wafer = 0, down = 0, up = 0, by_op = 0;
  for (const BoardPart& part : parts) {
    const double w = static_cast<double>(part.cycles) / kClock, d = line.seconds(part.down), u = line.seconds(part.up);
    wafer += w;
    down += d;
    up += u;
    by_op += std::max({w, d, u});
  }
  const double most = std::max({wafer, down, up});
  const char* bound = most == wafer ? "the wafer" : most == down ? "weights" : "gradients";
  text(fmt::format("  {:<22} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f} {:>10.0f} {:>10.0f}   {}\n", line.name, 1e3 * wafer,
                   1e3 * down, 1e3 * up, 1e3 * by_op, tokens / by_op, tokens / most, bound));
  point(std::string(line.name) + ", op after op", tokens / by_op, "tokens/s");
  point(fmt::format("{}, at most, bound by {}", line.name, bound), tokens / most, "tokens/s");
}

}  // namespace

void board() {
  heading("board: tokens a second of gpt_board on 4x2 tiles at 40 MHz, from cycles and bytes of a micro-batch");
  config::Config config = config::load_config(WEFT_CONFIGS "/gpt_board.yaml", {{"wafer.backend", "rtl"}});
  config.wafer.turns = false;  // as in runs with a board
  const Gpt gpt(config);
  const std::vector<BoardPart> parts = board_parts_of(gpt);
  const auto tokens = static_cast<double>(gpt.config.model.micro_batch * gpt.config.model.seq);
  BoardPart all;
  for (const BoardPart& part : parts) {
    all.cycles += part.cycles;
    all.down += part.down;
    all.up += part.up;
  }
  count("a micro-batch", all.cycles, "cycles");
  count("  down, as records", all.down, "bytes");
  count("  up", all.up, "bytes");
  text(fmt::format("  {:<22} {:>9} {:>9} {:>9} {:>9} {:>10} {:>10}   {}\n", "", "wafer", "down", "up", "each op",
                   "tokens", "at most", "bound by"));
  for (const Line& line : kLines) print(line, parts, tokens);
  text(
      "  wafer, down, up: ms of a micro-batch. each op: ms, if an op takes as long as the slowest of the three, and "
      "none\n"
      "  begins before the last has ended. tokens: a second, so; at most: if nothing ever waits but for the "
      "slowest.\n");
}

}  // namespace weft::bench
