/// Messages that write a micro-batch's tokens into the PEs.
#include "sw/compiler/plan/plan.hpp"

#include <bit>

#include "sw/base/bf16.hpp"
#include "sw/compiler/placement/blocks.hpp"

namespace weft::compiler {
namespace {

/// The n-th normal bf16 number. Multiplication by 1 does not change its bits, so document numbers can be passed on
/// between columns as queries are. There are 65,024 of these numbers, more than a sequence that fits SRAM has tokens.
std::uint16_t document_word(int n) {
  constexpr int kPositive = 0x7f00, kFirst = 0x0080, kSign = 0x8000;
  return static_cast<std::uint16_t>(n < kPositive ? kFirst + n : kSign + kFirst + n - kPositive);
}

/// The words that a PE holds for a token; id and label as in Plan::token_index.
struct TokenWords {
  std::uint32_t id, label;
  std::uint16_t valid, document = 0, segment = 0;
  std::uint16_t further_label = 0, weight = 0;  ///< of the first of two losses, or the low part of a number
  std::uint16_t position = 0;                   ///< index of the position, if it is sent
};
constexpr std::uint32_t kNoIndices = ~std::uint32_t{0};  // missing label: an index in no block

/// A missing number is 0: its words would be a NaN.
TokenWords without_label(const Plan& plan, std::uint32_t id, std::uint16_t document, std::uint16_t segment) {
  if (plan.losses.back() == Labels::Numbers) return {id, 0, 0, document, segment};
  return {id, kNoIndices, 0, document, segment, kNoIndex};
}

/// Sets the words of a token's labels, of those losses for which it has one.
void set_label(const Plan& plan, TokenId word, std::uint16_t weight, TokenWords& words) {
  const std::size_t last = plan.losses.size() - 1;
  if (const TokenId label = label_of(plan.losses, word, last); label != kNoLabel) {
    words.valid = kOneBf16;
    if (plan.losses[last] == Labels::Numbers) {
      const auto number = std::bit_cast<float>(label);
      words.label = nearest_bf16(number);
      words.further_label = nearest_bf16(number - as_float(widen(static_cast<std::uint16_t>(words.label))));
    } else {
      words.label = plan.losses[last] == Labels::Tokens ? plan.token_index.at(label) : plan.class_index.at(label);
    }
  }
  if (last == 0) return;
  if (const TokenId label = label_of(plan.losses, word, 0); label != kNoLabel) {
    words.further_label = plan.class_index.at(label);
    words.weight = weight;
  }
}

/// Gives the padding at the end of each sequence a document of its own.
void number_padding(const ModelShape& model, std::span<const TokenId> inputs, std::span<std::uint16_t> documents) {
  const auto seq = static_cast<std::size_t>(model.seq);
  for (std::size_t end = seq; end <= inputs.size(); end += seq)
    for (std::size_t at = end; at > end - seq && token_of(inputs[at - 1]) == static_cast<TokenId>(model.padding_token);
         --at)
      documents[at - 1] = document_word(model.seq);
}

/// The document word of each input; documents are counted from 0 in each sequence.
std::vector<std::uint16_t> documents_of(const ModelShape& model, std::span<const TokenId> inputs) {
  std::vector<std::uint16_t> documents(inputs.size());
  int document = 0;
  for (std::size_t at = 0; at < inputs.size(); ++at) {
    if (at % static_cast<std::size_t>(model.seq) == 0)
      document = 0;
    else if (model.vsl ? begins_document(inputs[at])
                       : token_of(inputs[at - 1]) == static_cast<TokenId>(model.document_end))
      ++document;
    documents[at] = document_word(document);
  }
  if (model.has_padding()) number_padding(model, inputs, documents);
  return documents;
}

/// The position of each input, counted from 0 in its document.
std::vector<int> positions_of(const ModelShape& model, std::span<const TokenId> inputs) {
  std::vector<int> positions(inputs.size());
  for (std::size_t at = 0; at < inputs.size(); ++at)
    if (at % static_cast<std::size_t>(model.seq) != 0 && !begins_document(inputs[at]))
      positions[at] = positions[at - 1] + 1;
  return positions;
}

bool sends_positions(const Plan& plan) { return plan.model.vsl && !plan.position_index.empty(); }

/// `at(column, t)`: the token of position t (0..T-1) of a column.
template <class At>
std::vector<machine::Message> token_messages(const Plan& plan, const At& at) {
  std::vector<machine::Message> list;
  std::vector<TokenWords> tokens(static_cast<std::size_t>(plan.tokens_per_column));
  for (int c = 0; c < plan.wafer.cols; ++c) {
    for (int t = 0; t < plan.tokens_per_column; ++t) tokens[static_cast<std::size_t>(t)] = at(c, t);
    list.push_back(machine::Message::select({.col = c}));
    list.push_back(machine::Message::command(machine::Command::Maddr, 0, plan.token_address));
    const auto put = [&](const auto& word) {
      for (const TokenWords& token : tokens)
        list.push_back(machine::Message::command(machine::Command::Mdata, 0, word(token)));
    };
    const auto put_blocks = [&](std::uint32_t TokenWords::*of) {
      for (int block = 0; block < plan.token_blocks; ++block)
        put([&](const TokenWords& token) { return index_in(token.*of, block); });
    };
    put_blocks(&TokenWords::id);
    if (!plan.segment_index.empty()) put([&](const TokenWords& token) { return plan.segment_index[token.segment]; });
    put_blocks(&TokenWords::label);
    put([](const TokenWords& token) { return token.valid; });
    if (plan.sends_documents) put([](const TokenWords& token) { return token.document; });
    if (plan.losses.size() > 1 || plan.losses.back() == Labels::Numbers)
      put([](const TokenWords& token) { return token.further_label; });
    if (plan.losses.size() > 1) put([](const TokenWords& token) { return token.weight; });
    if (!sends_positions(plan)) continue;
    list.push_back(machine::Message::command(machine::Command::Maddr, 0, plan.position_address));
    put([](const TokenWords& token) { return token.position; });
  }
  list.push_back(machine::Message::select());
  return list;
}

/// Lets tiles drop features of these samples' tokens, or none.
void append_dropout(const Plan& plan, int sequences, const DropoutSamples* samples,
                    std::vector<machine::Message>& list) {
  if (plan.drop_flag == 0) return;
  const auto put = [&](std::uint16_t word) {
    list.push_back(machine::Message::command(machine::Command::Mdata, 0, word));
  };
  list.push_back(machine::Message::command(machine::Command::Maddr, 0, plan.drop_flag));
  put(samples == nullptr ? 0 : kDrops);
  if (samples == nullptr) return;
  std::vector<DropoutNumbers> numbers(static_cast<std::size_t>(plan.tokens_per_column));
  for (int c = 0; c < plan.wafer.cols; ++c) {
    for (int t = 0; t < plan.tokens_per_column; ++t) {
      const int at = plan.token_at(c, t, sequences);
      numbers[static_cast<std::size_t>(t)] =
          at < 0 ? DropoutNumbers{}
                 : token_numbers(plan.model.dropout_seed, samples->step,
                                 samples->first + static_cast<std::uint64_t>(at / plan.model.seq), at % plan.model.seq);
    }
    list.push_back(machine::Message::select({.col = c}));
    list.push_back(machine::Message::command(machine::Command::Maddr, 0, plan.drop_numbers));
    for (std::size_t k = 0; k < kSentNumbers; ++k)
      for (const DropoutNumbers& token : numbers) put(token[k % kDropoutNumbers]);
  }
  list.push_back(machine::Message::select());
}

}  // namespace

int Plan::token_at(int column, int t, int sequences) const {
  // Sequences are assigned round robin to columns, or to groups of columns; columns behind the last group have none.
  const int parts = wafer.sequence_columns, together = wafer.cols / parts;
  if (column >= together * parts) return -1;
  const int sequence = t / padded_seq * together + column / parts;
  const int position = column % parts * padded_seq + t % padded_seq;
  return sequence < sequences && position < model.seq ? sequence * model.seq + position : -1;
}

std::vector<machine::Message> Plan::tokens(std::span<const TokenId> inputs, std::span<const TokenId> labels,
                                           float class_weight, const DropoutSamples* samples) const {
  const int sequences = static_cast<int>(inputs.size()) / model.seq;
  const std::vector<std::uint16_t> documents = documents_of(model, inputs);
  const std::vector<int> positions = sends_positions(*this) ? positions_of(model, inputs) : std::vector<int>();
  std::vector<machine::Message> list = token_messages(*this, [&](int c, int t) {
    const int at = token_at(c, t, sequences);
    if (at < 0) {
      TokenWords behind = without_label(*this, token_index[0], document_word(document_behind), 0);
      if (!positions.empty()) behind.position = position_index[0];
      return behind;
    }
    const std::uint32_t id = token_index.at(token_of(inputs[at]));
    const auto segment = static_cast<std::uint16_t>(segment_of(inputs[at]));
    TokenWords words = without_label(*this, id, documents[at], segment);
    if (!positions.empty()) words.position = position_index[static_cast<std::size_t>(positions[at])];
    set_label(*this, labels[at], nearest_bf16(class_weight), words);
    return words;
  });
  append_dropout(*this, sequences, samples, list);
  return list;
}

std::vector<machine::Message> Plan::texts(std::span<const std::span<const TokenId>> texts) const {
  const int count = static_cast<int>(texts.size());
  return token_messages(*this, [&](int c, int t) {
    const int at = token_at(c, t, count), n = at / model.seq, position = at % model.seq;
    const int size = at < 0 ? 0 : static_cast<int>(texts[n].size());
    if (at < 0 || position >= size) return TokenWords{token_index[0], kNoIndices, 0};
    const bool asked = n == 0 && position + 1 == size;
    return TokenWords{token_index.at(texts[n][position]), kNoIndices, asked ? kOneBf16 : std::uint16_t{0}};
  });
}

std::vector<machine::Message> Plan::ask_next(std::span<const std::span<const TokenId>> texts, std::size_t n) const {
  std::vector<machine::Message> list;
  const int parts = wafer.sequence_columns, together = wafer.cols / parts;
  const auto put = [&](std::size_t text, std::uint16_t valid) {  // inverse of token_at()
    const int position = static_cast<int>(texts[text].size()) - 1, sequence = static_cast<int>(text);
    const int column = sequence % together * parts + position / padded_seq;
    const int t = sequence / together * padded_seq + position % padded_seq;
    list.push_back(machine::Message::select({.col = column}));
    list.push_back(
        machine::Message::command(machine::Command::Maddr, 0, static_cast<std::uint16_t>(valid_address() + t)));
    list.push_back(machine::Message::command(machine::Command::Mdata, 0, valid));
  };
  put(n - 1, 0);
  put(n, kOneBf16);
  list.push_back(machine::Message::select());
  return list;
}

}  // namespace weft::compiler
