/// Rising clock edges of a Verilated module whose only clock is clk_i.
#pragma once

#include <cstddef>

namespace weft::sim {

/// The first edge of a model, in reset, by Verilator's eval(), which also initializes the model.
template <class Model>
void first_edge_in_reset(Model& model) {
  model.rst_i = 1;
  model.clk_i = 0;
  model.eval();
  model.clk_i = 1;
  model.eval();
  model.rst_i = 0;
}

/// A later edge of the model with that root (`*model.rootp`), by the documented interface of every Verilator version.
/// Inputs may change together with the edge: they count as if they had changed before it.
template <class Model, class Root>
void edge_by_eval(Model& model, Root& root) {
  root.clk_i = 0;
  model.eval();
  root.clk_i = 1;
  model.eval();
}

/// The trigger set of a model, in the forms of Verilator 5.006, 5.010 to 5.040 and later: its first trigger can be set.
template <class Triggers>
concept FirstTriggerCanBeSet = requires(Triggers t) {
  t.at(0) = true;
}
|| requires(Triggers t) { t.set(std::size_t{0}, true); }
|| requires(Triggers t) { t[0] = 1; };

template <FirstTriggerCanBeSet Triggers>
[[gnu::always_inline]] inline void set_first_trigger(Triggers& t) {
  if constexpr (requires { t.at(0) = true; }) {
    t.at(0) = true;
  } else if constexpr (requires { t.set(std::size_t{0}, true); }) {
    t.set(std::size_t{0}, true);
  } else {
    t[0] = 1;
  }
}

/// A root whose edges can be executed without eval(): the compiler checks the very names used below.
template <class Root>
concept DirectlyClocked = requires(Root& root) {
  set_first_trigger(root.__VicoTriggered);
  set_first_trigger(root.__VnbaTriggered);
};

/// Updates outputs after a change of inputs, without an edge. `ico`: the model's function for input changes.
template <class Model, class Root>
[[gnu::always_inline]] inline void follow_by(Model& model, Root& root, void (*ico)(Root*)) {
  if constexpr (DirectlyClocked<Root>) {
    set_first_trigger(root.__VicoTriggered);
    ico(&root);
  } else {
    model.eval();
  }
}

/// An edge by the model's functions `ico` (input changes) and `nba` (the edge itself).
template <class Model, class Root>
[[gnu::always_inline]] inline void edge_by(Model& model, Root& root, void (*ico)(Root*), void (*nba)(Root*)) {
  if constexpr (DirectlyClocked<Root>) {
    set_first_trigger(root.__VicoTriggered);
    set_first_trigger(root.__VnbaTriggered);
    ico(&root);
    nba(&root);
  } else {
    edge_by_eval(model, root);
  }
}

/// A later edge in reset; WEFT_CLOCKED defines clock_edge().
template <class Model, class Root>
void edge_in_reset(Model& model, Root& root) {
  root.rst_i = 1;
  clock_edge(model, root);
  root.rst_i = 0;
}

}  // namespace weft::sim

/// WEFT_CLOCKED(Vmodule), at file scope, defines clock_edge(model, root), an edge of the model after its first one with
/// the contract of edge_by_eval(), and follow_inputs(model, root), which updates outputs after a change of inputs,
/// without an edge.
///
/// eval() determines which clock has risen and whether another iteration is necessary. Here both are known: there is
/// one clock, and nothing happens at a falling edge. So the two functions that eval() would eventually call are called
/// directly: the one for input changes, and the edge. Their names are internal to Verilator and may change: CMake
/// checks that this Verilator has generated both functions (WEFT_DIRECT_EDGE, verilate.cmake), DirectlyClocked checks
/// the rest; otherwise eval() executes the edge, with the same bits and a little slower.
#ifdef WEFT_DIRECT_EDGE
#define WEFT_CLOCKED(Model)                                                                      \
  void Model##___024root___eval_ico(Model##___024root*);                                         \
  void Model##___024root___eval_nba(Model##___024root*);                                         \
  inline void clock_edge(Model& model, Model##___024root& root) {                                \
    weft::sim::edge_by(model, root, Model##___024root___eval_ico, Model##___024root___eval_nba); \
  }                                                                                              \
  inline void follow_inputs(Model& model, Model##___024root& root) {                             \
    weft::sim::follow_by(model, root, Model##___024root___eval_ico);                             \
  }
#else
#define WEFT_CLOCKED(Model)                                                                               \
  inline void clock_edge(Model& model, Model##___024root& root) { weft::sim::edge_by_eval(model, root); } \
  inline void follow_inputs(Model& model, Model##___024root&) { model.eval(); }
#endif
