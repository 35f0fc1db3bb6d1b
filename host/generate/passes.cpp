#include "host/generate/passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sw/compiler/stream/expand.hpp"
#include "sw/compiler/stream/gradient_order.hpp"

namespace weft::generate {

Passes::Passes(const compiler::Plan& plan, std::span<const float> parameters, std::unique_ptr<Wafer> wafer)
    : plan_(plan),
      parameters_(parameters),
      wafer_(std::move(wafer)),
      totals_(static_cast<std::size_t>(plan.wafer.rows)) {
  wafer_->feed(plan.load);
  wafer_->settle();
  loading_ = cycles();
}

void Passes::feed(const compiler::Op& op) {
  std::vector<machine::Message> messages;
  for (compiler::Expansion expansion(op); expansion.next(parameters_, messages); messages.clear())
    wafer_->feed(messages);
  for (std::size_t r = 0; r < totals_.size(); ++r) totals_[r] += op.returned[r];
  if (op.returns != compiler::Returns::Nothing) open_.push_back(&op);
}

std::vector<std::vector<float>> Passes::finish() {
  wafer_->await(totals_);
  std::vector<std::vector<float>> logits;
  std::vector<std::size_t> at(totals_.size());
  const std::size_t each = logits_ops().size();
  std::size_t taken = 0;
  for (const compiler::Op* op : std::exchange(open_, {})) {
    if (op->returns == compiler::Returns::Logits) {
      if (taken++ % each == 0) logits.emplace_back(static_cast<std::size_t>(plan_.model.vocab));
      take_logits(*op, at, logits.back());
      continue;
    }
    for (std::size_t r = 0; r < at.size(); ++r)
      for (std::size_t k = 0; k < op->returned[r]; ++k)
        if (wafer_->outlet(static_cast<int>(r))[at[r]++] != 0)
          throw std::runtime_error("the wafer reports an error: " + wafer_->flags());
  }
  for (std::size_t r = 0; r < totals_.size(); ++r) wafer_->outlet(static_cast<int>(r)).clear();
  return logits;
}

std::span<const compiler::Op> Passes::logits_ops() const {
  const auto is_one = [](const compiler::Op& op) { return op.returns == compiler::Returns::Logits; };
  const auto first = std::ranges::find_if(plan_.ops, is_one), last = std::find_if_not(first, plan_.ops.end(), is_one);
  return {first, last};
}

void Passes::take_logits(const compiler::Op& op, std::vector<std::size_t>& at, std::vector<float>& logits) {
  const std::vector<std::vector<std::uint64_t>> token = compiler::gradient_parameters(op);
  for (std::size_t r = 0; r < at.size(); ++r) {
    for (std::size_t k = 0; k < op.returned[r]; ++k) {
      float& logit = logits[token[r][k]];
      logit = std::bit_cast<float>(wafer_->outlet(static_cast<int>(r))[at[r]++]);
      if (std::isfinite(logit)) continue;
      throw std::runtime_error(
          fmt::format("the logit of token {} is {}. HINT: these weights have diverged, take an "
                      "earlier checkpoint.",
                      token[r][k], logit));
    }
  }
}

}  // namespace weft::generate
