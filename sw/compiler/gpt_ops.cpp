#include "sw/compiler/gpt_ops.hpp"

#include <algorithm>

#include "sw/compiler/sweep_counts.hpp"
#include "sw/compiler/tensors.hpp"

namespace weft {

GptOps::GptOps(const ModelShape& model, const WaferShape& wafer, std::shared_ptr<const Spaces> spaces,
               const MemoryPlan& memory, const std::vector<TensorInfo>& tensors,
               std::shared_ptr<const std::vector<bool>> kept, const Program& program)
    : model_(model),
      wafer_(wafer),
      held_(std::move(spaces)),
      spaces_(*held_),
      memory_(memory),
      tensors_(tensors),
      kept_(std::move(kept)),
      program_(program) {}

int GptOps::tensor(std::string_view name) const {
  return static_cast<int>(&find_tensor(tensors_, name) - tensors_.data());
}

std::string GptOps::layer_name(int layer, std::string_view rest) const {
  return "h." + std::to_string(layer) + "." + std::string(rest);
}

int GptOps::table(const Space& space) const {
  if (&space == &spaces_.hidden) return memory_.table_hidden;
  if (&space == &spaces_.filter) return memory_.table_filter;
  if (&space == &spaces_.vocab) return memory_.table_vocab;
  return memory_.table_head;
}

GptOps::Matrix GptOps::head_matrix() const {
  return {offset(model_.tied ? "wte.weight" : "lm_head.weight"), 1, model_.hidden};
}

Sweep GptOps::sweep_of(const Space& out) const {
  Sweep sweep;
  sweep.outputs = shared(out);
  sweep.kept = kept_;
  return sweep;
}

std::vector<Sweep::Input> GptOps::line(const std::vector<Input>& inputs) const {
  std::vector<Sweep::Input> line;
  for (const Input& in : inputs)
    line.push_back({shared(in.space), local(in.address, inputs.front().address), in.weights.offset,
                    static_cast<std::uint64_t>(in.weights.in_stride),
                    static_cast<std::uint64_t>(in.weights.out_stride)});
  return line;
}

void GptOps::gemm(OpBuilder builder, const std::vector<Input>& inputs, std::uint64_t bias, bool residual,
                  const Space& out, int y) {
  const int base = inputs.front().address;
  builder.call(wafer_.psum_cycles == 2 ? "gemm_in_turn" : "gemm",
               {{"x", base}, {"outputs", out.features()}, {"y", y}, {"homes", table(out)}});
  Sweep sweep = sweep_of(out);
  sweep.lines = {line(inputs)};
  // Any row may add the bias. They take turns, or it is not the one with the residual: one index may move, the last
  // (board_link.md, RUN).
  if (bias != kNoBias) sweep.bias = {.offset = bias, .local = local(memory_.ones, base), .before_home = residual};
  if (residual) sweep.residual = local(memory_.residual, base);
  add(builder.sweep(std::move(sweep)));
}

void GptOps::weight_gradient(OpBuilder builder, const Input& input, std::uint64_t bias, const Space& out, int dy) {
  gradient(std::move(builder), {input}, bias, out, dy);
}

bool GptOps::indexes_deltas(std::string_view matrix, int deltas, int inputs) const {
  if (kept_ == nullptr || deltas <= inputs) return false;
  const TensorInfo& t = find_tensor(tensors_, matrix);
  const auto first = kept_->begin() + static_cast<std::ptrdiff_t>(t.offset);
  return 2 * std::count(first, first + static_cast<std::ptrdiff_t>(t.size), true) <=
         static_cast<std::ptrdiff_t>(t.size);
}

void GptOps::weight_gradient_of(const std::string& name, const std::vector<Input>& deltas, std::uint64_t bias, int x) {
  gradient(op("d." + name + ".weight"), deltas, kNoBias, spaces_.hidden, x);
  const int base = deltas.front().address;
  OpBuilder biases = op("d." + name + ".bias");
  biases.call("gradient_local", {{"x", base}, {"slots", 1}, {"dy", memory_.ones}, {"buffers", memory_.dys(base)}});
  std::vector<Input> of_biases;
  for (const Input& delta : deltas) {
    of_biases.push_back({delta.space, delta.address, {bias, 1, 0}});
    bias += static_cast<std::uint64_t>(delta.space.features());
  }
  Sweep sweep = sweep_of(spaces_.hidden);
  sweep.values = Sweep::Values::Indices;
  sweep.outputs = std::make_shared<const Space>(Space::dealt({0}, wafer_.rows));
  sweep.lines = {line(of_biases)};
  add(biases.sweep(std::move(sweep)));
}

void GptOps::gradient(OpBuilder builder, const std::vector<Input>& inputs, std::uint64_t bias, const Space& out,
                      int dy) {
  const int base = inputs.front().address;
  Sweep sweep = sweep_of(out);
  sweep.values = Sweep::Values::Indices;
  sweep.lines = {line(inputs)};
  if (bias != kNoBias)
    sweep.bias = {.offset = bias, .local = local(memory_.ones, base)};  // any row may: they take turns
  builder.call("gradient", {{"x", base},
                            {"outputs", out.features()},
                            {"dy", dy},
                            {"homes", table(out)},
                            {"buffers", memory_.dys(base)},
                            {"group", even_group(sweep)}});
  add(builder.sweep(std::move(sweep)));
}

int GptOps::even_group(const Sweep& sweep) const {
  return group_size(SweepCounts(sweep).fullest, memory_.tokens_per_column / wafer_.lanes);
}

void GptOps::per_head(OpBuilder& builder, const std::vector<HeadCall>& calls) const {
  const int dim = model_.hidden / model_.heads;
  const bool spread = rows_per_head(model_.heads, dim, wafer_.rows) > 1;
  const int heads = spread ? 1 : (model_.heads + wafer_.rows - 1) / wafer_.rows;  // of the fullest row
  for (int head = 0; head < heads; ++head) {
    for (int sequence = 0; sequence < memory_.sequences; ++sequence) {
      const int at = head * dim * memory_.tokens_per_column + sequence * memory_.padded_seq;
      for (const HeadCall& call : calls) {
        std::vector<Argument> arguments = call.arrays;
        for (Argument& array : arguments) array.value += at;
        arguments.insert(arguments.end(), call.others.begin(), call.others.end());
        arguments.push_back({"head", head});
        builder.call(call.kernel, arguments);
      }
    }
  }
}

Sweep GptOps::affine_sweep(const std::string& norm, int base, bool shift) const {
  Sweep sweep = sweep_of(spaces_.hidden);
  sweep.own.push_back({.local = 0, .fixed = false, .offset = offset(norm + ".weight")});
  if (shift) sweep.own.push_back({.local = local(memory_.ones, base), .fixed = true, .offset = offset(norm + ".bias")});
  return sweep;
}

}  // namespace weft
