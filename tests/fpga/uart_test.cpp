/// A byte on a wire, between two clocks that differ slightly.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "Vweft_uart_rx.h"
#include "Vweft_uart_tx.h"
#include "tests/clock.hpp"
#include "tests/random.hpp"

namespace weft::test {
namespace {

/// Sender and receiver, a receiver's cycle being `ratio` of the sender's.
struct Wire {
  explicit Wire(int divider, double receivers = 1) : ratio(receivers) {
    tx.divider_i = rx.divider_i = static_cast<SData>(divider);
    rx.rx_i = 1;
    reset(tx);
    reset(rx);
  }
  /// Advances by a cycle of the sender.
  void step() {
    clock(tx);
    now += 1;
    while (receiver + ratio <= now) {
      receiver += ratio;
      rx.rx_i = noise ? noise() : tx.tx_o;
      clock(rx);
      if (rx.valid_o) got.push_back(rx.data_o);
    }
  }
  void send(const std::vector<unsigned>& bytes, const std::function<int()>& gap = {}) {
    for (const unsigned b : bytes) {
      for (int i = gap ? gap() : 0; i > 0; --i) step();
      tx.valid_i = 1;
      tx.data_i = static_cast<CData>(b);
      while (tx.eval(), !tx.ready_o) step();
      step();
      tx.valid_i = 0;
    }
    for (int i = 0; i < 20 * tx.divider_i; ++i) step();
  }

  double ratio, now = 0, receiver = 0;
  Vweft_uart_tx tx;
  Vweft_uart_rx rx;
  std::function<int()> noise;
  std::vector<unsigned> got;
};

std::vector<unsigned> every_byte() {
  std::vector<unsigned> bytes;
  for (unsigned i = 0; i < 1024; ++i) bytes.push_back(i * 37 & 255);
  return bytes;
}

TEST(Uart, CarriesEveryByteThoughClocksDifferByTwoPercent) {
  for (const int divider : {4, 5, 20, 87})
    for (const double ratio : {0.98, 0.99, 1.0, 1.003, 1.02}) {
      SCOPED_TRACE(std::to_string(divider) + " cycles a bit, " + std::to_string(ratio));
      Wire wire(divider, ratio);
      wire.send(every_byte());
      EXPECT_EQ(wire.got, every_byte());
    }
}

TEST(Uart, CarriesBytesWithAnyGapBetweenThem) {
  Rng rng(test_seed());
  Wire wire(4, 1.01);
  wire.send(every_byte(), [&] { return static_cast<int>(rng.below(60)); });
  EXPECT_EQ(wire.got, every_byte());
}

TEST(Uart, SendsAByteInTenBitsWithoutAGap) {
  Wire wire(4);
  wire.send(std::vector<unsigned>(100, 0x55));
  EXPECT_EQ(wire.got.size(), 100u);
  EXPECT_EQ(wire.now, 99 * 40 + 1 + 80) << "the last is taken when the line is free";
}

TEST(Uart, DropsAByteWithoutAStopBit) {
  Wire wire(4);
  int t = 0;
  // A line that is held low for three bytes' time is not a byte; the bytes after it are received.
  wire.noise = [&] { return ++t < 120 ? 0 : 1; };
  for (int i = 0; i < 200; ++i) wire.step();
  EXPECT_TRUE(wire.got.empty());
  wire.noise = nullptr;
  wire.send({0xa5, 0});
  EXPECT_EQ(wire.got, (std::vector<unsigned>{0xa5, 0}));
}

TEST(Uart, ASpikeIsNotAByte) {
  Wire wire(8);
  int t = 0;
  wire.noise = [&] { return ++t != 5; };
  for (int i = 0; i < 200; ++i) wire.step();
  EXPECT_TRUE(wire.got.empty());
}

}  // namespace
}  // namespace weft::test
