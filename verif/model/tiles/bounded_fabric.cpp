#include "verif/model/tiles/bounded_fabric.hpp"

#include <algorithm>

#include "verif/model/instructions/instructions.hpp"
#include "verif/model/machine/machine.hpp"
#include "verif/model/tiles/gathered.hpp"
#include "verif/model/tiles/tile_ports.hpp"

namespace weft::model {

using isa::Port;

namespace {

constexpr int kRamp = static_cast<int>(Port::Ramp), kWest = static_cast<int>(Port::W), kW = 0;

/// Words that psum's instruction takes before its beat can run: all but the last.
std::size_t held(const Machine& m, int color) {
  const VectorOp& op = m.psum.op;
  if (!op.busy || op.in.cin != color) return 0;
  if (op.in.op == isa::Opcode::Vs) return op.in.in || (op.in.gather && op.started) ? 1 : 0;
  if (op.in.op == isa::Opcode::Vr && !m.place.last_column())
    return static_cast<std::size_t>(std::max(1, reduced_at_once(m, op)) - 1);
  if (op.in.op == isa::Opcode::Vb && op.in.in) return static_cast<std::size_t>(m.place.shape.lanes / 2 - 1);
  return 0;
}

}  // namespace

BoundedFabric::BoundedFabric(Mesh& mesh, int depth) : mesh_(mesh), depth_(static_cast<std::size_t>(depth)) { reset(); }

void BoundedFabric::reset() {
  const machine::WaferShape& s = mesh_.shape;
  const auto tiles = static_cast<std::size_t>(s.rows * s.cols);
  out_.assign(tiles * (mesh_.shape.general ? static_cast<std::size_t>(mesh_.shape.colors) : 1), {});
  buffers_.assign(tiles * kPorts * static_cast<std::size_t>(s.colors), {});
  marked_.assign(buffers_.size(), false);
  open_.clear();
  cells_.assign(static_cast<std::size_t>(s.rows), {});
  valves_.assign(static_cast<std::size_t>(s.valves), {});
  taken_.assign(valves_.size(), 0);
}

void BoundedFabric::mark_open(TileIndex tile, int port, int color) {
  const std::size_t i = index(tile, port, color);
  if (marked_[i] || buffers_[i].words.empty()) return;
  marked_[i] = true;
  open_.push_back({tile, port, color});
}

/// Retries the senders into this buffer, which may have room now.
void BoundedFabric::retry_upstream(TileIndex tile, int port, int color) {
  if (port == kRamp) {
    move_out(tile, color);
    return;
  }
  const machine::WaferShape& s = mesh_.shape;
  const int row = tile / s.cols, col = tile % s.cols;
  int from = -1;
  if (port == static_cast<int>(Port::N) && row > 0) from = tile - s.cols;
  if (port == static_cast<int>(Port::S) && row + 1 < s.rows) from = tile + s.cols;
  if (port == static_cast<int>(Port::E) && col + 1 < s.cols) from = tile + 1;
  if (port == kWest && col > 0) from = tile - 1;
  if (from < 0) return;  // no tile sends here; the intake retries by itself
  for (int p = 0; p < kPorts; ++p) mark_open(from, p, color);
}

std::size_t BoundedFabric::in_ramp(TileIndex tile, int color) const {
  const Machine& m = *ends_[at(tile)].machine;
  const std::size_t words = color == kW ? m.w.size() : m.ports.in(color)->words();
  return words - std::min(words, color == kW ? gathered(m) : held(m, color));
}

bool BoundedFabric::deliver(TileIndex tile, int color, const Word& word) {
  if (in_ramp(tile, color) >= depth_) return false;
  const End& end = ends_[at(tile)];
  if (color == kW) {
    end.machine->w.make_room(1);
    if (word.ctrl)
      end.machine->w.push_control(word.data);
    else
      end.machine->w.push_data(word.data);
    mesh_.wake(tile);
    if (mesh_.moved) mesh_.moved->pass(tile, kW, false);
  } else {
    *end.ports->queue_for(word.sender).push(1, 1) = word.data;
  }
  return true;
}

bool BoundedFabric::leave(TileIndex tile, int out, int color, const Word& word) {
  const machine::WaferShape& s = mesh_.shape;
  if (out == kRamp) return deliver(tile, color, word);
  if (out == kWest && tile % s.cols == 0) {
    const int row = tile / s.cols;
    mesh_.outlet(row, word.sender).push_back(word.data);
    ++mesh_.outlets.delivered[static_cast<std::size_t>(row)];
    return true;
  }
  const int step = out == static_cast<int>(Port::N)   ? -s.cols
                   : out == static_cast<int>(Port::S) ? s.cols
                   : out == static_cast<int>(Port::E) ? 1
                                                      : -1;
  const TileIndex to = tile + step;
  if (!has_room(to, out ^ 2, color)) return false;
  push(to, out ^ 2, color, word);
  return true;
}

void BoundedFabric::push(TileIndex tile, int port, int color, const Word& word) {
  buffers_[index(tile, port, color)].words.push_back(word);
  mark_open(tile, port, color);
}

bool BoundedFabric::move_buffer(TileIndex tile, int port, int color) {
  Buffer& buffer = buffers_[index(tile, port, color)];
  bool moved = false;
  while (!buffer.words.empty()) {
    if (!buffer.pending) buffer.pending = mesh_.fabric.routes(tile).at(port, color);
    if (!buffer.pending) return moved;  // no route, or none yet
    const unsigned before = buffer.pending;
    for (int out = 0; out < kPorts; ++out)
      if ((buffer.pending >> out & 1) && leave(tile, out, color, buffer.words.front())) buffer.pending &= ~(1u << out);
    moved |= buffer.pending != before;
    if (buffer.pending) return moved;
    buffer.words.pop_front();
    retry_upstream(tile, port, color);
  }
  return moved;
}

/// Sends the out queue of a color. The words of an entry leave one by one; the entry is removed with its last word.
bool BoundedFabric::move_out(TileIndex tile, int color) {
  auto& queue = out_[out_queue(tile, color)];
  bool moved = false;
  while (!queue.empty() && has_room(tile, kRamp, queue.front().color)) {
    Entry& entry = queue.front();
    push(tile, kRamp, entry.color, {entry.words[entry.sent], false, {tile, entry.color}});
    moved = true;
    if (++entry.sent < entry.words.size()) continue;
    queue.pop_front();
    mesh_.wake(tile);
  }
  return moved;
}

void BoundedFabric::send(TileIndex tile, int color, const std::uint32_t* words, int beats, int k) {
  mesh_.fabric.path(tile, Port::Ramp, color);  // throws if there is a loop
  for (int i = 0; i < beats; ++i, words += k) out_[out_queue(tile, color)].push_back({color, {words, words + k}});
  move_out(tile, color);
}

void BoundedFabric::ran(TileIndex tile) {
  for (int port = 0; port < kPorts; ++port)
    for (int color = 0; color < mesh_.shape.colors; ++color) mark_open(tile, port, color);
}

void BoundedFabric::feed(std::span<const machine::Message> messages) {
  const machine::WaferShape& s = mesh_.shape;
  for (const machine::Message& m : messages) {
    if (m.ctrl) {
      for (auto& valve : valves_) valve.push_back(m);
      continue;
    }
    const int row = std::min(static_cast<int>(m.data >> 16 >> s.row_shift()), s.rows - 1);
    int v = 0;
    while ((v + 1) * s.rows / s.valves <= row) ++v;
    valves_[static_cast<std::size_t>(v)].push_back(m);
  }
}

bool BoundedFabric::fed() const {
  return std::ranges::all_of(valves_, [](const auto& valve) { return valve.empty(); });
}

bool BoundedFabric::move_edge() {
  const machine::WaferShape& s = mesh_.shape;
  bool moved = false;
  for (int v = 0; v < s.valves; ++v) {
    const int first = v * s.rows / s.valves, end = (v + 1) * s.rows / s.valves;
    for (int row = end - 1; row >= first;
         --row) {  // from the end, so that each cell can use the room that the next cell has freed
      Cell& cell = cells_[static_cast<std::size_t>(row)];
      while (!cell.messages.empty()) {
        const machine::Message& m = cell.messages.front();
        const bool mine = m.ctrl || static_cast<int>(m.data >> 16 >> s.row_shift()) == row;
        const unsigned wanted = (mine ? 1u : 0u) | ((m.ctrl || !mine) && row + 1 < end ? 2u : 0u);
        const TileIndex tile = row * s.cols;
        const unsigned before = cell.served;
        if ((wanted & ~cell.served & 1u) && has_room(tile, kWest, kW)) {
          push(tile, kWest, kW, {m.data, m.ctrl, {tile, kW, true}});
          cell.served |= 1;
        }
        if ((wanted & ~cell.served & 2u) && cells_[static_cast<std::size_t>(row) + 1].messages.size() < depth_) {
          cells_[static_cast<std::size_t>(row) + 1].messages.push_back(m);
          cell.served |= 2;
        }
        moved |= cell.served != before || !wanted;
        if (wanted & ~cell.served) break;
        cell.messages.pop_front();
        cell.served = 0;
      }
    }
    auto& valve = valves_[static_cast<std::size_t>(v)];
    auto& into = cells_[static_cast<std::size_t>(first)].messages;
    while (!valve.empty() && into.size() < depth_) {
      into.push_back(valve.front());
      valve.pop_front();
      ++taken_[static_cast<std::size_t>(v)];
      moved = true;
    }
  }
  return moved;
}

bool BoundedFabric::move() {
  bool any = false;
  for (bool moved = true; moved;) {
    moved = move_edge();
    while (!open_.empty()) {
      const auto [tile, port, color] = open_.back();
      open_.pop_back();
      marked_[index(tile, port, color)] = false;
      moved |= move_buffer(tile, port, color);
    }
    any |= moved;
  }
  return any;
}

bool BoundedFabric::drop_routeless() {
  bool any = false;
  for (TileIndex tile = 0; tile < mesh_.shape.rows * mesh_.shape.cols; ++tile)
    for (int port = 0; port < kPorts; ++port)
      for (int color = 0; color < mesh_.shape.colors; ++color) {
        Buffer& buffer = buffers_[index(tile, port, color)];
        if (buffer.words.empty() || buffer.pending || mesh_.fabric.routes(tile).at(port, color)) continue;
        mesh_.no_route({tile});
        buffer.words.clear();
        retry_upstream(tile, port, color);
        any = true;
      }
  return any;
}

}  // namespace weft::model
