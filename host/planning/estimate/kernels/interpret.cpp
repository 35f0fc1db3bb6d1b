#include "host/planning/estimate/kernels/interpret.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

#include "host/planning/estimate/kernels/beats.hpp"
#include "sw/compiler/model/dropout.hpp"
#include "sw/machine/register_step.hpp"

namespace weft::planning {
namespace {

constexpr double kInstruction = 2;              // cycles per instruction of a thread that runs alone
constexpr double kWaited = 1;                   // additional cycle after a wait
constexpr double kLoad = 3;                     // additional cycles until the word of an `ld` arrives
constexpr double kWeight = 3;                   // cycles of a CR after its weights
constexpr int kMostInstructions = 100'000'000;  // limit against endless loops
constexpr double kFork = 12;    // until psum begins, plus from its last beat until main may read the result
constexpr double kColumn = 22;  // psum receives a word and sends it to the next column
constexpr double kPass = 15;    // a vector's first word, from the issue of the beat that sends it until it is stored in
                                // the next tile, where words follow one a cycle
constexpr double kForward = 20;  // to the issue of the beat that sends it from there

constexpr std::size_t kTurns = 4;  // psum's register with the turns of gather_psum

/// True for all-reduces, whose words return only after passing through all rows.
bool reduces(const assembler::Program& program, std::uint16_t address) {
  return address == program.labels.at("sum_psum") || address == program.labels.at("max_psum");
}

/// Cycles of an all-reduce over a column or a group of its rows: south row by row, and north again
/// (docs/explanation/kernels.md, All-reduce).
double all_reduce_cycles(int words, int rows) {
  constexpr double kHop = 28;    // per row, down and up again
  constexpr int kUnderWay = 64;  // up to this many words, the last row sends the total as it arrives
                                 // (sw/kernels/reduce.s)
  constexpr int kTurned = 24;    // saves at most this many cycles: the row before first takes all words south
  const double sooner = words > kUnderWay ? 0 : std::min(words, kTurned);
  return rows > 1 ? 2.0 * words + kHop * rows - sooner : 0;
}

/// True for psum's routine at `address`.
bool is_routine(const assembler::Program& program, const char* name, std::uint16_t address) {
  const auto at = program.labels.find(name);
  return at != program.labels.end() && at->second == address;
}

/// True if main may have other work before its `join`. After all other forks it waits at once.
bool joins_later(const assembler::Program& program, std::uint16_t address) {
  for (const char* const routine : {"max_psum", "share_psum", "home_psum"})
    if (is_routine(program, routine, address)) return true;
  return false;
}

/// Cycles of words that pass through all rows of a group, first south, then north.
double chain_cycles(int words, int rows) {
  constexpr double kHop = 28;  // per row, down and up again
  return words + kHop * rows;
}

/// Elements of an array of all features of a row's head, in a column.
int words_of_head(const KernelRow& row) {
  return row.constants.share[compiler::kShareEnd] + row.constants.share[compiler::kShareBehind];
}

/// Elements of a row's own features in such an array.
int own_words(const KernelRow& row, const machine::WaferShape& wafer) {
  return row.constants.share[compiler::kShareOwn] * wafer.lanes;
}

int rows_of_group(const KernelRow& row) { return row.constants.words[6] - row.constants.words[5] + 1; }

/// Word that `ld` reads: beyond the row's constants, kernels load those of losses, the flag of dropout and the number
/// of rotary pairs.
int constant(const KernelRow& row, std::size_t address) {
  if (row.drop_flag > 0 && address == row.drop_flag) return compiler::kDrops;
  const auto& words = row.constants.words;
  const auto& share = row.constants.share;
  const std::size_t at = row.constants.share_at;
  if (at > 0 && address >= at && address < at + share.size()) return share[address - at];
  const auto& losses = row.constants.losses;
  const std::size_t losses_at = row.constants.losses_at;
  if (losses_at > 0 && address >= losses_at && address < losses_at + losses.size()) return losses[address - losses_at];
  return address < words.size() ? words[address] : row.constants.rotary_pairs;
}

/// A kernel's thread without the machine: its registers, and the effect of scalar instructions on them.
struct KernelThread {
  int row = 0, rows = 1;  ///< values that `csrr` returns
  std::uint16_t pc = 0;
  std::array<std::uint16_t, 16> r{}, csr{};

  /// Executes `in` and advances, if it is a scalar instruction. Otherwise returns false without an effect.
  bool scalar(const isa::Instr& in) {
    if (in.op == isa::Opcode::Csrr) {
      set(in.rd, in.csr == isa::Csr::Row    ? row
                 : in.csr == isa::Csr::Rows ? rows
                                            : csr[static_cast<std::size_t>(in.csr)]);
      ++pc;
      return true;
    }
    const isa::Info* const info = isa::info(in.op);
    if (!info || !info->registers) return false;
    pc = static_cast<std::uint16_t>(machine::register_step(in, r, csr, pc));
    return true;
  }
  void set(int rd, int value) {
    if (rd != 0) r[static_cast<std::size_t>(rd)] = static_cast<std::uint16_t>(value);
  }
  /// Beats of a vector: VL is modulo 256, and 0 means 256.
  int vl() const { return (csr[static_cast<std::size_t>(isa::Csr::VL)] + 255) % 256 + 1; }
};

/// Cost of psum's work while main waits for it, from the `fork` to `address` until psum's results are written.
/// `registers`: psum's, as main has set them.
KernelCost interpret_fork(const assembler::Program& program, const machine::WaferShape& wafer, const KernelRow& row,
                          std::uint16_t address, std::array<std::uint16_t, 16> registers) {
  KernelThread psum{.row = row.row, .rows = wafer.rows, .pc = address, .r = registers};
  std::uint64_t beats = 0, passed = 0;           // column 0's beats for words of columns to its east: twice the mean
  double now = kFork, issued = now, sent = now;  // the thread, its beats, the tile's last words to the next column
  for (;;) {
    const isa::Instr in = isa::decode(program.words.at(psum.pc));
    if (in.op == isa::Opcode::Halt) break;
    now += kInstruction;
    if (psum.scalar(in)) continue;
    now = std::max(now, issued);
    if (in.op == isa::Opcode::Ld) {
      now += kLoad;
      ++beats;
      psum.set(in.rd, constant(row, static_cast<std::uint16_t>(psum.r[in.ra] + in.imm)));
    } else if (in.op == isa::Opcode::Rcv) {
      now += kColumn * (wafer.cols - 1);
    } else if (in.op == isa::Opcode::Snd) {
      ++beats;
    } else if (in.op == isa::Opcode::Vs) {
      const int words = psum.vl() * wafer.lanes;
      const auto own = static_cast<std::uint64_t>(words / 2);
      beats += own;
      if (in.gather) passed += own * static_cast<std::uint64_t>(wafer.cols - 1);
      issued = in.in ? std::max(now + words / 2.0, sent + kPass + words)
                     : now + (in.gather ? words * wafer.cols : words / 2.0);
      // All columns send, then take: words arrive as this tile's own do at the next column.
      if (in.out) sent = in.in ? std::max(now, sent + std::max<double>(kForward, words)) : now;
    } else {
      throw std::logic_error("psum's " + assembler::disassemble(program.words[psum.pc]) + " is not estimated");
    }
    ++psum.pc;
  }
  double cycles = std::max(now, issued);
  if (reduces(program, address))  // registers[2] entries, over the rows from registers[3] to registers[4]
    cycles = all_reduce_cycles(registers[2] * wafer.lanes, registers[4] - registers[3] + 1);
  if (is_routine(program, "share_psum", address))  // a row sends its own features twice, south and north
    cycles = kFork + chain_cycles(words_of_head(row) + own_words(row, wafer), rows_of_group(row));
  if (is_routine(program, "home_psum", address)) cycles = kFork + chain_cycles(words_of_head(row), rows_of_group(row));
  return {beats + passed / 2, cycles};
}

class Main {
 public:
  Main(const assembler::Program& program, const machine::WaferShape& wafer, const KernelRow& row)
      : program_(program), wafer_(wafer), row_(row), beats_(wafer), thread_{.row = row.row, .rows = wafer.rows} {}

  KernelCost run(const assembler::Kernel& kernel, const StreamCall& call) {
    for (const assembler::Parameter& p : kernel.parameters) thread_.set(p.reg, call.argument(p.name));
    thread_.pc = kernel.address;
    for (int n = 0; n < kMostInstructions; ++n) {
      const isa::Instr in = isa::decode(program_.words.at(thread_.pc));
      if (in.op == isa::Opcode::Halt) {
        if (beside_.from > 0) beats_.all_at(end_beside());
        return {.beats = beats_.count() + others_,
                .cycles = std::max({now_, beats_.written(), beats_.issued()}),
                .reads = beats_.reads(),
                .fetches = beats_.fetches()};
      }
      now_ += kInstruction;
      if (thread_.scalar(in)) continue;
      other(in);
      ++thread_.pc;
    }
    throw std::logic_error(call.kernel + " does not end");
  }

 private:
  std::uint16_t reg(int r) const { return thread_.r[static_cast<std::size_t>(r)]; }
  std::uint16_t csr(isa::Csr c) const { return thread_.csr[static_cast<std::size_t>(c)]; }

  void other(const isa::Instr& in) {
    if (in.op == isa::Opcode::Mvp) {
      psum_[in.rd] = reg(in.ra);
      return;
    }
    wait();
    switch (in.op) {
      case isa::Opcode::Ld:
        now_ += kLoad;
        ++others_;
        beats_.read(static_cast<std::uint16_t>(reg(in.ra) + in.imm));
        return thread_.set(in.rd, constant(row_, static_cast<std::uint16_t>(reg(in.ra) + in.imm)));
      case isa::Opcode::Fork: {
        const KernelCost psum = interpret_fork(program_, wafer_, row_, in.target, psum_);
        others_ += psum.beats;
        const double from = std::max(now_, beats_.written());
        const bool gathers = is_routine(program_, "gather_psum", in.target);
        if (!gathers && !joins_later(program_, in.target)) return beats_.all_at(from + psum.cycles);
        beside_ = {.from = from,
                   .until = from + psum.cycles,
                   .turns = gathers ? psum_[kTurns] : rows_of_group(row_),
                   .beats = psum.beats,
                   .before = beats_.count()};
        return;
      }
      case isa::Opcode::Join:
        if (beside_.from == 0) return;
        beats_.all_at(end_beside());
        wait();
        beside_ = {};
        return;
      case isa::Opcode::Vf:
        return beats_.vf(captured(in), now_ - 1);
      case isa::Opcode::Vaxs:
        beats_.vaxs(captured(in), row_.weights(line_++), now_ - 1);
        return beats_.all_at(beats_.issued() + kWeight);
      default:
        throw std::logic_error("main's " + assembler::disassemble(program_.words[thread_.pc]) + " is not estimated");
    }
  }

  /// End of main's work and of a gather or an exchange that psum does at the same time. Both need the vector unit, a
  /// cycle for each beat, and psum's beats come first. Beats that send a tile's own words follow each other and stop
  /// main; of the others, those count that meet one of main's.
  double end_beside() const {
    const double alone = std::max(now_, beats_.issued()) - beside_.from, psum = beside_.until - beside_.from,
                 busy = static_cast<double>(beats_.count() - beside_.before),
                 passed = static_cast<double>(beside_.beats);
    if (alone <= 0 || psum <= 0) return beside_.until;
    const double own = passed / (1 + beside_.turns), meets = std::min(1.0, busy / alone);
    const double delay = std::min(1.0, alone / psum) * (own + (passed - own) * meets);
    return beside_.from + std::max({psum, passed + busy, alone + delay});
  }

  /// Waits until main's sequencer has issued its beats.
  void wait() {
    if (beats_.issued() >= now_) now_ = beats_.issued() + kWaited;
  }

  VectorCall captured(const isa::Instr& in) const {
    return {.in = in,
            .rd = reg(in.rd),
            .ra = reg(in.ra),
            .rb = reg(in.rb),
            .rc = reg(in.rc),
            .vl = thread_.vl(),
            .rep = csr(isa::Csr::Rep),
            .sta = csr(isa::Csr::Sta),
            .stb = csr(isa::Csr::Stb),
            .std = csr(isa::Csr::Std),
            .str = csr(isa::Csr::Str)};
  }

  const assembler::Program& program_;
  const machine::WaferShape& wafer_;
  const KernelRow& row_;
  Beats beats_;
  KernelThread thread_;
  std::array<std::uint16_t, 16> psum_{};  ///< psum's registers
  double now_ = 0;
  /// psum's gather or exchange that main does not wait for yet: begin, end without main's beats, its turns, psum's
  /// beats, main's beats before.
  struct {
    double from = 0, until = 0;
    int turns = 1;
    std::uint64_t beats = 0, before = 0;
  } beside_;
  std::uint64_t others_ = 0;  ///< beats of instructions other than vf and vaxs
  int line_ = 0;
};

}  // namespace

KernelCost interpret(const assembler::Program& program, const machine::WaferShape& wafer, const StreamCall& call,
                     const KernelRow& row) {
  return Main(program, wafer, row).run(*program.kernel(call.kernel), call);
}

}  // namespace weft::planning
