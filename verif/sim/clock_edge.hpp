/// Rising clock edges of a Verilated module whose only clock is clk_i.
#pragma once

namespace weft {

/// The first edge of a model, in reset: Verilator's own way, which also initialises it.
template <class Model>
void first_edge_in_reset(Model& model) {
  model.rst_i = 1;
  model.clk_i = 0;
  model.eval();
  model.clk_i = 1;
  model.eval();
  model.rst_i = 0;
}

/// Any later one; WEFT_CLOCKED defines clock_edge().
template <class Root>
void edge_in_reset(Root& root) {
  root.rst_i = 1;
  clock_edge(root);
  root.rst_i = 0;
}

}  // namespace weft

/// WEFT_CLOCKED(Vmodule), at file scope, defines clock_edge(root), beside the model: an edge of the model with that
/// root, after its first edge. Inputs may change together with the edge: they count as if they had been there before
/// it. And follow_inputs(root): outputs after a change of inputs, without an edge.
///
/// eval() finds out which clock has risen and whether anything has to be done again. Here that is known: one clock, and
/// nothing happens at a falling edge. So the two functions eval() would call in the end are called at once: what
/// follows from the inputs, and the edge. CMake looks whether this Verilator has them (WEFT_DIRECT_EDGE).
#ifdef WEFT_DIRECT_EDGE
#define WEFT_CLOCKED(Model)                              \
  void Model##___024root___eval_ico(Model##___024root*); \
  void Model##___024root___eval_nba(Model##___024root*); \
  inline void clock_edge(Model##___024root& root) {      \
    root.__VicoTriggered.at(0) = 1;                      \
    root.__VnbaTriggered.at(0) = 1;                      \
    Model##___024root___eval_ico(&root);                 \
    Model##___024root___eval_nba(&root);                 \
  }                                                      \
  inline void follow_inputs(Model##___024root& root) {   \
    root.__VicoTriggered.at(0) = 1;                      \
    Model##___024root___eval_ico(&root);                 \
  }
#else
#define WEFT_CLOCKED(Model)                         \
  inline void clock_edge(Model##___024root& root) { \
    root.clk_i = 0;                                 \
    root.vlSymsp->__Vm_modelp->eval();              \
    root.clk_i = 1;                                 \
    root.vlSymsp->__Vm_modelp->eval();              \
  }                                                 \
  inline void follow_inputs(Model##___024root& root) { root.vlSymsp->__Vm_modelp->eval(); }
#endif
