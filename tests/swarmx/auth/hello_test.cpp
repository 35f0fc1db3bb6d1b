#include "host/swarmx/auth/hello.hpp"

#include <algorithm>

#include "tests/swarmx/auth/joining.hpp"

namespace weft::swarmx {
namespace {

const Hello kWafer{
    .version = 3, .plan = 0x0123456789abcdef, .job = "a job", .build = "1.2", .role = "wafer", .name = "wafer 1"};

JoinMessage decoded(const std::vector<std::uint8_t>& wire) {
  MessageHeader header{};
  std::copy_n(wire.begin(), header.size(), header.begin());
  const MessageSizes sizes = decode_sizes(header, "who");
  const auto rest = std::span(wire).subspan(header.size());
  if (rest.size() != sizes.body + sizes.proof) throw AuthError("another length");
  return decode_message(header, rest, "who");
}

TEST(Hello, ArrivesAsItWasSaid) {
  const Hello there = decode_hello(decoded(encode_message(encode_hello(kWafer), {})), 3, "who");
  EXPECT_EQ(mismatch(kWafer, there), "");
  EXPECT_EQ(there.plan, kWafer.plan);
  EXPECT_EQ(there.job, "a job");
  EXPECT_EQ(there.build, "1.2");
  EXPECT_EQ(there.role, "wafer");
  EXPECT_EQ(there.name, "wafer 1");
}

TEST(Hello, IsLittleEndianAndHasItsVersionInFrontForEver) {
  const auto wire = encode_message(encode_hello(kWafer), {});
  EXPECT_EQ(std::string(wire.begin(), wire.begin() + 5), "WFTJ\1");
  EXPECT_EQ((std::vector<std::uint8_t>(wire.begin() + 16, wire.begin() + 28)),
            (std::vector<std::uint8_t>{3, 0, 0, 0, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01}));
}

TEST(Hello, WithAnyBitChangedIsRefused) {
  const auto wire = encode_message(encode_hello(kWafer), std::vector<std::uint8_t>{7, 8});
  decoded(wire);
  for (std::size_t bit = 0; bit < 8 * wire.size(); ++bit) {
    auto changed = wire;
    changed[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    EXPECT_THROW(decoded(changed), AuthError) << bit;
  }
}

TEST(Hello, CutAnywhereIsRefused) {
  const JoinMessage whole = encode_hello(kWafer);
  for (std::size_t size = 0; size < whole.body.size(); ++size) {
    JoinMessage cut = whole;
    cut.body.resize(size);
    EXPECT_THROW(decode_hello(cut, 3, "who"), AuthError) << size;
  }
  JoinMessage longer = whole;
  longer.body.push_back(0);
  EXPECT_THROW(decode_hello(longer, 3, "who"), AuthError);
}

TEST(Hello, OversizedHelloIsRejectedBeforeItIsRead) {
  for (const std::size_t at : {8U, 10U}) {
    auto wire = encode_message(encode_hello(kWafer), {});
    wire[at] = wire[at + 1] = 0xff;
    MessageHeader header{};
    std::copy_n(wire.begin(), header.size(), header.begin());
    EXPECT_THROW(decode_sizes(header, "who"), AuthError);
  }
  JoinMessage long_name = encode_hello(kWafer);
  long_name.body[12] = 65;
  long_name.body.resize(200);
  EXPECT_THROW(decode_hello(long_name, 3, "who"), AuthError);
}

TEST(Hello, OtherVersionIsReadNoFurther) {
  JoinMessage later = encode_hello(kWafer);
  later.body = {4, 0, 0, 0, 1};
  EXPECT_EQ(mismatch(kWafer, decode_hello(later, 3, "who")), "version 3 here, 4 there");
}

TEST(Hello, ShowsControlCharacters) {
  Hello rude = kWafer;
  rude.name = "wafer\n1";
  EXPECT_EQ(decode_hello(encode_hello(rude), 3, "who").name, "wafer\\x0a1");
}

TEST(Hello, SaysAllThatDoesNotMatchWithBothValues) {
  Hello there = kWafer;
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
}  // namespace weft::swarmx
