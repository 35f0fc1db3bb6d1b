#include "host/planning/estimate/stream.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/planning/estimate/gemm.hpp"
#include "host/planning/estimate/gradient.hpp"
#include "host/planning/estimate/lines.hpp"
#include "host/planning/estimate/norm_gradient.hpp"
#include "host/planning/estimate/sum_beats.hpp"

namespace weft::planning {
namespace {

/// Beats for the sums of an output with `indices` indices, in groups of at most `group`.
std::uint64_t sum_beats(std::uint64_t lanes, std::uint64_t indices, std::uint64_t group) {
  return indices / group * reduce_beats(lanes, group) + reduce_beats(lanes, indices % group);
}

}  // namespace

bool is_gemm_kernel(const StreamCall& call) {
  return call.kernel.starts_with("gemm") || call.kernel.starts_with("embed");
}
bool is_streamed(const StreamCall& call) { return is_gemm_kernel(call) || call.kernel.starts_with("gradient"); }

std::string kind_of_stream(const assembler::Program& program, const compiler::Op& op) {
  const compiler::StreamDescriptor& descriptor = op.descriptor;
  if (descriptor.empty() || descriptor.kept != nullptr) return {};
  const std::vector<StreamCall> calls = stream_calls(program, op);
  const auto name = [](const std::shared_ptr<const compiler::Space>& space) {
    return static_cast<const void*>(space.get());
  };
  std::string kind = fmt::format("{} {} {}", calls.back().kernel, calls.size(), name(descriptor.outputs));
  for (const std::vector<compiler::StreamDescriptor::Input>& line : descriptor.lines) {
    kind += " |";
    for (const compiler::StreamDescriptor::Input& in : line)
      kind += fmt::format(" {}:{}:{}", name(in.space), in.from, in.to);
  }
  if (descriptor.bias) kind += fmt::format(" bias {} {}", descriptor.bias->line, descriptor.bias->before_home);
  if (descriptor.residual) kind += fmt::format(" residual {}", descriptor.residual->line);
  if (const auto& i = descriptor.interleave) kind += fmt::format(" each {} {} {}", i->each, i->numbered, i->apart);
  return kind + fmt::format(" {} {}", descriptor.own.size(), descriptor.together);
}

double stream_cycles(const StreamCall& call, const machine::WaferShape& wafer, int tokens, const Sample& sample) {
  if (call.kernel == "gradient_norm") return norm_gradient_cycles(call, wafer, tokens);
  const auto& cycles_of = is_gemm_kernel(call) ? gemm_cycles : gradient_cycles;
  return cycles_of(call, wafer, tokens, sample);
}

std::uint64_t stream_beats(const StreamCall& call, const machine::WaferShape& wafer, int tokens, int row,
                           std::uint64_t elements) {
  if (call.kernel == "gradient_norm") return norm_gradient_beats(call, wafer, tokens, elements);
  const compiler::StreamDescriptor& descriptor = *call.descriptor;
  const auto lanes = static_cast<std::uint64_t>(wafer.lanes), vector = static_cast<std::uint64_t>(tokens) / lanes;
  const std::uint64_t lines = StreamLines::count(descriptor);
  const bool local = call.kernel == "gradient_local";
  const std::uint64_t homes = local ? 0 : static_cast<std::uint64_t>(wafer.rows);  // psum loads home counts
  if (is_gemm_kernel(call)) {
    const std::uint64_t outputs = static_cast<std::uint64_t>(descriptor.outputs->features());
    // Without rotating buffers, main clears a group's sums once, and copies and resets as many for each group.
    const std::uint64_t groups = lines / static_cast<std::uint64_t>(descriptor.lines_of_output());
    const auto each = static_cast<std::uint64_t>(descriptor.interleave ? descriptor.interleave->each : 1);
    const std::uint64_t copies = is_rotating(call) ? 0 : (2 * groups + 1) * each;
    return homes + elements * vector + outputs * vector * lanes / 2 + copies * vector;
  }
  std::uint64_t outputs = lines, beats = homes + elements * vector + outputs * vector;
  if (!descriptor.own.empty()) outputs = static_cast<std::uint64_t>(descriptor.outputs->count(row));
  const auto most = local ? 16U : static_cast<unsigned>(call.argument("group")) % 16;
  const std::uint64_t group = most == 0 ? 16 : most;
  if (outputs == 0) return beats;
  const std::uint64_t fewer = elements / outputs, one_more = elements % outputs;  // one more: the row has that bias
  return beats + (outputs - one_more) * sum_beats(lanes, fewer, group) + one_more * sum_beats(lanes, fewer + 1, group);
}

}  // namespace weft::planning
