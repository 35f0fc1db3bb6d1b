/// The members of a plan, one list for writing and reading (sw/base/archive.hpp). A member added to one of these types
/// must be added here, and the version in plan_file.cpp raised.
#pragma once

#include <map>
#include <memory>

#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/plan/program_fields.hpp"

namespace weft::compiler {

template <class A>
void fields(A& a, RotaryAngles& x) {
  auto& [layout, theta, scaling, factor, low_turns, high_turns, original_length] = x;
  a(layout, theta, scaling, factor, low_turns, high_turns, original_length);
}
template <class A>
void fields(A& a, ModelShape& x) {
  auto& [vocab, hidden, layers, heads, filter, seq, tied, micro_batch, ln_eps, rotary_dim, network, recompute,
         document_end, padding_token, segments, filter_follows, label_smoothing, attention, rotary, kv_heads, classes,
         vsl, residual_dropout, embedding_dropout, attention_dropout, dropout_seed] = x;
  a(vocab, hidden, layers, heads, filter, seq, tied, micro_batch, ln_eps, rotary_dim, network, recompute, document_end,
    padding_token, segments, filter_follows, label_smoothing, attention, rotary, kv_heads, classes, vsl,
    residual_dropout, embedding_dropout, attention_dropout, dropout_seed);
}
template <class A>
void fields(A& a, TensorInfo& x) {
  auto& [name, dims, offset, size, decay, init_std, init_value, roles] = x;
  a(name, dims, offset, size, decay, init_std, init_value, roles);
}
template <class A>
void fields(A& a, StreamEntry& x) {
  auto& [data, source] = x;
  a(data, source);
}
template <class A>
void fields(A& a, RowConstants& x) {
  auto& [words, rotary_pairs, losses_at, losses, share_at, share] = x;
  a(words, rotary_pairs, losses_at, losses, share_at, share);
}
template <class A>
void fields(A& a, StreamDescriptor::Bias& x) {
  auto& [offset, local, before_home, line] = x;
  a(offset, local, before_home, line);
}
template <class A>
void fields(A& a, StreamDescriptor::Residual& x) {
  auto& [local, line] = x;
  a(local, line);
}
template <class A>
void fields(A& a, StreamDescriptor::Interleave& x) {
  auto& [each, ones, numbered, apart] = x;
  a(each, ones, numbered, apart);
}
template <class A>
void fields(A& a, StreamDescriptor::Own& x) {
  auto& [local, fixed, offset, line] = x;
  a(local, fixed, offset, line);
}

template <class A>
void fields(A& a, HeadCopies& x) {
  auto& [features, times] = x;
  a(features, times);
}

/// An input of a descriptor whose placement is an index into the file's list of placements.
struct StoredInput {
  int space = -1, local = 0;
  std::uint64_t offset = 0, in_stride = 0, out_stride = 0;
  int from = 0, to = 0;
  HeadCopies copies = {};
};
template <class A>
void fields(A& a, StoredInput& x) {
  auto& [space, local, offset, in_stride, out_stride, from, to, copies] = x;
  a(space, local, offset, in_stride, out_stride, from, to, copies);
}

struct StoredOp {
  std::string name;
  std::vector<StreamEntry> commands;
  std::vector<int> tensors;
  Returns returns = Returns::Nothing;
  std::vector<std::uint32_t> returned;
  StreamDescriptor::Values values = StreamDescriptor::Values::Weights;
  int outputs = -1;
  HeadCopies outputs_copies = {};
  std::vector<std::vector<StoredInput>> lines;
  std::optional<StreamDescriptor::Bias> bias;
  std::optional<StreamDescriptor::Residual> residual;
  std::optional<StreamDescriptor::Interleave> interleave;
  std::vector<StreamDescriptor::Own> own;
  int together = 1;
  bool masked = false;
};
template <class A>
void fields(A& a, StoredOp& x) {
  auto& [name, commands, tensors, returns, returned, values, outputs, outputs_copies, lines, bias, residual, interleave,
         own, together, masked] = x;
  a(name, commands, tensors, returns, returned, values, outputs, outputs_copies, lines, bias, residual, interleave, own,
    together, masked);
}

/// Members of a plan except its ops.
template <class A>
void fields_without_ops(A& a, Plan& x) {
  a(x.model, x.wafer, x.tensors, x.parameters, x.mask, x.program, x.load, x.arrays, x.row_constants, x.forward_ops,
    x.tokens_per_column, x.memory_map, x.token_index, x.token_blocks, x.token_address, x.padded_seq, x.sends_documents,
    x.document_behind, x.segment_index, x.class_index, x.losses, x.position_index, x.position_address, x.drop_flag,
    x.drop_numbers);
}

}  // namespace weft::compiler
