#include "host/swarmx/auth/hello.hpp"

#include <algorithm>

#include "tests/swarmx/auth/joining.hpp"

namespace weft {
namespace {

const Greeting kWafer{
    .version = 3, .plan = 0x0123456789abcdef, .job = "a job", .build = "1.2", .role = "wafer", .name = "wafer 1"};

JoinMessage decoded(const std::vector<std::uint8_t>& wire) {
  MessageHeader header{};
  std::copy_n(wire.begin(), header.size(), header.begin());
  const MessageSizes sizes = decode_sizes(header, "who");
  const auto rest = std::span(wire).subspan(header.size());
  if (rest.size() != sizes.body + sizes.proof) throw Refused("another length");
  return decode_message(header, rest, "who");
}

TEST(Greeting, ArrivesAsItWasSaid) {
  const Greeting there = decode_greeting(decoded(encode_message(encode_greeting(kWafer), {})), 3, "who");
  EXPECT_EQ(mismatch(kWafer, there), "");
  EXPECT_EQ(there.plan, kWafer.plan);
  EXPECT_EQ(there.job, "a job");
  EXPECT_EQ(there.build, "1.2");
  EXPECT_EQ(there.role, "wafer");
  EXPECT_EQ(there.name, "wafer 1");
}

TEST(Greeting, IsLittleEndianAndHasItsVersionInFrontForEver) {
  const auto wire = encode_message(encode_greeting(kWafer), {});
  EXPECT_EQ(std::string(wire.begin(), wire.begin() + 5), "WFTJ\1");
  EXPECT_EQ((std::vector<std::uint8_t>(wire.begin() + 16, wire.begin() + 28)),
            (std::vector<std::uint8_t>{3, 0, 0, 0, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01}));
}

TEST(Greeting, WithAnyBitChangedIsRefused) {
  const auto wire = encode_message(encode_greeting(kWafer), std::vector<std::uint8_t>{7, 8});
  decoded(wire);
  for (std::size_t bit = 0; bit < 8 * wire.size(); ++bit) {
    auto changed = wire;
    changed[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    EXPECT_THROW(decoded(changed), Refused) << bit;
  }
}

TEST(Greeting, CutAnywhereIsRefused) {
  const JoinMessage whole = encode_greeting(kWafer);
  for (std::size_t size = 0; size < whole.body.size(); ++size) {
    JoinMessage cut = whole;
    cut.body.resize(size);
    EXPECT_THROW(decode_greeting(cut, 3, "who"), Refused) << size;
  }
  JoinMessage longer = whole;
  longer.body.push_back(0);
  EXPECT_THROW(decode_greeting(longer, 3, "who"), Refused);
}

TEST(Greeting, OfMoreThanItsLimitsIsRefusedBeforeItIsRead) {
  for (const std::size_t at : {8U, 10U}) {
    auto wire = encode_message(encode_greeting(kWafer), {});
    wire[at] = wire[at + 1] = 0xff;
    MessageHeader header{};
    std::copy_n(wire.begin(), header.size(), header.begin());
    EXPECT_THROW(decode_sizes(header, "who"), Refused);
  }
  JoinMessage long_name = encode_greeting(kWafer);
  long_name.body[12] = 65;
  long_name.body.resize(200);
  EXPECT_THROW(decode_greeting(long_name, 3, "who"), Refused);
}

TEST(Greeting, OfAnotherVersionIsReadNoFurther) {
  JoinMessage later = encode_greeting(kWafer);
  later.body = {4, 0, 0, 0, 1};
  EXPECT_EQ(mismatch(kWafer, decode_greeting(later, 3, "who")), "version 3 here, 4 there");
}

TEST(Greeting, ShowsControlCharacters) {
  Greeting rude = kWafer;
  rude.name = "wafer\n1";
  EXPECT_EQ(decode_greeting(encode_greeting(rude), 3, "who").name, "wafer\\x0a1");
}

TEST(Greeting, SaysAllThatDoesNotMatchWithBothValues) {
  Greeting there = kWafer;
  there.plan = 0x456789abcdef0123;
  there.job = "b";
  there.build = "1.3";
  there.name = "wafer 2";
  there.role = "node";
  EXPECT_EQ(mismatch(kWafer, there),
            "job a job here, b there; build 1.2 here, 1.3 there; plan 0123456789abcdef here, 456789abcdef0123 there; "
            "role wafer here, node there; "
            "name wafer 1 here, wafer 2 there");
}

}  // namespace
}  // namespace weft
