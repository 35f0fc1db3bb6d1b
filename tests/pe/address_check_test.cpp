/// Checks the flags for addresses beyond the end and for misaligned ones, for every size and every address.
#include <gtest/gtest.h>

#include "Vweft_pe_address_check.h"
#include "tests/pe/any_address.hpp"

namespace weft::test {
namespace {

TEST(AddressCheck, KnowsTheEndOfEverySize) {
  VerilatedContext context;
  Vweft_pe_address_check dut(&context);
  for (unsigned kib : {0u, 1u, 7u, 24u, 36u, 48u, 64u, 127u, 128u}) {
    dut.kib_i = static_cast<CData>(kib);
    for (unsigned address = 0; address < 65536; ++address) {
      const bool beyond = address >= kib * 512, within = address % kModuleLanes != 0;
      const bool next_beyond = kAnyAddress && within && (address + kModuleLanes) % 65536 >= kib * 512;
      dut.raddr_i = dut.n_addr_i = dut.waddr_i = dut.c_addr_i = static_cast<SData>(address);
      for (unsigned what = 0; what < 64; ++what) {
        dut.read_i = what & 1, dut.write_i = what >> 1 & 1, dut.c_write_i = what >> 2 & 1, dut.one_i = what >> 3 & 1;
        dut.n_read_i = what >> 4 & 1, dut.n_one_i = what >> 5 & 1;
        dut.eval();
        ASSERT_EQ(dut.read_beyond_o, dut.read_i && beyond) << address << " of " << kib << " KiB";
        ASSERT_EQ(dut.n_beyond_o, dut.n_read_i && beyond) << address << " of " << kib << " KiB";
        ASSERT_EQ(dut.write_beyond_o, dut.write_i && beyond) << address << " of " << kib << " KiB";
        ASSERT_EQ(dut.c_beyond_o, dut.c_write_i && beyond) << address << " of " << kib << " KiB";
        const bool a = dut.read_i && !dut.one_i, b = dut.n_read_i && !dut.n_one_i, vector = a || b || dut.write_i;
        ASSERT_EQ(dut.read_next_beyond_o, a && next_beyond) << address << " of " << kib << " KiB";
        ASSERT_EQ(dut.n_next_beyond_o, b && next_beyond) << address << " of " << kib << " KiB";
        ASSERT_EQ(dut.bad_address_o, ((what & 23) != 0 && beyond) || (vector && next_beyond))
            << address << " of " << kib << " KiB";
        ASSERT_EQ(dut.misaligned_o, !kAnyAddress && within && vector) << address;
      }
    }
  }
}

// Reads and writes of one beat are checked separately.
TEST(AddressCheck, JudgesEachAddressByItself) {
  VerilatedContext context;
  Vweft_pe_address_check dut(&context);
  dut.kib_i = 48;
  dut.read_i = dut.write_i = dut.c_write_i = 1;
  dut.n_read_i = 1, dut.n_addr_i = 24576;
  dut.raddr_i = 0, dut.waddr_i = 24576, dut.c_addr_i = 24575;
  dut.eval();
  EXPECT_FALSE(dut.read_beyond_o);
  EXPECT_TRUE(dut.n_beyond_o);
  EXPECT_TRUE(dut.write_beyond_o);
  EXPECT_FALSE(dut.c_beyond_o);
  dut.n_addr_i = 0;
  dut.raddr_i = 65532, dut.waddr_i = 0, dut.c_addr_i = 65535;
  dut.eval();
  EXPECT_TRUE(dut.read_beyond_o);
  EXPECT_FALSE(dut.n_beyond_o);
  EXPECT_FALSE(dut.write_beyond_o);
  EXPECT_TRUE(dut.c_beyond_o);
}

}  // namespace
}  // namespace weft::test
