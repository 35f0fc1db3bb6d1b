/// One Verilated router between five senders and five receivers.
#pragma once

#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "Vweft_router.h"
#include "Vweft_router___024root.h"
#include "isa_machine.hpp"
#include "tests/clock.hpp"
#include "tests/fabric/link_model.hpp"
#include "tests/fabric/wait_monitor.hpp"
#include "verif/sim/port_bits.hpp"

namespace weft::test {

enum Port : unsigned { N, E, S, W, RAMP, kPorts };

/// The outputs that the router under test can route (input, color) to.
constexpr unsigned turns(unsigned input, unsigned color) {
#ifdef WEFT_KERNEL_TURNS
  return isa::kKernelTurns[color][input];
#else
  return input < kPorts && color < kColors ? (1u << kPorts) - 1 : 0;
#endif
}

class RouterBench {
 public:
  /// `edges`: the ports N, E, S without a neighbour.
  explicit RouterBench(std::uint64_t seed, unsigned edges = 0) : rng(seed) {
    router.edge_i = static_cast<CData>(edges);
    router.rst_i = 1;
    clock();
    router.rst_i = 0;
  }

  /// A model's destructor leaves its scopes in the thread's current context, which another bench may have destroyed.
  ~RouterBench() { Verilated::threadContextp(&context); }

  /// Offers a route at the next clock edges, until route_we_i falls. `outputs`: bit p is output port p.
  void offer_route(unsigned port, unsigned color, unsigned outputs, unsigned between = 0) {
    router.route_we_i = 1;
    router.route_i = static_cast<SData>(color << 11 | port << 8 | between << 5 | outputs);
  }

  /// Sets a route; returns when it is in force.
  void route(unsigned port, unsigned color, unsigned outputs) {
    waits.route(port, color, outputs);
    offer_route(port, color, outputs);
    clock();
    router.route_we_i = 0;
    clock();
  }

  /// One cycle with the models ticking.
  void step() {
    drive();
    router.eval();
    std::array<unsigned, kPorts> credit;
    const unsigned valid = router.valid_o;
    std::array<std::uint64_t, kPorts> msg;
    for (unsigned p = 0; p < kPorts; ++p) msg[p] = router.msg_o[p];
    for (unsigned p = 0; p < kPorts; ++p) credit[p] = sim::bits_at<kColors>(router.credit_o, p * kColors);
    stood_still = skip_idle && !router.awake_o && quiet();
    if (!stood_still) clock();
    if (measure) measure_waits();
    for (unsigned p = 0; p < kPorts; ++p) {
      sender[p].tick(credit[p], rng, send_percent);
      receiver[p].tick(valid >> p & 1, msg[p], rng, take_percent, [&](std::uint64_t m) {
        if (taken) taken(p, m);
      });
    }
    ++cycle;
  }

  /// No input is active.
  bool quiet() const {
    if (router.route_we_i) return false;
    for (unsigned p = 0; p < kPorts; ++p) {
      if (sender[p].valid || receiver[p].credit) return false;
    }
    return true;
  }

  void drive() {
    unsigned valid = 0;
    sim::clear_bits(router.credit_i);
    for (unsigned p = 0; p < kPorts; ++p) {
      valid |= unsigned{sender[p].valid} << p;
      sim::set_bits_at(router.credit_i, p * kColors, receiver[p].credit);
      router.msg_i[p] = sender[p].msg;
    }
    router.valid_i = static_cast<CData>(valid);
  }

  void clock() { test::clock(router); }

  /// The credit counters of its outputs, bit-sliced as in rtl/fabric/weft_link_credits.sv.
  std::vector<std::uint8_t> credits() const {
    const auto& counts = router.rootp->weft_router__DOT__i_credits__DOT__count_q;
    std::vector<std::uint8_t> bytes(sizeof counts);
    std::memcpy(bytes.data(), &counts, sizeof counts);
    return bytes;
  }

  /// Measures waiting times in `waits`: only if messages name their inputs and routes do not change.
  bool measure = false;
  WaitMonitor<kPorts> waits;

  VerilatedContext context;
  Vweft_router router{&context};
  Rng rng;
  std::array<LinkSender, kPorts> sender;
  std::array<LinkReceiver, kPorts> receiver;
  unsigned send_percent = 100;
  unsigned take_percent = 100;
  std::function<void(unsigned port, std::uint64_t msg)> taken;
  std::uint64_t cycle = 0;
  /// Leaves out the clock edges that the router does not need.
  bool skip_idle = false;
  /// The last step left its clock edge out.
  bool stood_still = false;

 private:
  void measure_waits() {
    for (unsigned p = 0; p < kPorts; ++p) {
      if (sender[p].valid) waits.push(p, color_of(sender[p].msg));
      waits.credit(p, receiver[p].credit);
      if (router.valid_o >> p & 1) waits.sent(p, data_of(router.msg_o[p]) >> 29, color_of(router.msg_o[p]));
      waits.popped(p, sim::bits_at<kColors>(router.credit_o, p * kColors));
    }
    waits.after();
  }
};

}  // namespace weft::test
