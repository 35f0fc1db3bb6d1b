#include "sw/compiler/compile_logits.hpp"

#include <memory>

#include "sw/compiler/prepared.hpp"

namespace weft::compiler {

Plan compile_logits(const ModelShape& model, const machine::WaferShape& wafer, const Mask& mask) {
  ModelShape one = model;
  one.micro_batch = 1;
  one.attention = "stored";
  return with_mask(std::make_shared<const Prepared>(one, wafer, Purpose::Logits), mask);
}

}  // namespace weft::compiler
