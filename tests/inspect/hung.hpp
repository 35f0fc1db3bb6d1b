/// A run that hangs, and its core dump.
#pragma once

#include "host/inspect/hang/watched_wafer.hpp"
#include "tests/inspect/session.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::inspect::debug {

inline constexpr const char* kPhase = "h.0.attn.c_attn.q";

/// gpt_tiny in a phase that lacks half of its weights.
struct HungRun {
  explicit HungRun(bool rtl) {
    const std::size_t phase = find_phase(tiny.plan, kPhase);
    const auto known = [&] {
      return deadlock::Core{.hang_snapshot = {},
                            .program = tiny.plan.program,
                            .arrays = tiny.plan.arrays,
                            .width = tiny.plan.tokens_per_column,
                            .options = "--params tiny.yaml"};
    };
    const auto wafer =
        watched(rtl ? make_rtl_wafer(tiny.plan.wafer) : make_model_wafer(tiny.plan.wafer), folder.path(), known);
    wafer->feed(tiny.plan.load);
    wafer->feed(tiny.tokens);
    wafer->at({.wafer = 0, .step = 4, .micro_batch = 1, .phase = kPhase});
    std::vector<machine::Message> messages;
    for (std::size_t n = 0; n <= phase; ++n) {
      compiler::expand(tiny.plan.ops[n], tiny.memoryx.store().weights(), messages);
      if (n == phase) messages.resize(messages.size() / 2);
      wafer->feed(messages);
    }
    try {
      wafer->settle();
    } catch (const WaferHang& hang) {
      hang_snapshot = *hang.hang_snapshot;
    }
  }

  std::string file() const { return folder / "wafer_0_step_5.weftcore"; }

  test::TemporaryFolder folder;
  Phases tiny{"gpt_tiny.yaml"};
  machine::HangSnapshot hang_snapshot;
};

}  // namespace weft::inspect::debug
