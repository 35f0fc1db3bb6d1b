/// play RECORDING [+mutant=N]: applies the recorded inputs of a tile of a simulated wafer to the tile's netlist, from
/// the reset on, and compares all outputs in every cycle: valids, messages, credits, flags and awake (record.cpp
/// defines the format).
///
/// A message is compared only if it is valid. Exit 0: all equal; 1: otherwise, after printing the first difference.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "Vtile_built.h"
#include "verilated.h"

namespace {

constexpr unsigned kMessage = 38;  // bits

/// One direction of the four links.
struct Links {
  unsigned valid = 0, credit = 0;
  std::array<std::uint64_t, 4> msg{};
};

std::istream& operator>>(std::istream& in, Links& l) {
  in >> l.valid >> l.credit;
  for (std::uint64_t& m : l.msg) in >> m;
  return in;
}

struct Cycle {
  Links in, out;
  unsigned flags = 0, awake = 0;
};

class Player {
 public:
  Player(int argc, char** argv) {
    context_.commandArgs(argc, argv);
    context_.randReset(2);  // an x of the netlist becomes any bit, but the same in every run
    context_.randSeed(1);
    top_ = std::make_unique<Vtile_built>(&context_);
  }

  void reset(std::istream& words) {
    unsigned row = 0, rows = 0, col = 0, east = 0, kib = 0;
    words >> row >> rows >> col >> east >> kib;
    top_->row_i = static_cast<SData>(row), top_->rows_i = static_cast<SData>(rows);
    top_->col_i = static_cast<SData>(col), top_->east_i = static_cast<SData>(east);
    top_->sram_kib_i = static_cast<CData>(kib);
    put({});
    top_->rst_i = 1;
    for (int i = 0; i < 2; ++i) settle(), edge();
    top_->rst_i = 0;
  }

  /// Compares the outputs with the recorded ones, then executes the clock edge. Returns true if they are equal.
  bool cycle(const Cycle& c) {
    put(c.in);
    settle();
    const bool same = compare("valid", top_->valid_o, c.out.valid) && compare("credit", top_->credit_o, c.out.credit) &&
                      compare("flags", top_->flags_o, c.flags) && compare("awake", top_->awake_o, c.awake) &&
                      messages(c.out);
    edge();
    ++cycles_;
    return same;
  }
  std::uint64_t cycles() const { return cycles_; }
  std::uint64_t sent() const { return sent_; }
  std::uint64_t received() const { return received_; }

 private:
  void settle() {
    top_->clk_i = 0;
    top_->eval();
  }
  void edge() {
    top_->clk_i = 1;
    top_->eval();
  }
  void put(const Links& l) {
    top_->valid_i = static_cast<CData>(l.valid);
    top_->credit_i = static_cast<SData>(l.credit);
    for (unsigned p = 0; p < 4; ++p) {
      received_ += l.valid >> p & 1;
      for (unsigned b = 0; b < kMessage; ++b) {
        const unsigned at = p * kMessage + b;
        const std::uint32_t bit = 1U << at % 32;
        if (l.msg[p] >> b & 1)
          top_->msg_i[at / 32] |= bit;
        else
          top_->msg_i[at / 32] &= ~bit;
      }
    }
  }
  std::uint64_t message(unsigned p) const {
    std::uint64_t m = 0;
    for (unsigned b = 0; b < kMessage; ++b) {
      const unsigned at = p * kMessage + b;
      m |= static_cast<std::uint64_t>(top_->msg_o[at / 32] >> at % 32 & 1) << b;
    }
    return m;
  }
  bool messages(const Links& l) {
    static const std::array<const char*, 4> names{"message north", "message east", "message south", "message west"};
    for (unsigned p = 0; p < 4; ++p) {
      if (!(l.valid >> p & 1)) continue;
      ++sent_;
      if (!compare(names[p], message(p), l.msg[p])) return false;
    }
    return true;
  }
  bool compare(const char* name, std::uint64_t netlist, std::uint64_t rtl) const {
    if (netlist == rtl) return true;
    std::printf("cycle %llu: %s is %llx, of the RTL %llx\n", static_cast<unsigned long long>(cycles_), name,
                static_cast<unsigned long long>(netlist), static_cast<unsigned long long>(rtl));
    return false;
  }

  VerilatedContext context_;
  std::unique_ptr<Vtile_built> top_;
  std::uint64_t cycles_ = 0, sent_ = 0, received_ = 0;
};

int play(std::istream& recording, Player& player) {
  std::string line, phase = "before a phase";
  std::uint64_t begin = 0, sent = 0, received = 0;
  while (std::getline(recording, line)) {
    std::istringstream words(line);
    std::string word;
    if (line.rfind("tile ", 0) == 0) {
      words >> word;
      player.reset(words);
    } else if (line.rfind("phase ", 0) == 0) {
      words >> word >> phase;
      begin = player.cycles(), sent = player.sent(), received = player.received();
    } else if (line == "rest") {
      std::printf("same: %s, %llu cycles, %llu messages in, %llu out\n", phase.c_str(),
                  static_cast<unsigned long long>(player.cycles() - begin),
                  static_cast<unsigned long long>(player.received() - received),
                  static_cast<unsigned long long>(player.sent() - sent));
      phase = "between phases";
    } else {
      Cycle c;
      words >> std::hex >> c.in >> c.out >> c.flags >> c.awake;
      if (!words) return std::printf("the recording breaks off: %s\n", line.c_str()), 2;
      if (!player.cycle(c)) return std::printf("not the same: %s\n", phase.c_str()), 1;
    }
  }
  std::printf("%llu cycles from the reset, %llu messages in, %llu out\n",
              static_cast<unsigned long long>(player.cycles()), static_cast<unsigned long long>(player.received()),
              static_cast<unsigned long long>(player.sent()));
  return player.sent() == 0 ? 2 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::ifstream recording(argc >= 2 ? argv[1] : "");
  if (!recording) return std::fputs("play RECORDING [+mutant=N]\n", stderr), 2;
  Player player(argc, argv);
  return play(recording, player);
}
