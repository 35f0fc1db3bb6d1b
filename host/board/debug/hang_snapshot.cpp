#include "host/board/debug/hang_snapshot.hpp"

#include "host/board/debug/tile_reader.hpp"

namespace weft::board {
namespace {

/// Waits until nothing moves: threads stop between instructions, and sequencers finish their work.
Status let_rest(Session& session) {
  constexpr int kMost = 200;
  Status status = session.ask();
  for (int i = 0; i < kMost && status.awake; ++i) {
    session.go_on(true, session.now() + std::chrono::milliseconds(1));
    status = session.ask();
  }
  return status;
}

/// Reads the words of all nodes, [word][node].
std::vector<NodeWords> read_words(DebugChain& chain, const DeviceInfo& info, bool halt) {
  std::vector<NodeCommands> reads;
  const int words = tile_words(info.colors, info.depth, info.all_turns);
  for (int w = 0; w < words; ++w) reads.emplace_back(chain.nodes(), NodeCommand{.halt = halt, .index = w});
  return chain.exchange(reads);
}

TileStatus tile_of(const std::vector<NodeWords>& words, std::size_t node, const DeviceInfo& info) {
  std::vector<std::uint16_t> own;
  for (const NodeWords& word : words) own.push_back(word[node]);
  return tile_status(own, info.colors, info.depth, info.all_turns);
}

}  // namespace

bool some_thread_waits(Session& session, const machine::WaferShape& shape) {
  const DeviceInfo info = *session.link().info();
  DebugChain chain(session, shape.rows, shape.cols);
  const std::vector<NodeWords> words = read_words(chain, info, false);
  for (int row = 0; row < shape.rows; ++row)
    for (int col = 0; col < shape.cols; ++col) {
      const machine::TileHang t = tile_of(words, chain.tile(row, col), info).tile;
      if (t.state.main.runs || t.state.psum.runs || t.main.busy || t.psum.busy) return true;
    }
  return false;
}

std::shared_ptr<machine::HangSnapshot> read_hang_snapshot(Session& session, const machine::WaferShape& shape,
                                                          const StreamRecord& record, bool memories) {
  const DeviceInfo info = *session.link().info();
  DebugChain chain(session, shape.rows, shape.cols);
  chain.all({});
  const Status now = let_rest(session);

  const std::vector<NodeWords> came = read_words(chain, info, true);

  auto s = std::make_shared<machine::HangSnapshot>();
  s->shape = shape;
  s->machine = "board";
  s->depth = info.depth;
  s->cycle = now.cycles;
  s->valves.resize(1);
  std::vector<TileStatus> tiles;
  for (int row = 0; row < shape.rows; ++row) {
    const CellStatus cell = cell_status(came.front()[chain.cell(row)], info.colors, info.depth);
    s->rows.push_back(cell.row);
    if (row == 0) s->valves[0].credits = {cell.valve_credits};
    for (int col = 0; col < shape.cols; ++col) {
      tiles.push_back(tile_of(came, chain.tile(row, col), info));
      machine::TileHang& t = s->tiles.emplace_back(tiles.back().tile);
      t.state.flags = now.flags[static_cast<std::size_t>(row * (shape.cols + 1) + col + 1)];
    }
  }
  record.restore(*s, now.messages, tiles);

  chain.all({.give_up = true});
  TileReader reader(chain, shape);
  reader.registers(*s);
  if (memories) reader.memories(*s);
  return s;
}

}  // namespace weft::board
