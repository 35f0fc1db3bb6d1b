#include <boost/align/aligned_allocator.hpp>

#include "bench/benches.hpp"
#include "bench/common/gpt.hpp"
#include "bench/common/work.hpp"
#include "bench/print.hpp"
#include "host/config/file/load.hpp"
#include "sw/compiler/placement/loads.hpp"
#include "sw/compiler/stream/expand.hpp"

namespace weft::bench {
namespace {

constexpr double kWeightsGoal = 0.7;  // billion weights per second
constexpr int kRuns = 9;

/// Page-aligned parameters, as in MemoryX.
using Paged = std::vector<float, boost::alignment::aligned_allocator<float, 4096>>;

/// Billion weights per second for all `ops` on one thread, by processor time; the messages of a piece stay in the
/// cache, as they do when sent.
double speed(const std::vector<compiler::Op>& ops, const compiler::Parameters& parameters) {
  std::vector<double> speeds;
  std::vector<machine::Message> messages;
  for (int run = 0; run < kRuns; ++run) {
    double made = 0;
    const double seconds = processor_seconds([&] {
      for (const compiler::Op& op : ops)
        for (compiler::Expansion expansion(op); expansion.next(parameters, messages); messages.clear())
          made += static_cast<double>(messages.size());
    });
    speeds.push_back(made / seconds / 1e9);
  }
  return median(speeds);
}

std::shared_ptr<const compiler::Space> interleaved(int features, int rows) {
  return std::make_shared<const compiler::Space>(
      compiler::Space::interleaved(compiler::heaviest_first(features, {}), rows));
}

/// A matrix [inputs][outputs]; `transposed`: in the order of the delta pass.
compiler::Op matrix(int inputs, int outputs, int rows, bool transposed) {
  compiler::Op op;
  const auto width = static_cast<std::uint64_t>(outputs);
  op.descriptor.outputs = interleaved(transposed ? inputs : outputs, rows);
  op.descriptor.lines = {{{.space = interleaved(transposed ? outputs : inputs, rows),
                           .in_stride = transposed ? 1 : width,
                           .out_stride = transposed ? width : 1}}};
  return op;
}

}  // namespace

void stream() {
  heading("stream: messages made of parameters, G a second on one thread");
  constexpr int kHidden = 768, kFilter = 3072, kVocab = 50257;
  Paged parameters(static_cast<std::size_t>(kHidden) * kVocab);
  for (std::size_t k = 0; k < parameters.size(); ++k) parameters[k] = 1e-9F * static_cast<float>(k);
  const compiler::Parameters all{std::span<const float>(parameters)};
  for (const int rows : {16, 64}) {
    const std::string on = ", " + std::to_string(rows) + " rows";
    goal("768 x 3,072, forward" + on, speed({matrix(kHidden, kFilter, rows, false)}, all), "G/s", kWeightsGoal);
    goal("768 x 3,072, delta" + on, speed({matrix(kHidden, kFilter, rows, true)}, all), "G/s", kWeightsGoal);
  }
  goal("50,257 x 768, head", speed({matrix(kVocab, kHidden, 64, true)}, all), "G/s", kWeightsGoal);
  goal("50,257 x 768, its delta", speed({matrix(kVocab, kHidden, 64, false)}, all), "G/s", kWeightsGoal);
  const Gpt gpt(config::load_config(WEFT_CONFIGS "/gpt_small.yaml"));
  const Paged of_gpt(gpt.parameters.begin(), gpt.parameters.end());
  goal("gpt_small, a whole micro-batch", speed(gpt.plan.ops, std::span<const float>(of_gpt)), "G/s", kWeightsGoal);
}

}  // namespace weft::bench
