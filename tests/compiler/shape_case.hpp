/// A model and wafer shape that a plan is tested with: a parameter of GoogleTest.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "sw/compiler/plan/plan.hpp"

namespace weft::compiler {

struct Case {
  const char* name;
  ModelShape model;
  machine::WaferShape wafer;
};

inline std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

inline std::string case_name(const testing::TestParamInfo<Case>& info) { return info.param.name; }

inline ModelShape shape(int vocab, int hidden, int layers, int heads, int filter, int seq, bool tied, int micro_batch) {
  ModelShape m;
  m.vocab = vocab, m.hidden = hidden, m.layers = layers, m.heads = heads, m.filter = filter, m.seq = seq, m.tied = tied;
  m.micro_batch = micro_batch;
  return m;
}

}  // namespace weft::compiler
