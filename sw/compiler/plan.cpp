#include "sw/compiler/plan.hpp"

#include <bit>
#include <string>

#include "sw/base/bf16.hpp"
#include "sw/base/refusal.hpp"
#include "sw/compiler/blocks.hpp"
#include "sw/compiler/check.hpp"
#include "sw/compiler/decode.hpp"
#include "sw/compiler/load.hpp"
#include "sw/compiler/lower.hpp"
#include "sw/compiler/memory_plan.hpp"
#include "sw/compiler/program.hpp"
#include "sw/compiler/tensors.hpp"

namespace weft {
namespace {

void append(std::vector<Message>& to, const std::vector<Message>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void check_documents(const ModelShape& model, const Graph& graph) {
  if (model.has_documents() && !graph.has(NetworkOperation::Kind::Attention))
    throw Refusal("model.document_end", "network " + model.network + " has no attention", "leave it out");
}

/// The n-th bf16 that is a number, subnormals and zero left out: what is multiplied by 1 has the same bits, and so a
/// number of a document may travel as queries do. SRAM has no room for as long sequences as there are of these, 65,024.
std::uint16_t document_word(int n) {
  constexpr int kPositive = 0x7f00, kFirst = 0x0080, kSign = 0x8000;
  return static_cast<std::uint16_t>(n < kPositive ? kFirst + n : kSign + kFirst + n - kPositive);
}

/// What a stream calls each feature, of an array in blocks of so many slots.
template <class Index>
std::vector<Index> indices(const Space& space, const WaferShape& wafer, int slots) {
  std::vector<Index> list;
  for (int f = 0; f < space.features(); ++f)
    list.push_back(
        static_cast<Index>(block_index(space.slot(f) / slots, space.row(f), space.slot(f) % slots, wafer.row_shift())));
  return list;
}

enum class Purpose : std::uint8_t { Training, Growing, Generation, Decode };

Plan make_plan(const ModelShape& model, const WaferShape& asked, const Mask& mask, Placement placement,
               Purpose purpose = Purpose::Training) {
  const bool decode = purpose == Purpose::Decode, trains = purpose <= Purpose::Growing;
  decode ? check_decode(model, asked) : check(model, asked);
  const WaferShape wafer = decode ? asked : with_sequence_columns(model, asked);
  const Graph graph = decode ? decode_graph(model) : Graph(model);
  check_documents(model, graph);
  Plan plan;
  plan.model = model;
  plan.wafer = wafer;
  plan.tensors = model_tensors(model, graph.network);
  plan.parameters = parameter_count(plan.tensors);
  plan.mask = mask;
  const auto kept =
      mask.empty() ? nullptr : std::make_shared<const std::vector<bool>>(kept_parameters(plan.tensors, mask));
  const bool in_order = placement == Placement::InOrder || kept == nullptr;
  const auto held =
      std::make_shared<const Spaces>(model, wafer.rows, in_order ? Loads{} : count_loads(model, plan.tensors, *kept));
  const Spaces& spaces = *held;
  const MemoryPlan memory(model, wafer, spaces, graph, decode ? model.seq : 0);
  plan.program = assemble_kernels(model, wafer, memory);

  plan.tokens_per_column = memory.tokens_per_column;
  plan.padded_seq = memory.padded_seq;
  plan.memory_map = memory.map(wafer);
  plan.arrays = array_symbols(memory);
  plan.row_constants = row_constants(model, wafer, spaces);
  plan.token_address = static_cast<std::uint16_t>(memory.token);
  plan.token_index = indices<std::uint32_t>(spaces.vocab, wafer, block_slots(wafer));
  plan.token_blocks = memory.blocks;
  if (decode) {
    plan.position_index = indices<std::uint16_t>(spaces.position, wafer, 1 << wafer.row_shift());
    plan.position_address = static_cast<std::uint16_t>(memory.position);
  }
  append(plan.load, route_messages(wafer));
  append(plan.load, program_messages(plan.program));
  append(plan.load, constant_messages(model, wafer, spaces, memory, plan.program));

  Lowering lowering(model, wafer, graph, held, memory, plan.tensors, kept, purpose == Purpose::Growing ? nullptr : kept,
                    plan.program);
  const Schedule schedule = trains ? graph.training : generation_schedule(graph.network);
  for (std::size_t n = 0; n < schedule.steps.size(); ++n) {
    lowering.lower(schedule.steps[n]);
    if (n + 1 == schedule.forward) plan.forward_ops = lowering.ops.size();
  }
  plan.ops = std::move(lowering.ops);
  return plan;
}

/// What a PE knows of a token: id and label as Plan::token_index has them.
struct TokenWords {
  std::uint32_t id, label;
  std::uint16_t valid, document = 0;
};
constexpr std::uint32_t kNoIndices = ~std::uint32_t{0};  // of a label that is none: of no block

/// Of each input its document's word, counted from 0 in each sequence.
std::vector<std::uint16_t> documents_of(const ModelShape& model, std::span<const TokenId> inputs) {
  std::vector<std::uint16_t> documents(inputs.size());
  int document = 0;
  for (std::size_t at = 0; at < inputs.size(); ++at) {
    if (at % static_cast<std::size_t>(model.seq) == 0)
      document = 0;
    else if (inputs[at - 1] == static_cast<TokenId>(model.document_end))
      ++document;
    documents[at] = document_word(document);
  }
  return documents;
}

/// `at(column, t)`: the token of position t (0..T-1) of a column.
template <class At>
std::vector<Message> token_messages(const Plan& plan, const At& at) {
  std::vector<Message> list;
  std::vector<TokenWords> tokens(static_cast<std::size_t>(plan.tokens_per_column));
  for (int c = 0; c < plan.wafer.cols; ++c) {
    for (int t = 0; t < plan.tokens_per_column; ++t) tokens[static_cast<std::size_t>(t)] = at(c, t);
    list.push_back(Message::select({.col = c}));
    list.push_back(Message::command(Command::Maddr, 0, plan.token_address));
    const auto put = [&](const auto& word) {
      for (const TokenWords& token : tokens) list.push_back(Message::command(Command::Mdata, 0, word(token)));
    };
    for (const auto of : {&TokenWords::id, &TokenWords::label})
      for (int block = 0; block < plan.token_blocks; ++block)
        put([&](const TokenWords& token) { return index_in(token.*of, block); });
    put([](const TokenWords& token) { return token.valid; });
    if (plan.model.has_documents()) put([](const TokenWords& token) { return token.document; });
  }
  list.push_back(Message::select());
  return list;
}

}  // namespace

Plan compile(const ModelShape& model, const WaferShape& wafer, const Mask& mask, Placement placement) {
  return make_plan(model, wafer, mask, placement);
}

Plan compile_generation(const ModelShape& model, const WaferShape& wafer, const Mask& mask, int texts) {
  ModelShape at_once = model;
  at_once.micro_batch = texts;
  at_once.document_end = -1;
  return make_plan(at_once, wafer, mask, Placement::ByLoad, Purpose::Generation);
}

Plan compile_growing(const ModelShape& model, const WaferShape& wafer, const Mask& mask) {
  return make_plan(model, wafer, mask, Placement::ByLoad, Purpose::Growing);
}

Plan compile_decode(const ModelShape& model, const WaferShape& wafer, const Mask& mask) {
  return make_plan(decode_model(model, wafer), decode_wafer(wafer), mask, Placement::ByLoad, Purpose::Decode);
}

int Plan::token_at(int column, int t, int sequences) const {
  const int parts = wafer.sequence_columns;  // sequences are dealt to columns, or groups of them
  const int sequence = t / padded_seq * (wafer.cols / parts) + column / parts;
  const int position = column % parts * padded_seq + t % padded_seq;
  return sequence < sequences && position < model.seq ? sequence * model.seq + position : -1;
}

std::vector<Message> Plan::tokens(std::span<const TokenId> inputs, std::span<const TokenId> labels) const {
  const int sequences = static_cast<int>(inputs.size()) / model.seq;
  const std::vector<std::uint16_t> documents = documents_of(model, inputs);
  return token_messages(*this, [&](int c, int t) {
    const int at = token_at(c, t, sequences);
    if (at < 0) return TokenWords{token_index[0], kNoIndices, 0, document_word(0)};
    if (labels[at] == kNoLabel) return TokenWords{token_index.at(inputs[at]), kNoIndices, 0, documents[at]};
    return TokenWords{token_index.at(inputs[at]), token_index.at(labels[at]), kOneBf16, documents[at]};
  });
}

std::vector<Message> Plan::texts(std::span<const std::span<const TokenId>> texts) const {
  const int count = static_cast<int>(texts.size());
  return token_messages(*this, [&](int c, int t) {
    const int at = token_at(c, t, count), n = at / model.seq, position = at % model.seq;
    const int size = at < 0 ? 0 : static_cast<int>(texts[n].size());
    if (at < 0 || position >= size) return TokenWords{token_index[0], kNoIndices, 0};
    const bool asked = n == 0 && position + 1 == size;
    return TokenWords{token_index.at(texts[n][position]), kNoIndices, asked ? kOneBf16 : std::uint16_t{0}};
  });
}

std::vector<Message> Plan::ask_next(std::span<const std::span<const TokenId>> texts, std::size_t n) const {
  std::vector<Message> list;
  const int parts = wafer.sequence_columns, together = wafer.cols / parts;
  const auto put = [&](std::size_t text, std::uint16_t valid) {  // as token_at() has them
    const int position = static_cast<int>(texts[text].size()) - 1, sequence = static_cast<int>(text);
    const int column = sequence % together * parts + position / padded_seq;
    const int t = sequence / together * padded_seq + position % padded_seq;
    list.push_back(Message::select({.col = column}));
    list.push_back(Message::command(Command::Maddr, 0, static_cast<std::uint16_t>(valid_address() + t)));
    list.push_back(Message::command(Command::Mdata, 0, valid));
  };
  put(n - 1, 0);
  put(n, kOneBf16);
  list.push_back(Message::select());
  return list;
}

}  // namespace weft
