#include "verif/model/tiles/tiles.hpp"

#include <algorithm>
#include <utility>

#include "verif/model/numbers/numbers.hpp"
#include "verif/model/step/slices.hpp"

namespace weft::model {

namespace {

constexpr int kW = static_cast<int>(isa::Color::W);

}  // namespace

Tiles::Tiles(const machine::WaferShape& shape, const Slices& slices, Outlets& outlets, int depth)
    : shape_(shape),
      intake_(slices[0].intake),
      mesh_(shape, outlets),
      scratch_(shape.lanes),
      w_from_(static_cast<std::size_t>(shape.rows)) {
  for (TileIndex i = 0; i < shape.rows * shape.cols; ++i) {
    const int row = i / shape.cols, col = i % shape.cols;
    tiles_.push_back(std::make_unique<Tile>(Place{shape, row, {col, 1}}, mesh_, scratch_, i));
    Tile& to = tile(i);
    mesh_.ports.push_back(&to.ports);
    mesh_.flags.push_back(&to.pe.machine.flags);
    take(to, i, slices.row(row, col));
  }
  if (depth > 0) {
    bounded_fabric_ = std::make_unique<BoundedFabric>(mesh_, depth);
    std::vector<BoundedFabric::End> ends;
    for (auto& to : tiles_) ends.push_back({&to->pe.machine, &to->ports});
    bounded_fabric_->connect(std::move(ends));
    mesh_.bounded_fabric = bounded_fabric_.get();
  }
  for (int row = 0; row < shape.rows; ++row) {
    const auto r = static_cast<std::size_t>(row);
    const TileIndex first = row * shape.cols;
    if (outlets.delivered[r] > outlets.waited_for[r]) mesh_.outlet_of[r] = {first, static_cast<int>(isa::Color::West)};
    w_from_[r] = mesh_.fabric.path(first, isa::Port::W, kW);
  }
}

/// Takes over a tile's state from its lockstep row, including waiting messages.
void Tiles::take(Tile& to, TileIndex i, const Slice::Row& from) {
  const int rows = shape_.rows, cols = shape_.cols, row = i / cols, col = i % cols;
  const int own = col - from.pe.machine.place.columns.first;
  to.pe.take_column(from.pe);
  to.w_sender = {row * cols, kW, true};
  mesh_.fabric.set_routes(i, from.ports.routes_of(col));
  const auto from_row = [&](int r, isa::Color color) { return Sender{r * cols + col, static_cast<int>(color)}; };
  if (from.ports.ring.words())
    to.ports.set_stream(from_row((row + rows - 1) % rows, isa::Color::Ring), from.ports.ring.column(own));
  if (from.ports.north.words()) to.ports.set_stream(from_row(row + 1, isa::Color::North), from.ports.north.column(own));
  if (from.ports.east.words())
    to.ports.set_stream({row * cols + from.ports.before(col), static_cast<int>(isa::Color::East)},
                        from.ports.east.column(own));
  mesh_.wake(i);
}

void Tiles::feed(std::span<const machine::Message> messages) {
  if (bounded_fabric_) {
    hand_to_bounded_fabric(messages);
    return run_bounded();
  }
  do {
    const std::size_t n = std::min(messages.size(), kPortion);
    distribute(messages.first(n));
    messages = messages.subspan(n);
    run();
  } while (!messages.empty());
}

void Tiles::hand_to_bounded_fabric(std::span<const machine::Message> messages) {
  intake_.distribute(
      messages, [](std::size_t, std::uint32_t) { return true; }, [](std::size_t, std::uint32_t) {});
  bounded_fabric_->feed(messages);
}

void Tiles::waited() {
  std::ranges::fill(mesh_.outlet_of, Sender{});
  std::ranges::fill(w_from_, std::nullopt);
}

void Tiles::distribute(std::span<const machine::Message> messages) {
  for (auto& tile : tiles_) tile->pe.machine.w.make_room(messages.size());
  intake_.distribute(
      messages,
      [this](std::size_t, std::uint32_t word) {
        for (int r = 0; r < shape_.rows; ++r) inject(r, {word, true});
        return true;
      },
      [this](std::size_t row, std::uint32_t word) {
        inject(static_cast<int>(row), {word, false});
      });
}

/// Delivers a message that enters the row's first tile from the west.
void Tiles::inject(int row, const machine::Message& m) {
  auto& path = w_from_[static_cast<std::size_t>(row)];
  const Sender sender{row * shape_.cols, kW, true};
  if (!path) path = mesh_.fabric.path(sender.tile, isa::Port::W, kW);
  for (const TileIndex to : path->ramps) {
    Tile& t = tile(to);
    Inbox& w = t.pe.machine.w;
    if (t.w_sender != sender) {
      if (!w.empty())
        throw ProgramError(mesh_.name(to) + ": on W messages of " + mesh_.name(t.w_sender) + " wait when those of " +
                           mesh_.name(sender) +
                           " arrive, so their order is undefined. HINT: route W from one edge to a tile");
      t.w_sender = sender;
    }
    if (m.ctrl)
      w.push_control(m.data);
    else
      w.push_data(m.data);
    mesh_.wake(to);
    if (mesh_.moved) mesh_.moved->pass(to, kW, false);
  }
  for (const int outlet : path->outlets) {
    mesh_.outlet(outlet, sender).push_back(m.data);
    ++mesh_.outlets.delivered[static_cast<std::size_t>(outlet)];
  }
  mesh_.no_route(path->ends);
}

void Tiles::run(TileIndex i) {
  tile(i).pe.run();
  if (between_ != nullptr && *between_) (*between_)();
  if (progress_ != nullptr) progress_->fetch_add(1, std::memory_order_relaxed);
}

void Tiles::run() {
  FlushDenormals mode;
  for (;;) {
    for (std::size_t next = 0; next < mesh_.woken.size(); ++next) {
      const TileIndex i = mesh_.woken[next];
      mesh_.is_woken[static_cast<std::size_t>(i)] = false;
      run(i);
    }
    mesh_.woken.clear();
    // No command that sets a route is in flight, because nothing moves.
    if (mesh_.routeless.empty()) return;
    for (const TileIndex i : std::exchange(mesh_.routeless, {})) {
      tile(i).ports.give_up(true);
      run(i);
      tile(i).ports.give_up(false);
    }
  }
}

void Tiles::run_bounded() {
  FlushDenormals mode;
  do {
    do {
      bounded_fabric_->move();
      for (std::size_t next = 0; next < mesh_.woken.size(); ++next) {
        const TileIndex i = mesh_.woken[next];
        mesh_.is_woken[static_cast<std::size_t>(i)] = false;
        run(i);
        bounded_fabric_->ran(i);
      }
      mesh_.woken.clear();
    } while (bounded_fabric_->move() || !mesh_.woken.empty());
  } while (bounded_fabric_->drop_routeless());
}

void Tiles::reset() {
  intake_.reset();
  moves_ = {};
  if (bounded_fabric_) bounded_fabric_->reset();
  mesh_.reset();
  for (auto& tile : tiles_) {
    tile->ports.clear();
    tile->pe.reset();
  }
  waited();
}

}  // namespace weft::model
