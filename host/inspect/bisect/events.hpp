/// Records the events of one tile during a phase as text, each with the instruction that caused it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "host/inspect/bisect/event_source.hpp"
#include "host/inspect/bisect/fingerprint.hpp"
#include "verif/trace/words.hpp"

namespace weft::inspect::bisect {

/// "psum 330: vf.fma R[r8], ...  mean+5 layernorm.s:55"
std::string instruction(const Cause& cause, const trace::InstructionNames& names);

class Events : public EventSource {
 public:
  Events(const assembler::Program& program, int rows);
  std::vector<Event> take() { return std::move(events_); }

 private:
  void event(const TileEvent& event) override;

  trace::InstructionNames names_;
  trace::MessageNames words_;
  std::vector<Event> events_;
};

}  // namespace weft::inspect::bisect
