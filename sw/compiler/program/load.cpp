#include "sw/compiler/program/load.hpp"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "sw/base/bf16.hpp"
#include "sw/base/elementary.hpp"
#include "sw/compiler/model/dropout.hpp"
#include "sw/compiler/placement/row_constants.hpp"
#include "sw/compiler/program/call.hpp"
#include "sw/compiler/program/program.hpp"

namespace weft::compiler {
namespace {

constexpr int kAll = machine::Selection::kAll;

class Messages {
 public:
  void command(machine::Command code, int arg, int value) {
    list.push_back(machine::Message::command(code, static_cast<std::uint8_t>(arg), static_cast<std::uint16_t>(value)));
  }
  void select(int row, int col) { list.push_back(machine::Message::select({row, col})); }
  void route(machine::Color color, machine::Port in, std::initializer_list<machine::Port> outs) {
    int value = static_cast<int>(color) << 11 | static_cast<int>(in) << 8;
    for (const machine::Port out : outs) value |= 1 << static_cast<int>(out);
    command(machine::Command::Route, 0, value);
  }
  void route(machine::Color color, machine::Port in, machine::Port out) { route(color, in, {out}); }
  void call(const assembler::Program& program, std::string_view kernel, const std::vector<Argument>& arguments) {
    const std::vector<machine::Message> more = call_messages(program, kernel, arguments);
    list.insert(list.end(), more.begin(), more.end());
  }
  void write(int address, const std::vector<int>& values) {
    command(machine::Command::Maddr, 0, address);
    for (const int value : values) command(machine::Command::Mdata, 0, value);
  }
  std::vector<machine::Message> list;
};

/// The table "outputs at home in row h"; with `rounds`, followed by the number of rounds of up to 65,536 outputs in
/// which a register counts them.
std::vector<int> counts(const Space& space, int rows, bool rounds) {
  std::vector<int> result;
  for (int r = 0; r < rows; ++r) result.push_back(space.count(r));
  if (rounds) result.push_back((space.features() + 65535) / 65536);
  return result;
}

/// Routes W through all columns, which receive it on its way back from the last one (docs/reference/message.md). The
/// way back is set first, while unused; then the columns from the west on, each of which receives nothing more until
/// the last one turns W around. Messages that reach the last column before its route is in force reach no other: these
/// are repeated SELECTs.
void turn_w(Messages& m, const machine::WaferShape& w) {
  const int last = w.cols - 1;
  m.select(kAll, kAll);
  m.route(machine::Color::W, machine::Port::E, {machine::Port::W, machine::Port::Ramp});
  m.select(kAll, 0);
  m.route(machine::Color::W, machine::Port::E, machine::Port::Ramp);
  for (int c = 0; c < last; ++c) {
    m.select(kAll, c);
    m.route(machine::Color::W, machine::Port::W, machine::Port::E);
  }
  m.select(kAll, last);
  m.route(machine::Color::W, machine::Port::W, {machine::Port::W, machine::Port::Ramp});
  for (int i = 0; i < machine::WaferShape::kSelectsBehindTurn; ++i) m.select(kAll, kAll);
}

/// Routes EAST, which each column takes from its eastern neighbour, round the columns that share a sequence: west, and
/// from the first one back east through the others. Columns behind the last sequence form a ring as well.
void route_sequences(Messages& m, const machine::WaferShape& w) {
  for (int c = 0; w.sequence_columns > 1 && c < w.cols; ++c) {
    const bool first = c % w.sequence_columns == 0, last = (c + 1) % w.sequence_columns == 0 || c + 1 == w.cols;
    m.select(kAll, c);
    m.route(machine::Color::East, machine::Port::Ramp, first ? machine::Port::E : machine::Port::W);
    if (!last) m.route(machine::Color::East, machine::Port::E, machine::Port::Ramp);
    if (!first) m.route(machine::Color::East, machine::Port::W, last ? machine::Port::Ramp : machine::Port::E);
  }
  m.select(kAll, kAll);
}

/// Calls write(part) while columns with that part of a sequence are selected: once for all columns that have whole
/// sequences, otherwise for each column.
template <class Write>
void for_parts(Messages& m, const machine::WaferShape& w, int row, const Write& write) {
  if (w.sequence_columns == 1) {
    m.select(row, kAll);
    return write(0);
  }
  for (int c = 0; c < w.cols; ++c) {
    m.select(row, c);
    write(c % w.sequence_columns);
  }
}

/// Writes the constants of attention over several columns.
void write_long_sequences(Messages& m, const machine::WaferShape& w, const MemoryPlan& p) {
  const int places = p.shared ? p.shared->keys * p.shared->part_beats * w.lanes : p.padded_seq;
  for_parts(m, w, kAll, [&](int part) { m.write(p.place, std::vector<int>(places, p.parts - 1 - part)); });
  m.select(kAll, kAll);
  if (p.shared) return;
  std::vector<int> strips;
  for (int key = 0; key < w.lanes; ++key)
    for (int at = 0; at < 2 * p.padded_seq - w.lanes; ++at)
      strips.push_back(at < p.padded_seq - w.lanes + key ? kOneBf16 : 0);
  m.write(p.strips, strips);
}

/// Writes the constants of a row's losses.
void write_losses(Messages& m, const MemoryPlan& p, const RowConstants& row) {
  if (row.losses_at == 0) return;
  const int tables = p.token_table > 0 ? 2 : 1;
  m.write(row.losses_at, {row.losses.begin(), row.losses.begin() + std::ptrdiff_t{tables} * kLossConstants});
}

/// Writes the numbers by which features are dropped, if there is a table of them.
void write_dropout(Messages& m, int table, const std::vector<int>& features) {
  if (table == 0) return;
  std::vector<int> words;
  for (const int feature : features) {
    const DropoutNumbers numbers = feature_numbers(feature);
    words.insert(words.end(), numbers.begin(), numbers.end());
  }
  m.write(table, words);
}

/// Weights of a row's heads as features, in the order of calls and of the keys that visit a part of a sequence; the
/// last turn's keys are its own.
std::vector<int> weights_on(const ModelShape& model, const MemoryPlan& p, const Space& heads, int row, int part) {
  std::vector<int> weights;
  const int dim = model.hidden / model.heads;
  int last = -1;
  for (const int feature : heads.on_row(row)) {
    const int head = feature / dim;
    if (std::exchange(last, head) == head) continue;
    for (int turn = 0; turn < p.parts; ++turn)
      for (int key = 0; key < p.padded_seq; ++key)
        weights.push_back(weight_feature(head, (part + 1 + turn) % p.parts * p.padded_seq + key, model.seq));
  }
  return weights;
}

/// Writes the constants of a row that shares its keys.
void write_share(Messages& m, const machine::WaferShape& w, const MemoryPlan& p, const RowConstants& row) {
  if (row.share_at == 0) return;
  m.write(row.share_at, {row.share.begin(), row.share.end()});
  m.write(p.own_mask, own_mask(*p.shared, w, row.share, false));
  m.write(p.own_mask_back, own_mask(*p.shared, w, row.share, true));
}

/// The angles of a head's pairs, at position t of a sequence t times their frequency (rotary_frequency). Many tiles
/// have the same ones, so each is computed once.
class Angles {
 public:
  Angles(const ModelShape& model, const machine::WaferShape& w, const MemoryPlan& plan)
      : plan_(plan), pairs_(model.rotary_dim / 2), positions_(w.sequence_columns * plan.turns) {
    for (int p = 0; p < pairs_; ++p) {
      const double frequency = rotary_frequency(model.rotary, p, model.rotary_dim);
      for (int t = 0; t < positions_; ++t) {
        const double sin = rounded_sin(t * frequency);
        cos_.push_back(nearest_bf16(rounded_cos(t * frequency)));
        sin_.push_back(nearest_bf16(sin));
        minus_.push_back(nearest_bf16(-sin));
      }
    }
  }

  /// Writes those of pair `first` and of every `spread`-th from there. A column has the positions of its part.
  void write(Messages& m, int first, int spread, int part) const {
    m.write(plan_.rotary_count, {(pairs_ - first + spread - 1) / spread});
    m.write(plan_.rotary_cos, of_row(cos_, first, spread, part));
    m.write(plan_.rotary_sin, of_row(sin_, first, spread, part));
    m.write(plan_.rotary_minus, of_row(minus_, first, spread, part));
  }

 private:
  std::vector<int> of_row(const std::vector<int>& table, int first, int spread, int part) const {
    std::vector<int> row;
    for (int p = first; p < pairs_; p += spread) {
      const auto begin = table.begin() + static_cast<std::ptrdiff_t>(p) * positions_ + part * plan_.turns;
      row.insert(row.end(), begin, begin + plan_.turns);
    }
    return row;
  }

  const MemoryPlan& plan_;
  int pairs_, positions_;
  std::vector<int> cos_, sin_, minus_;  // [pair][position], bf16
};

}  // namespace

std::vector<machine::Message> turn_messages(const machine::WaferShape& w) {
  Messages m;
  if (w.w_turns()) turn_w(m, w);
  return std::move(m.list);
}

std::vector<machine::Message> route_messages(const machine::WaferShape& w) {
  Messages m;
  if (w.w_turns()) turn_w(m, w);
  for (int r = 0; r < w.rows; ++r) {
    m.select(r, kAll);
    const bool first = r == 0, last = r == w.rows - 1;
    if (w.rows > 1) {
      m.route(machine::Color::Ring, machine::Port::Ramp, last ? machine::Port::N : machine::Port::S);
      if (!first) m.route(machine::Color::Ring, machine::Port::N, machine::Port::Ramp);
      // the way back to row 0
      if (!last) m.route(machine::Color::Ring, machine::Port::S, first ? machine::Port::Ramp : machine::Port::N);
      if (!first) m.route(machine::Color::North, machine::Port::Ramp, machine::Port::N);
      if (!last) m.route(machine::Color::North, machine::Port::S, machine::Port::Ramp);
    }
    m.route(machine::Color::West, machine::Port::Ramp, machine::Port::W);
    m.route(machine::Color::West, machine::Port::E, machine::Port::Ramp);
  }
  route_sequences(m, w);
  return m.list;
}

std::vector<machine::Message> program_messages(const assembler::Program& program) {
  Messages m;
  m.command(machine::Command::Iaddr, 0, 0);
  for (const std::uint32_t word : program.words) {
    m.command(machine::Command::Ilo, 0, static_cast<int>(word & 0xffff));
    m.command(machine::Command::Ihi, 0, static_cast<int>(word >> 16));
  }
  return m.list;
}

std::vector<machine::Message> constant_messages(const ModelShape& model, const machine::WaferShape& w, const Spaces& s,
                                                const MemoryPlan& p, const assembler::Program& program) {
  Messages m;
  m.call(program, "setup", {{"mask", (1 << w.row_shift()) - 1}});
  m.call(program, "clear", {{"first", 0}, {"words", w.sram_elements() / w.lanes}});

  m.write(p.table_hidden, counts(s.hidden, w.rows, p.counts));
  m.write(p.table_filter, counts(s.filter, w.rows, p.counts));
  m.write(p.table_vocab, counts(s.vocab, w.rows, p.counts));
  m.write(p.table_head, counts(s.head, w.rows, p.counts));
  if (p.table_class > 0) m.write(p.table_class, counts(s.classes, w.rows, p.counts));
  std::vector<int> upper, lower;
  for (int key = 0; key < w.lanes; ++key) {
    for (int lane = 0; lane < w.lanes; ++lane) {
      upper.push_back(lane >= key ? 0 : nearest_bf16(-1e30));
      lower.push_back(lane <= key ? 0 : nearest_bf16(-1e30));
    }
  }
  m.write(p.triangle, upper);
  m.write(p.triangle_lower, lower);
  m.call(program, "fill", {{"first", p.ones}, {"words", p.tokens_per_column / w.lanes}, {"value", kOneBf16}});
  for_parts(m, w, kAll, [&](int part) {
    std::vector<int> position;
    for (int t = 0; t < p.tokens_per_column; ++t) {
      const int at = part * p.padded_seq + t % p.padded_seq, id = at < model.seq ? at : 0;
      position.push_back(s.position.row(id) << w.row_shift() | s.position.slot(id));
    }
    m.write(p.position, position);
  });
  if (p.parts > 1 && p.place > 0) write_long_sequences(m, w, p);

  const int spread = rows_per_head(model.heads, model.hidden / model.heads, w.rows, model.head_unit());
  const std::vector<RowConstants> rows = p.row_constants(model, w, s);
  const auto angles = model.rotary_dim > 0 ? std::optional<Angles>(std::in_place, model, w, p) : std::nullopt;
  for (int r = 0; r < w.rows; ++r) {
    const auto& words = rows[static_cast<std::size_t>(r)].words;
    m.select(r, kAll);
    m.write(p.kCntHidden, {words.begin(), words.end()});
    write_losses(m, p, rows[static_cast<std::size_t>(r)]);
    write_share(m, w, p, rows[static_cast<std::size_t>(r)]);
    write_dropout(m, p.drop_hidden, s.hidden.on_row(r));
    write_dropout(m, p.drop_filter, s.filter.on_row(r));
    if (p.drop_keys > 0)
      for_parts(m, w, r, [&](int part) { write_dropout(m, p.drop_keys, weights_on(model, p, s.head, r, part)); });
    if (angles && spread > 1) for_parts(m, w, r, [&](int part) { angles->write(m, r % spread, spread, part); });
  }
  if (angles && spread == 1) for_parts(m, w, kAll, [&](int part) { angles->write(m, 0, 1, part); });
  m.select(kAll, kAll);
  return m.list;
}

}  // namespace weft::compiler
