#include "sw/compiler/lower.hpp"

namespace weft {

Sweep Lowering::affine_sweep(const NetworkOperation& norm, int base, bool shift) const {
  Sweep sweep = sweep_of(spaces_.hidden);
  sweep.own.push_back({.local = 0, .fixed = false, .offset = offset(norm, 0)});
  if (shift) sweep.own.push_back({.local = local(memory_.ones, base), .fixed = true, .offset = offset(norm, 1)});
  return sweep;
}

void Lowering::norm(const Step& step) {
  const NetworkOperation& from = graph_.op(step);
  OpBuilder builder = op(step.name);
  builder.call("layernorm",
               {{"x", address(from.in[0])}, {"xhat", memory_.at(xhat_of(from))}, {"rstd", memory_.at(rstd_of(from))}});
  add(builder);
}

void Lowering::affine(const Step& step) {
  const NetworkOperation& from = graph_.op(step);
  const int xhat = memory_.at(xhat_of(from));
  OpBuilder builder = op(step.name);
  builder.reads(from.tensors[0]).reads(from.tensors[1]);
  builder.call("affine", {{"xhat", xhat}, {"y", address(from.out[0])}, {"slots", spaces_.hidden.slots()}});
  add(builder.sweep(affine_sweep(from, xhat, true)));
}

void Lowering::scale_gradient(const Step& step) {
  const NetworkOperation& from = graph_.op(step);
  const int xhat = memory_.at(xhat_of(from));
  OpBuilder builder = op(step.name);
  builder.call("gradient_local", {{"x", xhat},
                                  {"slots", spaces_.hidden.slots()},
                                  {"dy", gradient_address(from.out[0])},
                                  {"buffers", memory_.dys(xhat)}});
  Sweep both = affine_sweep(from, xhat, true);
  both.values = Sweep::Values::Indices;
  add(builder.sweep(std::move(both)));
}

void Lowering::norm_back(const Step& step) {
  const NetworkOperation& from = graph_.op(step);
  const int dy = gradient_address(from.out[0]);
  OpBuilder builder = op(step.name);
  builder.reads(from.tensors[0]);
  builder.call("layernorm_back", {{"dy", dy},
                                  {"dyg", memory_.at("delta_scaled")},
                                  {"slots", spaces_.hidden.slots()},
                                  {"xhat", memory_.at(xhat_of(from))},
                                  {"rstd", memory_.at(rstd_of(from))},
                                  {"dx", gradient_address(from.in[0])}});
  add(builder.sweep(affine_sweep(from, dy, false)));
}

}  // namespace weft
