/// A debugger at the beginning of a phase of gpt_tiny, driven by command lines.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "host/inspect/debug/model_target.hpp"
#include "host/inspect/debug/rtl_target.hpp"
#include "host/inspect/debug/shell.hpp"
#include "tests/inspect/phases.hpp"

namespace weft::inspect::debug {

/// Runs command lines and returns their output.
struct Typed {
  explicit Typed(Target& target) : shell(target, out) {}

  std::string run(const std::vector<std::string>& lines) {
    out.str("");
    for (const std::string& line : lines) shell.run(line);
    return out.str();
  }
  void prints(const std::vector<std::string>& lines, const std::string& part) {
    const std::string text = run(lines);
    if (text.find(part) == std::string::npos) ADD_FAILURE() << text << "has no " << part;
  }

  std::ostringstream out;
  Shell shell;
};

/// `more`: further arguments of the target; `harm`: a change of the plan beforehand.
template <class Wafer>
struct Session {
  template <class... More>
  explicit Session(const std::string& phase, const std::function<void(compiler::Plan&)>& harm, More... more)
      : tiny("gpt_tiny.yaml"),
        target(harmed(harm), tiny.memoryx.store().weights(), tiny.tokens, find_phase(tiny.plan, phase), 1, more...) {}

  std::string run(const std::vector<std::string>& lines) { return typed.run(lines); }
  void prints(const std::vector<std::string>& lines, const std::string& part) { typed.prints(lines, part); }
  /// The current states of all tiles.
  std::vector<machine::TileState> states() const {
    std::vector<machine::TileState> all;
    for (int r = 0; r < tiny.plan.wafer.rows; ++r)
      for (int c = 0; c < tiny.plan.wafer.cols; ++c) all.push_back(target.state({r, c}));
    return all;
  }

  Phases tiny;
  Wafer target;
  Typed typed{target};

 private:
  const compiler::Plan& harmed(const std::function<void(compiler::Plan&)>& harm) {
    if (harm) harm(tiny.plan);
    return tiny.plan;
  }
};

struct OnRtl : Session<RtlTarget> {
  explicit OnRtl(const std::string& phase) : Session(phase, {}) {}
};
struct OnModel : Session<ModelTarget> {
  explicit OnModel(const std::string& phase, int depth = 0, const std::function<void(compiler::Plan&)>& harm = {})
      : Session(phase, harm, depth) {}
};

}  // namespace weft::inspect::debug
