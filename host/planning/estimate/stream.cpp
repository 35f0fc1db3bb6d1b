#include "host/planning/estimate/stream.hpp"

#include <fmt/format.h>

#include "host/planning/estimate/gemm.hpp"
#include "host/planning/estimate/gradient.hpp"
#include "host/planning/estimate/norm_gradient.hpp"

namespace weft {

bool is_gemm_kernel(const StreamCall& call) {
  return call.kernel.starts_with("gemm") || call.kernel.starts_with("embed");
}
bool is_streamed(const StreamCall& call) { return is_gemm_kernel(call) || call.kernel.starts_with("gradient"); }

std::string kind_of_stream(const Program& program, const Op& op) {
  const Sweep& sweep = op.sweep;
  if (sweep.empty() || sweep.kept != nullptr) return {};
  const std::vector<StreamCall> calls = stream_calls(program, op);
  const auto name = [](const std::shared_ptr<const Space>& space) { return static_cast<const void*>(space.get()); };
  std::string kind = fmt::format("{} {} {}", calls.back().kernel, calls.size(), name(sweep.outputs));
  for (const std::vector<Sweep::Input>& line : sweep.lines) {
    kind += " |";
    for (const Sweep::Input& in : line) kind += fmt::format(" {}:{}", name(in.space), in.from);
  }
  return kind + fmt::format(" {} {} {}", sweep.own.size(), sweep.bias.has_value(), sweep.residual.has_value());
}

double stream_cycles(const StreamCall& call, const WaferShape& wafer, int tokens, const Sample& sample) {
  if (call.kernel == "gradient_norm") return norm_gradient_cycles(call, wafer, tokens);
  const auto& cycles_of = is_gemm_kernel(call) ? gemm_cycles : gradient_cycles;
  return cycles_of(call, wafer, tokens, sample);
}

}  // namespace weft
