/// The clock and reset of a Verilated module under test.
#pragma once

namespace weft::test {

/// Applies one rising edge; afterwards the outputs reflect the new state.
template <class Dut>
void clock(Dut& dut) {
  dut.clk_i = 0;
  dut.eval();
  dut.clk_i = 1;
  dut.eval();
}

template <class Dut>
void reset(Dut& dut) {
  dut.rst_i = 1;
  clock(dut);
  dut.rst_i = 0;
}

}  // namespace weft::test
