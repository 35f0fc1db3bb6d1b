/// One Verilated router between five senders and five receivers.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "Vrouter.h"
#include "Vrouter___024root.h"
#include "tests/fabric/link_model.hpp"
#include "verilated_save.h"

namespace weft::test {

enum Port : unsigned { N, E, S, W, RAMP, kPorts };

/// Keeps what a model saves, to compare states.
class StateBytes final : public VerilatedSerialize {
 public:
  StateBytes() { m_isOpen = true; }
  ~StateBytes() override { m_isOpen = false; }
  std::vector<std::uint8_t> take() {
    flush();
    return std::move(bytes_);
  }
  void flush() override {
    bytes_.insert(bytes_.end(), m_bufp, m_cp);
    m_cp = m_bufp;
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

class RouterBench {
 public:
  explicit RouterBench(std::uint64_t seed, bool last_col = false) : dice(seed) {
    router.last_col_i = last_col;
    router.rst_i = 1;
    for (int i = 0; i < 2; ++i) clock();
    router.rst_i = 0;
  }

  /// A dying model leaves its scopes in the thread's current context, which another bench may have destroyed.
  ~RouterBench() { Verilated::threadContextp(&context); }

  /// Offers a route to the coming clock edges, until route_we_i falls. `outputs`: bit p is output port p.
  void offer_route(unsigned port, unsigned color, unsigned outputs) {
    router.route_we_i = 1;
    router.route_port_i = static_cast<CData>(port);
    router.route_color_i = static_cast<CData>(color);
    router.route_outputs_i = static_cast<CData>(outputs);
  }

  /// In force when it returns.
  void route(unsigned port, unsigned color, unsigned outputs) {
    offer_route(port, color, outputs);
    clock();
    router.route_we_i = 0;
    clock();
  }

  /// One cycle with the models ticking.
  void step() {
    drive();
    router.eval();
    const unsigned credit = router.credit_o;
    const unsigned valid = router.valid_o;
    std::array<std::uint64_t, kPorts> msg;
    for (unsigned p = 0; p < kPorts; ++p) msg[p] = router.msg_o[p];
    stood_still = skip_idle && !router.awake_o && quiet();
    if (!stood_still) clock();
    for (unsigned p = 0; p < kPorts; ++p) {
      sender[p].tick(credit >> (p * kColors) & 15, dice, send_percent);
      receiver[p].tick(valid >> p & 1, msg[p], dice, take_percent, [&](std::uint64_t m) {
        if (taken) taken(p, m);
      });
    }
    ++cycle;
  }

  /// Nothing comes in from any model.
  bool quiet() const {
    for (unsigned p = 0; p < kPorts; ++p) {
      if (sender[p].valid || receiver[p].credit) return false;
    }
    return true;
  }

  void drive() {
    unsigned valid = 0, credit = 0;
    for (unsigned p = 0; p < kPorts; ++p) {
      valid |= unsigned{sender[p].valid} << p;
      credit |= receiver[p].credit << (p * kColors);
      router.msg_i[p] = sender[p].msg;
    }
    router.valid_i = static_cast<CData>(valid);
    router.credit_i = credit;
  }

  void clock() {
    router.clk_i = 0;
    router.eval();
    router.clk_i = 1;
    router.eval();
    router.clk_i = 0;
    router.eval();
  }

  /// The counters of its outputs' credits, bit-sliced as in rtl/fabric/link_credits.sv.
  std::uint64_t credits() const { return router.rootp->router__DOT__i_credits__DOT__count_q; }

  std::vector<std::uint8_t> state() {
    StateBytes bytes;
    bytes << router;
    return bytes.take();
  }

  VerilatedContext context;
  Vrouter router{&context};
  Dice dice;
  std::array<LinkSender, kPorts> sender;
  std::array<LinkReceiver, kPorts> receiver;
  unsigned send_percent = 100;
  unsigned take_percent = 100;
  std::function<void(unsigned port, std::uint64_t msg)> taken;
  std::uint64_t cycle = 0;
  /// Leaves out the clock edges that the router says it does not need.
  bool skip_idle = false;
  /// The last step left its edge out.
  bool stood_still = false;
};

}  // namespace weft::test
