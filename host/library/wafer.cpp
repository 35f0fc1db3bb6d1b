#include "weft/wafer.hpp"

#include <atomic>
#include <fstream>
#include <sstream>
#include <utility>

#include "host/inspect/own/first_difference.hpp"
#include "host/library/debugger.hpp"
#include "host/library/measured.hpp"
#include "host/library/translate.hpp"
#include "host/programs/session.hpp"
#include "sw/base/bf16.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
inline namespace v0 {
namespace {

programs::Region internal(const Region& r) { return {r.row, r.col, r.rows, r.cols}; }

programs::Way internal(const Way& way) {
  programs::Way result;
  for (const Tile& tile : way.tiles) result.tiles.push_back({tile.row, tile.col});
  switch (way.kind) {
    case Way::Kind::Shift:
      result.kind = programs::Way::Kind::Shift;
      result.step = result.tiles.at(0);
      break;
    case Way::Kind::Broadcast:
      result.kind = programs::Way::Kind::Broadcast;
      break;
    case Way::Kind::Gather:
      result.kind = programs::Way::Kind::Gather;
      break;
    case Way::Kind::Path:
      result.kind = programs::Way::Kind::Path;
      break;
  }
  return result;
}

Work work_of(const programs::Counts& c) {
  return {.cycles = c.cycles, .beats = c.beats, .multiply_adds = c.multiply_adds, .messages = c.messages};
}

std::string contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) throw Refusal(file, "cannot be read", "name a file of assembly");
  return text.str();
}

machine::WaferShape shape_of(const WaferSettings& s) {
  if (s.rows < 1 || s.cols < 1 || s.rows > machine::WaferShape::kMostRows || s.cols > machine::WaferShape::kMostCols)
    throw Refusal("wafer", "has no such mesh", "use 1 to 1024 rows and columns");
  if (s.sram_kib < 0 || s.sram_kib > 128)
    throw Refusal("sram_kib", "is out of range", "use 1 to 128, or 0 for the default");
  if (s.lanes != 2 && s.lanes != 4 && s.lanes != 8 && s.lanes != 16)
    throw Refusal("lanes", "is out of range", "use 2, 4, 8 or 16");
  if (s.threads < 1) throw Refusal("threads", "is out of range", "use 1 or more");
  if (s.baud < 300 || s.baud > 100'000'000) throw Refusal("baud", "is out of range", "use 300 to 100000000");
  return {.rows = s.rows, .cols = s.cols, .lanes = s.lanes, .sram_kib = s.sram_kib, .general = s.general};
}

programs::Backend backend_of(const WaferSettings& s) {
  return {.name = s.backend, .threads = s.threads, .baud = s.baud, .inspect = s.inspect};
}

}  // namespace

Way Way::shift(int rows, int cols) { return {Kind::Shift, {{rows, cols}}}; }
Way Way::reduce(int rows, int cols) { return shift(rows, cols); }
Way Way::broadcast(Tile from) { return {Kind::Broadcast, {from}}; }
Way Way::broadcast_along_rows(int from_col) { return {Kind::Broadcast, {{-1, from_col}}}; }
Way Way::broadcast_along_columns(int from_row) { return {Kind::Broadcast, {{from_row, -1}}}; }
Way Way::gather() { return {Kind::Gather, {}}; }
Way Way::path(std::vector<Tile> tiles) { return {Kind::Path, std::move(tiles)}; }

class Layout::Impl {
 public:
  programs::Layout layout;
};

Layout::Layout() : impl_(std::make_unique<Impl>()) {}
Layout::~Layout() = default;
Layout::Layout(const Layout& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Layout& Layout::operator=(const Layout& other) {
  *impl_ = *other.impl_;
  return *this;
}

void Layout::program(const std::string& file, const Parameters& parameters, const Region& region) {
  program_text(library::called([&](const auto&) { return contents(file); }), file, parameters, region);
}

void Layout::program_text(const std::string& text, const std::string& name, const Parameters& parameters,
                          const Region& region) {
  impl_->layout.programs.push_back({name, text, parameters, internal(region)});
}

void Layout::stream(const std::string& name, const Way& way, std::optional<int> color, const Region& region) {
  impl_->layout.streams.push_back({name, internal(way), internal(region), color});
}

void Layout::collective(const std::string& name, const Collective& c, const Region& region) {
  impl_->layout.collectives.push_back({.name = name,
                                       .kind = static_cast<programs::Collective::Kind>(c.kind),
                                       .array = c.array,
                                       .other = c.other,
                                       .along = static_cast<programs::Collective::Along>(c.along),
                                       .root = {c.root.row, c.root.col},
                                       .region = internal(region)});
}

int bf16_bits(double value) { return nearest_bf16(value); }

class Wafer::Impl {
 public:
  explicit Impl(const WaferSettings& s) : session(shape_of(s), backend_of(s)) {}

  /// Runs `call` as a call of the library, the only one at a time.
  template <class Call>
  auto alone(const Call& call) {
    return library::called([&](const library::SignalsHeld& signals) {
      if (busy_.exchange(true)) throw Refusal("weft.Wafer", "is in use by another thread", "use it in one at a time");
      struct Free {
        std::atomic<bool>& busy;
        ~Free() { busy = false; }
      } const free{busy_};
      session.observe(observer ? std::function<bool(const programs::Progress&)>([&](const programs::Progress& p) {
        return signals.deliver([&] { return observer({p.what, p.done, p.all}); });
      })
                               : nullptr);
      return call(signals);
    });
  }

  programs::Session session;
  Observer observer;
  std::optional<programs::Replay> remembered;  // the last run

 private:
  std::atomic<bool> busy_ = false;
};

Wafer::Wafer(const WaferSettings& settings)
    : impl_(library::called([&](const auto&) { return std::make_unique<Impl>(settings); })) {}
Wafer::~Wafer() = default;

void Wafer::load(const Layout& layout, bool check) {
  impl_->alone([&](const auto&) { impl_->session.load(layout.impl().layout, check); });
}

void Wafer::observe(Observer observer) {
  impl_->alone([&](const auto&) { impl_->observer = std::move(observer); });
}

std::map<std::string, ArrayShape> Wafer::arrays() const {
  return impl_->alone([&](const auto&) {
    std::map<std::string, ArrayShape> list;
    for (const auto& [name, array] : impl_->session.arrays())
      list[name] = {array.region.rows, array.region.cols, array.count,
                    std::string(assembler::kElementTypes[static_cast<std::size_t>(array.type)])};
    return list;
  });
}

void Wafer::set(const std::string& array, std::span<const float> values) {
  impl_->alone([&](const auto&) { impl_->session.set(array, values); });
}

void Wafer::set(const std::string& array, std::span<const std::int16_t> values) {
  impl_->alone([&](const auto&) { impl_->session.set(array, values); });
}

std::vector<float> Wafer::floats(const std::string& array) {
  return impl_->alone([&](const auto&) { return impl_->session.floats(array); });
}

void Wafer::get(const std::string& array, std::span<float> values) {
  impl_->alone([&](const auto&) { impl_->session.get(array, values); });
}

void Wafer::get(const std::string& array, std::span<std::int16_t> values) {
  impl_->alone([&](const auto&) { impl_->session.get(array, values); });
}

std::vector<std::int16_t> Wafer::integers(const std::string& array) {
  return impl_->alone([&](const auto&) { return impl_->session.integers(array); });
}

std::optional<Work> Wafer::run(const std::string& kernel, const Arguments& arguments, const RunOptions& options) {
  return impl_->alone([&](const library::SignalsHeld& signals) -> std::optional<Work> {
    const auto ask = [&] { return signals.deliver(options.interrupted); };
    impl_->remembered.reset();
    if (options.remember) impl_->remembered = impl_->session.replay(kernel, arguments, "remember");
    const auto done = impl_->session.run(kernel, arguments, options.check,
                                         options.interrupted ? std::function<bool()>(ask) : nullptr);
    return done ? std::optional(work_of(*done)) : std::nullopt;
  });
}

std::vector<std::uint32_t> Wafer::words(int row) const {
  return impl_->alone([&](const auto&) { return impl_->session.words(row); });
}

std::vector<std::uint64_t> Wafer::tile_beats() const {
  return impl_->alone([&](const auto&) { return impl_->session.tile_beats(); });
}

Work Wafer::work() const {
  return impl_->alone([&](const auto&) { return work_of(impl_->session.counts()); });
}

Debugger Wafer::debug(const std::string& kernel, const Arguments& arguments) {
  return impl_->alone(
      [&](const auto&) { return library::make_debugger(impl_->session.replay(kernel, arguments, "debug")); });
}

std::string Wafer::first_difference() const {
  return impl_->alone([&](const library::SignalsHeld& signals) {
    if (!impl_->remembered)
      throw Refusal("first_difference", "the last run was not remembered", "call run() with RunOptions::remember");
    const programs::Replay& run = *impl_->remembered;
    const auto ask = [&] { return impl_->observer && impl_->observer({"kernel " + run.kernel, 0, 0}); };
    return inspect::own::text(inspect::own::first_difference(run, run, [&] { return signals.deliver(ask); }));
  });
}

void Wafer::waves(const std::string& file, const std::string& tiles, const std::string& cycles) {
  impl_->alone([&](const auto&) { impl_->session.waves(file, tiles, cycles); });
}

std::map<std::string, std::vector<std::uint64_t>> Wafer::stalls() const {
  return impl_->alone([&](const auto&) { return library::stalls(impl_->session.measured()); });
}

std::string Wafer::profile() const {
  return impl_->alone([&](const auto&) { return library::profile(impl_->session.shape(), impl_->session.measured()); });
}

void Wafer::save_profile(const std::string& file) const {
  impl_->alone([&](const auto&) { library::save_profile(impl_->session.shape(), impl_->session.measured(), file); });
}

}  // namespace v0
}  // namespace weft
