/// One rising clock edge of a Verilated module whose only clock is clk_i.
#pragma once

namespace weft {

/// Nothing happens at a falling edge, so it is not evaluated: the model is told that the clock was low before. That
/// variable's name is Verilator's own affair; CMake looks for it and leaves WEFT_CLOCK_BEFORE undefined if there is
/// none. Inputs may change together with the edge: they count as if they had been there before it.
template <class Model>
inline void clock_edge(Model& model) {
  auto& root = *model.rootp;
#ifdef WEFT_CLOCK_BEFORE
  root.WEFT_CLOCK_BEFORE = 0;
  root.clk_i = 1;
  model.eval();
#else
  root.clk_i = 0;
  model.eval();
  root.clk_i = 1;
  model.eval();
#endif
}

}  // namespace weft
