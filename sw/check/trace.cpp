#include "sw/check/trace.hpp"

#include <algorithm>

namespace weft::check {

using isa::Csr;
using isa::Op;
using Kind = Event::Kind;

namespace {

constexpr int kMask = isa::kIDepth - 1;
constexpr std::uint64_t kEndless = 1u << 24;  // instructions between two messages of W

std::size_t at(Csr csr) { return static_cast<std::size_t>(csr); }

}  // namespace

Reader::Reader(const WaferShape& shape, int row, int col)
    : shape_(shape),
      row_(row),
      col_(col),
      code_(isa::kIDepth),
      decoded_(isa::kIDepth, isa::decode(0)),
      memory_(static_cast<std::size_t>(shape.sram_elements())),
      loaded_(memory_.size()) {
  for (Thread* t : {&main_, &psum_}) {
    t->r[0] = {0, true};
    for (Value& csr : t->csr) csr = {0, true};
  }
  for (auto& port : routes_) port.assign(static_cast<std::size_t>(shape.colors), 0);
  constexpr unsigned kEast = 1u << 1, kRamp = 1u << 4;
  // Of a whole row: as all columns but the last have it.
  routes_[3][0] = static_cast<std::uint8_t>(kRamp | (col == shape.cols - 1 ? 0 : kEast));
}

void Reader::wrong(bool psum, std::uint16_t pc, const std::string& text) const {
  throw Finding{Finding::Kind::Wrong, row_, col_, psum, true, pc, text};
}

void Reader::unknown(bool psum, std::uint16_t pc, const std::string& text) const {
  throw Finding{Finding::Kind::Unknown, row_, col_, psum, true, pc, text};
}

Trace Reader::read(std::span<const Message> w, bool known) {
  w_ = w, next_ = 0, known_ = known, trace_ = {};
  while (next_ < w_.size()) {
    const Message& m = w_[next_];
    if (!m.ctrl)
      throw Finding{
          Finding::Kind::Wrong, row_, col_, false, false, 0, "a weight comes while the tile rests: no kernel takes it"};
    ++next_;
    steps_ = 0;
    auto& events = trace_.main;
    if (!events.empty() && events.back().kind == Kind::Command)
      ++events.back().n;
    else
      events.push_back({.kind = Kind::Command});
    command(m);
  }
  return std::move(trace_);
}

void Reader::command(const Message& m) {
  const auto code = static_cast<Command>(m.data >> 24);
  const std::size_t arg = m.data >> 16 & 15;
  const auto value = static_cast<std::uint16_t>(m.data);
  const auto bad = [&](const std::string& text) {
    throw Finding{Finding::Kind::Wrong, row_, col_, false, false, 0, text};
  };
  if (code == Command::Select) {
    const int row = value >> 8, col = value & 255;
    selected_ = row == 255 || row == row_;
    one_column_ = col != 255 && shape_.cols > 1 && col_ < 0;
    if (col_ >= 0 && col != 255 && col != col_) selected_ = false;
    if (col != 255 && col >= shape_.cols) selected_ = false;
    return;
  }
  if (code == Command::CR) bad("a CR comes while the tile rests");
  if (!selected_) return;
  if (one_column_ && code != Command::Maddr && code != Command::Mdata) throw ColumnsDiffer{};
  switch (code) {
    case Command::Setreg:
      if (arg) main_.r[arg] = {value, true};
      return;
    case Command::Call:
      psum_may_run_ = forked_ = false;
      return run(false, value);
    case Command::Iaddr:
      iaddr_ = value & kMask;
      return;
    case Command::Ilo:
      low_ = value;
      return;
    case Command::Ihi: {
      const auto a = static_cast<std::size_t>(iaddr_);
      code_[a] = static_cast<std::uint32_t>(value) << 16 | low_;
      decoded_[a] = isa::decode(code_[a]);
      iaddr_ = (iaddr_ + 1) & kMask;
      return;
    }
    case Command::Maddr:
      if (one_column_) {
        other_maddr_ = value, maddr_known_ = false;
      } else {
        maddr_ = value, maddr_known_ = true;
      }
      return;
    case Command::Mdata: {
      if (!one_column_ && !maddr_known_) {
        for (Value& v : memory_) v.known = false;
        return;
      }
      std::uint16_t& address = one_column_ ? other_maddr_ : maddr_;
      if (address >= memory_.size()) bad("MDATA behind the end of memory");
      memory_[address++] = {value, !one_column_ && known_};
      return;
    }
    case Command::Route:
      return route(value);
    default:
      bad("an unknown command, code " + std::to_string(m.data >> 24));
  }
}

void Reader::route(std::uint16_t value) {
  const int color = value >> 11, port = value >> 8 & 7, outputs = value & 31;
  const auto bad = [&](const std::string& text) {
    throw Finding{Finding::Kind::Wrong, row_, col_, false, false, 0, "a route " + text};
  };
  if (color >= shape_.colors) bad("of color " + std::to_string(color) + ", which is not built");
  if (port > 4 || (value >> 5 & 7)) bad("that is malformed");
  if (outputs & 1 && row_ == 0) bad("off the northern edge");
  if (outputs & 4 && row_ == shape_.rows - 1) bad("off the southern edge");
  if (outputs & 2) {
    if (col_ < 0) throw ColumnsDiffer{};
    if (col_ == shape_.cols - 1) bad("off the eastern edge");
  }
  routes_[static_cast<std::size_t>(port)][static_cast<std::size_t>(color)] = static_cast<std::uint8_t>(outputs);
}

std::uint16_t Reader::number(bool psum, const Value& value, std::uint16_t pc, const char* what) const {
  if (!value.known)
    unknown(psum, pc, std::string(what) + " depends on what is computed, or on what no command has set");
  return value.v;
}

int Reader::length(bool psum, std::uint16_t pc) const {
  const int vl = number(psum, (psum ? psum_ : main_).csr[at(Csr::VL)], pc, "VL") & 255;
  return vl ? vl : 256;
}

void Reader::color(int c, std::uint16_t pc, bool in) const {
  if (c >= shape_.colors) wrong(true, pc, "color " + std::to_string(c) + " is not built");
  if (c == 0) wrong(true, pc, in ? "psum takes no W" : "psum sends no W");
}

void Reader::writes(bool psum, const Value& first, const Value& stride, const Value& times, int beats,
                    std::uint16_t pc) {
  const auto forget = [&](std::size_t a) {
    if (!psum && loaded_[a]) unknown(psum, pc, "writes what psum may read for its branches");
    memory_[a].known = false;
  };
  if (!first.known || !times.known || (!stride.known && times.v > 1)) {
    for (std::size_t a = 0; a < memory_.size(); ++a) forget(a);
    return;
  }
  for (unsigned k = 0; k < times.v; ++k)
    for (int e = 0; e < beats * shape_.lanes; ++e) {
      const unsigned address = first.v + k * stride.v + static_cast<unsigned>(e / shape_.lanes * shape_.lanes);
      const std::size_t a =
          ((address & 0xffff) & ~static_cast<unsigned>(shape_.lanes - 1)) + static_cast<unsigned>(e % shape_.lanes);
      if (a < memory_.size()) forget(a);
    }
}

std::uint32_t Reader::take_stream(std::uint16_t pc) {
  steps_ = 0;
  std::uint32_t n = 0;
  for (; next_ < w_.size(); ++next_) {
    ++n;
    if (!w_[next_].ctrl) continue;
    if (w_[next_].data >> 24 != static_cast<unsigned>(Command::CR))
      wrong(false, pc, "its stream ends with a command that is no CR");
    ++next_;
    return n;
  }
  wrong(false, pc, "waits for a weight or CR on W, and the stream has ended");
}

/// One thread from a start to its halt. psum's part is read when it is forked.
void Reader::run(bool psum, std::uint16_t pc) {
  std::vector<Event>& events = psum ? trace_.psum : trace_.main;
  std::size_t sequenced = 0;  // events of the instruction that is still in its sequencer when the core goes on
  for (;;) {
    pc &= kMask;
    if (++steps_ > kEndless) wrong(psum, pc, "runs and comes to no end");
    const isa::Instr& in = decoded_[pc];
    if (!in.legal) wrong(psum, pc, "an illegal instruction halts it");
    const std::size_t before = events.size();
    if (in.op == Op::Halt) break;
    if (static_cast<int>(in.op) & 32 || in.op == Op::Snd) {
      vector(psum, in, pc++);
      sequenced = events.size() - before;
      continue;
    }
    if (in.op == Op::Ld || in.op == Op::Rcv) sequenced = 0;
    if (in.op == Op::Fork || in.op == Op::Join || in.op == Op::Mvp) {
      if (psum) wrong(psum, pc, "an instruction of main");
      if (in.op == Op::Fork) {
        loaded_.assign(loaded_.size(), false);
        events.push_back({.kind = Kind::Fork, .pc = pc});
        forked_ = psum_may_run_ = true;
        run(true, in.target);
      } else if (in.op == Op::Join) {
        events.push_back({.kind = Kind::Join, .pc = pc});
        psum_may_run_ = false;
      } else {
        if (psum_may_run_) wrong(psum, pc, "psum may still run: no join stands between");
        if (in.rd) psum_.r[in.rd] = main_.r[in.ra];
      }
      ++pc;
      continue;
    }
    scalar(psum, in, pc);
  }
  if (!psum) return;
  // Its core halts while the last instruction may still be in its sequencer.
  events.insert(events.end() - static_cast<std::ptrdiff_t>(sequenced), {.kind = Kind::Halted, .pc = pc});
  events.push_back({.kind = Kind::End, .pc = pc});
}

Reader::Next Reader::scalar(bool psum, const isa::Instr& in, std::uint16_t& pc) {
  Thread& t = psum ? psum_ : main_;
  const Value a = t.r[in.ra], b = t.r[in.rb];
  const bool both = a.known && b.known;
  const auto set = [&](int rd, Value v) {
    if (rd) t.r[static_cast<std::size_t>(rd)] = v;
  };
  const auto word = [](int v, bool known) { return Value{static_cast<std::uint16_t>(v), known}; };
  const auto branch = [&](bool taken) { pc = taken ? in.target & kMask : static_cast<std::uint16_t>(pc + 1); };
  const auto know = [&](bool known) {
    if (!known) unknown(psum, pc, "a branch depends on what is computed, or on what no command has set");
  };
  switch (in.op) {
    case Op::Li:
      set(in.rd, {in.imm, true});
      break;
    case Op::Add:
      set(in.rd, word(a.v + b.v, both));
      break;
    case Op::Sub:
      set(in.rd, word(a.v - b.v, both));
      break;
    case Op::And:
      set(in.rd, word(a.v & b.v, both));
      break;
    case Op::Or:
      set(in.rd, word(a.v | b.v, both));
      break;
    case Op::Xor:
      set(in.rd, word(a.v ^ b.v, both));
      break;
    case Op::Addi:
      set(in.rd, word(a.v + in.imm, a.known));
      break;
    case Op::Shl:
      set(in.rd, word(a.v << in.shamt, a.known));
      break;
    case Op::Shr:
      set(in.rd, word(a.v >> in.shamt, a.known));
      break;
    case Op::Ld: {
      const std::uint16_t address = static_cast<std::uint16_t>(a.v + in.imm);
      Value v;
      if (a.known) {
        v = address < memory_.size() ? memory_[address] : Value{0, true};
        if (psum && v.known && address < memory_.size()) loaded_[address] = true;
      }
      set(in.rd, v);
      break;
    }
    case Op::Csrr:
      switch (in.csr) {
        case Csr::Row:
          set(in.rd, word(row_, true));
          break;
        case Csr::Rows:
          set(in.rd, word(shape_.rows, true));
          break;
        case Csr::Cols:
          set(in.rd, word(shape_.cols, true));
          break;
        case Csr::Col:
          if (col_ < 0 && shape_.cols > 1) throw ColumnsDiffer{};
          set(in.rd, word(std::max(col_, 0), true));
          break;
        case Csr::Flags:
          set(in.rd, {});
          break;
        default:
          set(in.rd, t.csr[at(in.csr)]);
      }
      break;
    case Op::Csrw:
      t.csr[at(in.csr)] = a;
      break;
    case Op::Rcv:
      if (!psum) wrong(psum, pc, "an instruction of psum");
      color(in.color, pc, true);
      trace_.psum.push_back({.kind = Kind::Take, .pc = pc, .cin = in.color, .takes = 1, .not_last = in.color == 3});
      set(in.rd, {});
      break;
    case Op::Beq:
      know(both);
      return branch(a.v == b.v), Next::Goes;
    case Op::Bne:
      know(both);
      return branch(a.v != b.v), Next::Goes;
    case Op::Blt:
      know(both);
      return branch(a.v < b.v), Next::Goes;
    case Op::Bge:
      know(both);
      return branch(a.v >= b.v), Next::Goes;
    case Op::Dbnz:
      know(a.known);
      set(in.ra, word(a.v - 1, true));
      return branch(static_cast<std::uint16_t>(a.v - 1) != 0), Next::Goes;
    case Op::Jal:
      set(in.rd, word((pc + 1) & kMask, true));
      return branch(true), Next::Goes;
    case Op::Jr:
      pc = number(psum, a, pc, "where it jumps") & kMask;
      return Next::Goes;
    default:
      wrong(psum, pc, "an illegal instruction halts it");
  }
  ++pc;
  return Next::Goes;
}

void Reader::vector(bool psum, const isa::Instr& in, std::uint16_t pc) {
  const bool of_psum = in.op == Op::Vs || in.op == Op::Vb || in.op == Op::Vr || in.op == Op::Snd;
  if (of_psum != psum) wrong(psum, pc, "an instruction of the other thread");
  if (psum) return stream(in, pc);
  const Thread& t = main_;
  switch (in.op) {
    case Op::Vf:
      if (in.dsel == isa::DSel::M)
        writes(psum, t.r[in.rd], t.csr[at(Csr::Std)], t.csr[at(Csr::Rep)], length(psum, pc), pc);
      return;
    case Op::Vaxs:
      return trace_.main.push_back({.kind = Kind::Axpy, .pc = pc, .n = take_stream(pc)});
    case Op::Vdot:
      return trace_.main.push_back({.kind = Kind::Dot, .pc = pc, .n = take_stream(pc)});
    case Op::Vcr:
      return trace_.main.push_back({.kind = Kind::Copy, .pc = pc});
    default:
      return;
  }
}

void Reader::stream(const isa::Instr& in, std::uint16_t pc) {
  Event e{.pc = pc, .cin = in.cin, .cout = in.cout};
  const bool vr = in.op == Op::Vr;
  if (in.op == Op::Snd) {
    color(in.color, pc, false);
    trace_.psum.push_back({.kind = Kind::Send, .pc = pc, .cout = in.color, .sends = 1});
    return;
  }
  if (in.in || in.gather || vr) color(in.cin, pc, true);
  if (in.out || vr) color(in.cout, pc, false);
  if (vr) {
    e.kind = Kind::Reduce, e.takes = 1, e.sends = 1, e.not_last = true;
    trace_.psum.push_back(e);
    return;
  }
  const int vl = length(true, pc), pairs = shape_.lanes / 2;
  e.kind = Kind::Words;
  if (in.op == Op::Vb) {
    e.n = static_cast<std::uint32_t>(vl), e.pm = true;
    e.takes = static_cast<std::uint8_t>(in.in ? pairs : 0), e.sends = static_cast<std::uint8_t>(in.out ? pairs : 0);
    trace_.psum.push_back(e);
    return;
  }
  e.n = static_cast<std::uint32_t>(vl * pairs), e.q = in.q;
  e.takes = in.in ? 2 : 0, e.sends = in.out ? 2 : 0;
  trace_.psum.push_back(e);
  if (in.d == isa::VsD::M) writes(true, psum_.r[in.rd], {0, true}, {1, true}, vl, pc);
  if (in.gather) {
    e.q = false, e.takes = e.sends = 2, e.per_east = true;
    trace_.psum.push_back(e);
  }
}

}  // namespace weft::check
