/// A sleeping tile keeps its state: an edge without input changes no register, whatever came before. Programs, commands
/// and messages are random, good and bad.
#include <gtest/gtest.h>

#include <array>

#include "Vweft_tile.h"
#include "Vweft_tile_registers.hpp"
#include "isa.hpp"
#include "sw/machine/message.hpp"
#include "tests/fabric/link_model.hpp"
#include "tests/registers.hpp"

namespace weft::test {
namespace {

constexpr unsigned kLinks = 4;  // N E S W
constexpr unsigned kWest = 3;

class AnyTile {
 public:
  explicit AnyTile(std::uint64_t seed) : rng_(seed) {
    tile_.rows_i = static_cast<SData>(1 + rng_.below(3));
    tile_.row_i = static_cast<SData>(rng_.below(tile_.rows_i));
    tile_.col_i = 1;
    tile_.east_i = static_cast<SData>(rng_.below(2));
    tile_.sram_kib_i = 2;
    reset(tile_);
    load();
  }
  ~AnyTile() { Verilated::threadContextp(&context_); }

  Vweft_tile& tile() { return tile_; }

  /// One cycle with random inputs at the links; afterwards all inputs are idle.
  void step() {
    if (rng_.chance(2)) command();
    const unsigned link = rng_.below(kLinks), color = rng_.below(kColors);
    const bool west_w = link == kWest && color == 0;
    if (rng_.chance(4) && !west_w) sender_[link].push(pack(false, color, static_cast<std::uint32_t>(rng_.next())));
    if (rng_.chance(1)) receiver_[rng_.below(kLinks)].blocked = rng_.below(1u << kColors);
    if (rng_.chance(1) && !sender_[link].valid) {  // the sender has no queue of this color either
      sender_[link].valid = true;
      sender_[link].msg = pack(false, kColors + rng_.below(32 - kColors), 7);
    }
    edge();
  }

 private:
  void send(machine::Command code, unsigned arg, unsigned value) {
    sender_[kWest].push(
        pack(true, 0,
             machine::Message::command(code, static_cast<std::uint8_t>(arg), static_cast<std::uint16_t>(value)).data));
  }

  void load() {
    send(machine::Command::Iaddr, 0, 0);
    for (unsigned i = 0; i < kWords; ++i) {
      const std::uint32_t word = instruction(i < kPsum);
      send(machine::Command::Ilo, 0, word & 0xffff);
      send(machine::Command::Ihi, 0, word >> 16);
    }
    for (unsigned port = 0; port <= kLinks; ++port)
      for (unsigned color = 1; color < kColors; ++color)
        send(machine::Command::Route, 0, color << 11 | port << 8 | 1u << rng_.below(5));
  }

  /// Returns an instruction, usually one that is legal for the thread: main's are below kPsum.
  std::uint32_t instruction(bool main) {
    if (rng_.chance(10)) return isa::encode({.op = isa::Opcode::Halt});
    const isa::Info* info = nullptr;
    do info = &isa::kInstrs[rng_.below(std::size(isa::kInstrs))];
    while (!(main ? info->main : info->psum));
    std::uint32_t word = static_cast<std::uint32_t>(info->op) << 26;
    for (const isa::Field& field : info->fields) {
      unsigned value = rng_.below(static_cast<std::uint32_t>(field.values));
      if (field.name == "target") value = rng_.below(kPsum) + (main && info->op != isa::Opcode::Fork ? 0 : kPsum);
      if (field.name == "imm") value = rng_.chance(80) ? rng_.below(8) : value;
      if (field.name == "color" || field.name == "cin" || field.name == "cout") value = 1 + rng_.below(kColors - 1);
      word |= value << field.lsb;
    }
    return rng_.chance(2) ? word ^ 1u << rng_.below(32) : word;
  }

  void command() {
    switch (rng_.below(8)) {
      case 0:
      case 1:
        return send(machine::Command::Call, 0, rng_.below(kPsum));
      case 2:
        return send(machine::Command::Setreg, rng_.below(16), rng_.below(rng_.chance(80) ? 16 : 65536));
      case 3:
        return sender_[kWest].push(pack(false, 0, static_cast<std::uint32_t>(rng_.next())));  // a weight
      case 4:
      case 5:
        return send(machine::Command::CR, 0, 0);
      case 6:
        return send(machine::Command::Route, 0,
                    (1 + rng_.below(rng_.chance(50) ? kColors - 1 : 31)) << 11 | rng_.below(2048));
      default:
        return send(static_cast<machine::Command>(rng_.below(12)), rng_.below(256),
                    rng_.chance(80) ? 0xffff : rng_.below(65536));
    }
  }

  void edge() {
    const bool valid[] = {tile_.n_valid_o != 0, tile_.e_valid_o != 0, tile_.s_valid_o != 0, tile_.w_valid_o != 0};
    const std::uint64_t msg[] = {tile_.n_msg_o, tile_.e_msg_o, tile_.s_msg_o, tile_.w_msg_o};
    const unsigned credit[] = {tile_.n_credit_o, tile_.e_credit_o, tile_.s_credit_o, tile_.w_credit_o};
    drive();
    clock(tile_);
    for (unsigned l = 0; l < kLinks; ++l) {
      sender_[l].tick(credit[l], rng_, 50);
      receiver_[l].tick(valid[l], msg[l], rng_, 40, [](std::uint64_t) {});
    }
    tile_.n_valid_i = tile_.e_valid_i = tile_.s_valid_i = tile_.w_valid_i = 0;
    tile_.n_credit_i = tile_.e_credit_i = tile_.s_credit_i = tile_.w_credit_i = 0;
    tile_.eval();
  }

  void drive() {
    tile_.n_valid_i = sender_[0].valid, tile_.n_msg_i = sender_[0].msg;
    tile_.e_valid_i = sender_[1].valid, tile_.e_msg_i = sender_[1].msg;
    tile_.s_valid_i = sender_[2].valid, tile_.s_msg_i = sender_[2].msg;
    tile_.w_valid_i = sender_[3].valid, tile_.w_msg_i = sender_[3].msg;
    tile_.n_credit_i = static_cast<CData>(receiver_[0].credit);
    tile_.e_credit_i = static_cast<CData>(receiver_[1].credit);
    tile_.s_credit_i = static_cast<CData>(receiver_[2].credit);
    tile_.w_credit_i = static_cast<CData>(receiver_[3].credit);
  }

  static constexpr unsigned kPsum = 32, kWords = 2 * kPsum;
  VerilatedContext context_;
  Vweft_tile tile_{&context_};
  Rng rng_;
  std::array<LinkSender, kLinks> sender_;
  std::array<LinkReceiver, kLinks> receiver_;
};

TEST(TileSleep, AnEdgeChangesNoRegister) {
  const std::uint64_t seed = test_seed();
  unsigned asleep = 0, flags = 0;
  for (unsigned trial = 0; trial < 320; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    AnyTile any(seed + trial);
    Vweft_tile& tile = any.tile();
    for (unsigned k = 0; k < 2000; ++k) {
      any.step();
      if (tile.awake_o) continue;
      ++asleep;
      const unsigned before = tile.flags_o;
      ASSERT_EQ(changed_by_an_edge(tile), "") << "cycle " << k;
      ASSERT_EQ(tile.flags_o, before) << "cycle " << k;
      ASSERT_FALSE(tile.awake_o);
    }
    flags |= tile.flags_o;
  }
  std::printf("asleep %u\n", asleep);
  EXPECT_EQ(flags, 255u & ~(1u << static_cast<unsigned>(isa::Flag::NoRow)));
  EXPECT_GT(asleep, 10000u);
}

}  // namespace
}  // namespace weft::test
