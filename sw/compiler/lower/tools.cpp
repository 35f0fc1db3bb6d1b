#include "sw/compiler/lower/tools.hpp"

#include <fmt/format.h>

#include <utility>

#include "sw/base/refusal.hpp"
#include "sw/compiler/placement/blocks.hpp"
#include "sw/machine/sum_cycles.hpp"

namespace weft::compiler {
LoweringTools::LoweringTools(const Layout& layout, std::shared_ptr<const Spaces> spaces,
                             std::shared_ptr<const std::vector<bool>> kept,
                             std::shared_ptr<const std::vector<bool>> trained, const assembler::Program* program,
                             Lowered& lowered)
    : model_(layout.model),
      wafer_(layout.wafer),
      graph_(layout.graph),
      held_(std::move(spaces)),
      spaces_(*held_),
      memory_(layout.memory),
      tensors_(layout.tensors),
      kept_(std::move(kept)),
      trained_(std::move(trained)),
      program_(program),
      lowered_(lowered) {}

void LoweringTools::add(OpBuilder& builder) const {
  lowered_.kernels.called.insert(builder.kernels().begin(), builder.kernels().end());
  Op op = builder.take();
  const std::string name = op.name;
  for (int time = 2; !lowered_.phases.insert(op.name).second; ++time) op.name = fmt::format("{}.{}", name, time);
  lowered_.ops.push_back(std::move(op));
}

void LoweringTools::returns_loss(OpBuilder& builder) const {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(wafer_.rows), 0);
  words[0] = static_cast<std::uint32_t>(2 * wafer_.cols * memory_.tokens_per_column);
  builder.returns(Returns::Loss, words);
}

void LoweringTools::clear(OpBuilder& builder, const network::Step& step) const {
  for (const int v : step.clears)
    builder.call("clear", {{"first", gradient_address(v)},
                           {"words", space(v).slots() * memory_.tokens_per_column / wafer_.lanes}});
}

std::uint64_t LoweringTools::offset(const network::NetworkOperation& op, std::size_t tensor) const {
  return tensors_[static_cast<std::size_t>(op.tensors[tensor])].offset;
}

std::vector<Window> LoweringTools::windows_of(const std::vector<Reached>& arrays) const {
  const int places = 1 << wafer_.row_shift();
  for (const Reached& array : arrays)
    if (array.slots > places)
      throw Refusal(
          "model.network",
          fmt::format("{}: a linear has {} features of the vocabulary in a row in addition to its logits, and an index "
                      "names {}",
                      model_.network, array.slots, places),
          fmt::format("use a model.vocab_size of at most {}", wafer_.rows * places));
  return windows(arrays, memory_.tokens_per_column, places);
}

std::vector<Reached> LoweringTools::reached(const std::vector<Input>& inputs) {
  std::vector<Reached> arrays;
  for (const Input& in : inputs) arrays.push_back({in.address, in.slots()});
  return arrays;
}

std::vector<LoweringTools::Input> LoweringTools::in_blocks(std::span<const Input> inputs) const {
  std::vector<Input> list;
  const int slots = block_slots(wafer_);
  for (const Input& in : inputs) {
    const int blocks = &in.space == &spaces_.vocab ? memory_.blocks : 1;
    for (int block = 0; block < blocks && blocks > 1; ++block)
      list.push_back({in.space, in.address + block * slots * memory_.tokens_per_column, in.weights, block * slots,
                      (block + 1) * slots});
    if (blocks == 1) list.push_back(in);
  }
  return list;
}

std::string LoweringTools::part_name(const std::string& name, std::size_t part) {
  return part == 0 ? name : fmt::format("{}.{}", name, part);
}

int LoweringTools::table(const Space& space) const {
  if (&space == &spaces_.hidden) return memory_.table_hidden;
  if (&space == &spaces_.filter) return memory_.table_filter;
  if (&space == &spaces_.vocab) return memory_.table_vocab;
  if (&space == &spaces_.classes) return memory_.table_class;
  return memory_.table_head;
}

StreamDescriptor LoweringTools::descriptor_of(const Space& out, StreamDescriptor::Values values) const {
  StreamDescriptor descriptor;
  descriptor.outputs = shared(out);
  descriptor.values = values;
  descriptor.kept = values == StreamDescriptor::Values::Weights ? kept_ : trained_;
  return descriptor;
}

std::vector<StreamDescriptor::Input> LoweringTools::line(std::span<const Input> inputs, int base) const {
  std::vector<StreamDescriptor::Input> line;
  for (const Input& in : inputs)
    line.push_back({shared(in.space), local(in.address, base), in.weights.offset,
                    static_cast<std::uint64_t>(in.weights.in_stride), static_cast<std::uint64_t>(in.weights.out_stride),
                    in.from, in.to, in.weights.in_copies});
  return line;
}

void LoweringTools::interleave(StreamDescriptor& descriptor, std::vector<int> ones, bool numbered) const {
  descriptor.interleave = {.each = groups_of(*descriptor.outputs, numbered, weights_of_row(descriptor)).each,
                           .ones = std::move(ones),
                           .numbered = numbered,
                           .apart = (machine::kSumLatency + beats() - 1) / beats()};
}

void LoweringTools::add_groups(const StreamDescriptor& descriptor, std::vector<Argument>& arguments) const {
  const Groups groups = groups_of(*descriptor.outputs, descriptor.interleave->numbered, weights_of_row(descriptor));
  arguments.insert(arguments.end(),
                   {{"groups", groups.count & 0xffff}, {"each", groups.each}, {"entries", groups.each * beats()}});
}

bool LoweringTools::has_short_vectors(const Space& out, std::string_view kernel) const {
  if (!has(kernel)) return false;  // there was no room
  return memory_.positions > 0 || (wafer_.turns && beats() < machine::kSumLatency && out.slots() > 1);
}

bool LoweringTools::is_faster_interleaved(const StreamDescriptor& interleaved) const {
  constexpr double kGain = 0.97;  // of the cycles, or the order of one output after the other stays
  if (memory_.positions > 0) return true;
  const int each = interleaved.interleave->each;
  const Space& out = *interleaved.outputs;
  if (kept_ != nullptr) {
    StreamDescriptor apart = interleaved;
    apart.interleave.reset();
    return cycles(out, StreamCounts(interleaved).fullest, each) < kGain * cycles(out, StreamCounts(apart).fullest, 1);
  }
  const int weights = weights_of_row(interleaved);
  const Groups one = in_groups(out, 1, false, weights);  // all outputs are alike
  return in_groups(out, each, interleaved.interleave->numbered, weights).cycles < kGain * one.cycles;
}

double LoweringTools::cycles(const Space& out, const IndexCounts& fullest, int together) const {
  const int rows = (wafer_.rows + wafer_.valves - 1) / wafer_.valves, words = wafer_.rows > 1 ? wafer_.lanes : 0;
  const long entries = static_cast<long>(together) * beats(), sums = (wafer_.psum_cycles == 2 ? 2 : 4) * entries;
  double main = 0;
  for (const auto& [elements, lines] : fullest) {
    const long rounds = (elements + together - 1) / together, busy = static_cast<long>(elements) * beats(),
               waits = std::max(0L, rounds - 1) * std::max(0L, machine::kSumLatency - entries),
               ramp = static_cast<long>(elements) + words * entries;  // messages into a tile: weights, partial sums
    main += static_cast<double>(lines) *
            static_cast<double>(std::max({busy + waits + sums + 2, ramp, static_cast<long>(elements) * rows}));
  }
  double all = 0;
  int buffers = 0;
  for (int home = 0; home < out.rows(); ++home) {
    if (out.count(home) == 0) continue;
    const int whole = out.count(home) / together, rest = out.count(home) % together;
    const auto ring = [&](int outputs) { return static_cast<double>(outputs * beats() * words + 3); };
    double psum = whole * ring(together) + machine::home_cycles(ring(whole > 0 ? together : rest));
    buffers += whole;
    if (rest > 0) {
      psum += ring(rest) +
              std::max(0.0, machine::fewer_cycles(together - rest, buffers) - (whole > 0 ? ring(together) : 0));
      buffers = buffers % machine::kPsumBuffers + 1;
    }
    all += std::max(psum, main * out.count(home) / out.features());
  }
  return all;
}

int LoweringTools::weights_of_row(const StreamDescriptor& descriptor) {
  int weights = 0;
  for (const std::vector<StreamDescriptor::Input>& inputs : descriptor.lines)
    for (const StreamDescriptor::Input& in : inputs) weights += std::min(in.to, in.space->slots()) - in.from;
  return weights;
}

LoweringTools::Groups LoweringTools::groups_of(const Space& out, bool numbered, int weights) const {
  constexpr int kEntries = 16;      // enough to hide the pipeline, but the ring lags little behind main
  constexpr int kMostEntries = 48;  // for sparse rows: one with more weights for some outputs has fewer for others
  constexpr double kGain = 0.99;    // of the cycles, or a group has about kEntries
  const bool sparse = numbered && kept_ != nullptr;
  const auto most = [&](int entries) {
    return std::clamp(entries / beats(), 1, numbered ? SumOrder::kMostSums : entries);
  };
  const int usual = most(sparse ? kMostEntries : kEntries), parts = (out.slots() + usual - 1) / usual;
  Groups best = in_groups(out, (out.slots() + parts - 1) / parts, numbered, weights);
  const auto try_size = [&](int each) {
    const Groups other = in_groups(out, each, numbered, weights);
    if (other.cycles < kGain * best.cycles) best = other;
  };
  if (sparse || weights == 0 || memory_.positions > 0) return best;
  for (int each = usual; each > 0; --each) try_size(each);
  for (int each = usual + 1; each <= std::min(most(kMostEntries), out.slots()); ++each) try_size(each);
  return best;
}

LoweringTools::Groups LoweringTools::in_groups(const Space& out, int each, bool numbered, int weights) const {
  Groups groups{.count = 0, .each = each, .cycles = 0};
  IndexCounts fullest;
  for (int row = 0; row < out.rows(); ++row) {
    const int whole = out.count(row) / each, rest = out.count(row) % each;
    groups.count += whole + (rest > 0 ? 1 : 0);
    fullest[weights * each] += whole;
    if (rest > 0) fullest[weights * (numbered ? rest : each)] += 1;
  }
  if (weights > 0) groups.cycles = cycles(out, fullest, each);
  return groups;
}

int LoweringTools::even_group(const StreamCounts& counts) const {
  return group_size(counts.fullest, memory_.tokens_per_column / wafer_.lanes);
}

void LoweringTools::per_head(OpBuilder& builder, const std::vector<HeadCall>& calls) const {
  const int dim = model_.hidden / model_.heads;
  const int heads = most_heads(model_, wafer_);
  for (int head = 0; head < heads; ++head) {
    for (int sequence = 0; sequence < memory_.sequences; ++sequence) {
      const int at = head * dim * memory_.tokens_per_column + sequence * memory_.padded_seq;
      for (const HeadCall& call : calls) {
        std::vector<Argument> arguments = call.arrays;
        for (Argument& array : arguments) array.value += at;
        for (Argument array : call.sequences) {
          array.value += sequence * memory_.padded_seq;
          arguments.push_back(array);
        }
        arguments.insert(arguments.end(), call.others.begin(), call.others.end());
        arguments.push_back({"head", head});
        builder.call(call.kernel, arguments);
      }
    }
  }
}

}  // namespace weft::compiler
