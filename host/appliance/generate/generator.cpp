#include "host/appliance/generate/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sw/compiler/embedding.hpp"
#include "sw/compiler/expand.hpp"
#include "sw/compiler/gradient_order.hpp"

namespace weft {

Generator::Generator(const Plan& plan, std::span<const float> parameters, std::unique_ptr<Wafer> wafer)
    : plan_(plan),
      wafer_(std::move(wafer)),
      parameters_(parameters),
      totals_(static_cast<std::size_t>(plan.wafer.rows)) {
  wafer_->feed(plan.load);
  wafer_->settle();
}

void Generator::feed(const Op& op) {
  std::vector<Message> messages;
  for (Expansion expansion(op); expansion.next(parameters_, messages); messages.clear()) wafer_->feed(messages);
  for (std::size_t r = 0; r < totals_.size(); ++r) totals_[r] += op.returned[r];
}

std::vector<std::vector<float>> Generator::logits(const std::vector<std::span<const std::uint16_t>>& texts) {
  std::vector<std::span<const std::uint16_t>> windows;
  for (const auto& text : texts)
    windows.push_back(text.last(std::min(text.size(), static_cast<std::size_t>(plan_.model.seq))));
  wafer_->feed(plan_.texts(windows));
  feed(embedding_of(plan_, windows));  // the first op
  for (const Op& op : std::span(plan_.ops).subspan(1)) {
    feed(op);
    if (op.returns != Returns::Logits) continue;
    for (std::size_t n = 1; n < windows.size(); ++n) {
      wafer_->feed(plan_.ask_next(windows, n));
      feed(op);
    }
  }
  wafer_->await(totals_);
  std::vector<std::vector<float>> logits(texts.size(), std::vector<float>(static_cast<std::size_t>(plan_.model.vocab)));
  std::vector<std::size_t> at(totals_.size());
  for (const Op& op : plan_.ops)
    for (std::size_t n = 0; n < (op.returns == Returns::Logits ? texts.size() : 1); ++n) take(op, at, logits[n]);
  for (std::size_t r = 0; r < totals_.size(); ++r) wafer_->outlet(static_cast<int>(r)).clear();
  return logits;
}

void Generator::take(const Op& op, std::vector<std::size_t>& at, std::vector<float>& logits) {
  const auto token =
      op.returns == Returns::Logits ? gradient_parameters(op) : std::vector<std::vector<std::uint64_t>>{};
  for (std::size_t r = 0; r < at.size(); ++r) {
    for (std::size_t k = 0; k < op.returned[r]; ++k) {
      const std::uint32_t word = wafer_->outlet(static_cast<int>(r))[at[r]++];
      if (op.returns == Returns::Flags && word != 0) {
        throw std::runtime_error("the wafer reports an error: " + wafer_->flags());
      }
      if (op.returns != Returns::Logits) continue;
      float& logit = logits[token[r][k]];
      logit = std::bit_cast<float>(word);
      if (std::isfinite(logit)) continue;
      throw std::runtime_error(
          fmt::format("the logit of token {} is {}. HINT: these weights have diverged, take an "
                      "earlier checkpoint.",
                      token[r][k], logit));
    }
  }
}

}  // namespace weft
