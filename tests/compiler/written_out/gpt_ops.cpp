#include "tests/compiler/written_out/gpt_ops.hpp"

#include <algorithm>
#include <cmath>

#include "sw/compiler/model/tensors.hpp"

namespace weft::compiler::written_out {

GptOps::GptOps(const ModelShape& model, const machine::WaferShape& wafer, const Spaces& spaces,
               const Gpt2Memory& memory, const std::vector<TensorInfo>& tensors, std::vector<bool> kept,
               const assembler::Program& program)
    : model_(model),
      wafer_(wafer),
      spaces_(spaces),
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

void GptOps::gemm(OpBuilder builder, const std::vector<Input>& inputs, std::uint64_t bias, bool residual,
                  const Space& out, int y) {
  const int base = inputs.front().address, t = memory_.tokens_per_column;
  builder.call(wafer_.psum_cycles == 2 ? "gemm_rotating" : "gemm",
               {{"x", base}, {"outputs", out.features()}, {"y", y}, {"homes", table(out)}});
  std::vector<Element> elements;
  for (int home = 0; home < wafer_.rows; ++home) {
    for (const int o : out.on_row(home)) {
      elements.clear();
      for (const Input& in : inputs)
        for (int i = 0; i < in.space.features(); ++i)
          elements.push_back({in.space.row(i), local(in.address, base) + in.space.slot(i), in.weights.at(i, o)});
      // Any row may add the bias. Rows alternate, or the row before the residual's adds it: only the last index of an
      // output may vary (board_link.md, RUN).
      const int adds = residual ? home + wafer_.rows - 1 : home + out.slot(o);
      if (bias != kNoBias)
        elements.push_back({adds % wafer_.rows, local(memory_.ones, base), static_cast<std::uint64_t>(bias + o)});
      if (residual) elements.push_back({home, local(memory_.residual + out.slot(o) * t, base), Element::kOne});
      builder.output(elements);
    }
  }
  add(builder);
}

void GptOps::weight_gradient(OpBuilder builder, const Input& input, std::uint64_t bias, const Space& out, int dy) {
  gradient(std::move(builder), {input}, bias, out, dy);
}

void GptOps::weight_gradients(const std::string& linear, std::string_view matrix, const Input& x, std::uint64_t bias,
                              const std::vector<Input>& deltas) {
  const TensorInfo& t = find_tensor(tensors_, matrix);
  double share = 1;
  if (!kept_.empty()) {
    const auto first = kept_.begin() + static_cast<std::ptrdiff_t>(t.offset);
    share = static_cast<double>(std::count(first, first + static_cast<std::ptrdiff_t>(t.size), true)) /
            static_cast<double>(t.size);
  }
  const auto time = [&](int outputs, int slots) {  // includes an op's fixed start and end time
    return 150 + gradient_beats({{static_cast<int>(std::ceil(share * slots)), outputs}},
                                memory_.tokens_per_column / wafer_.lanes);
  };
  const Space& out = deltas.front().space;
  const int times = static_cast<int>(deltas.size());
  if (time(x.space.features(), times * out.slots()) < times * time(out.features(), x.space.slots()))
    return weight_gradient_of(op(linear + ".dw"), deltas, bias != kNoBias, x);
  for (int n = 0; n < times; ++n) {
    const std::uint64_t further = static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(out.features());
    Input one = x;
    one.weights.offset += further;
    weight_gradient(op(linear + (times == 1 ? "" : std::string(".") + "qkv"[n]) + ".dw"), one,
                    bias == kNoBias ? bias : bias + further, out, deltas[static_cast<std::size_t>(n)].address);
  }
}

void GptOps::weight_gradient_of(OpBuilder builder, const std::vector<Input>& deltas, bool biased, const Input& x) {
  const int base = deltas.front().address;
  const auto line = [&](int o) {  // the biases follow the last feature of x
    std::vector<Element> elements;
    for (const Input& in : deltas)
      for (int i = 0; i < in.space.features(); ++i)
        elements.push_back({in.space.row(i), local(in.address, base) + in.space.slot(i), in.weights.at(i, o)});
    builder.gradient(elements);
  };
  if (biased) line(x.space.features());
  for (int home = 0; home < wafer_.rows; ++home)
    for (const int o : x.space.on_row(home)) line(o);
  builder.call_before("gradient", {{"x", base},
                                   {"outputs", x.space.features() + (biased ? 1 : 0)},
                                   {"dy", x.address},
                                   {"homes", table(x.space)},
                                   {"buffers", memory_.dys(base)},
                                   {"group", group_size(builder.indices(), memory_.tokens_per_column / wafer_.lanes)},
                                   {"ones", biased ? memory_.ones : 0}});
  add(builder);
}

void GptOps::gradient(OpBuilder builder, const std::vector<Input>& inputs, std::uint64_t bias, const Space& out,
                      int dy) {
  const int base = inputs.front().address;
  std::vector<Element> elements;
  for (int home = 0; home < wafer_.rows; ++home) {
    for (const int o : out.on_row(home)) {
      elements.clear();
      for (const Input& in : inputs)
        for (int i = 0; i < in.space.features(); ++i)
          elements.push_back({in.space.row(i), local(in.address, base) + in.space.slot(i), in.weights.at(i, o)});
      if (bias != kNoBias)  // rows alternate, since any row may add the bias
        elements.push_back(
            {(home + out.slot(o)) % wafer_.rows, local(memory_.ones, base), static_cast<std::uint64_t>(bias + o)});
      builder.gradient(elements);
    }
  }
  builder.call_before("gradient", {{"x", base},
                                   {"outputs", out.features()},
                                   {"dy", dy},
                                   {"homes", table(out)},
                                   {"buffers", memory_.dys(base)},
                                   {"group", group_size(builder.indices(), memory_.tokens_per_column / wafer_.lanes)},
                                   {"ones", 0}});
  add(builder);
}

void GptOps::per_head(OpBuilder& builder, const std::vector<HeadCall>& calls) const {
  const int dim = model_.hidden / model_.heads;
  const bool spread = rows_per_head(model_.heads, dim, wafer_.rows) > 1;
  const int heads = spread ? 1 : (model_.heads + wafer_.rows - 1) / wafer_.rows;  // in the fullest row
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

bool GptOps::sums_together(const std::string& norm) const {
  const auto all = [&](const std::string& tensor) {
    if (kept_.empty()) return true;
    const TensorInfo& t = find_tensor(tensors_, tensor);
    const auto first = kept_.begin() + static_cast<std::ptrdiff_t>(t.offset);
    return std::count(first, first + static_cast<std::ptrdiff_t>(t.size), false) == 0;
  };
  return all(norm + ".weight") && all(norm + ".bias") &&
         2 * wafer_.rows <= 5 * memory_.tokens_per_column / wafer_.lanes;  // for a single valve
}

std::vector<Element> GptOps::affine_elements(const std::string& norm, int slot, int base, bool shift) const {
  const auto scale_at = offset(norm + ".weight"), shift_at = offset(norm + ".bias");
  std::vector<Element> elements;
  for (int row = 0; row < wafer_.rows; ++row) {
    if (slot >= spaces_.hidden.count(row)) continue;
    const int f = spaces_.hidden.on_row(row)[slot];
    elements.push_back({row, slot, static_cast<std::uint64_t>(scale_at + f)});
    if (shift) elements.push_back({row, local(memory_.ones, base), static_cast<std::uint64_t>(shift_at + f)});
  }
  return elements;
}

}  // namespace weft::compiler::written_out
