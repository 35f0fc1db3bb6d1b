#include "host/appliance/generate/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sw/compiler/expand.hpp"
#include "sw/compiler/gradient_order.hpp"

namespace weft {

Generator::Generator(const Plan& plan, std::span<const float> parameters, std::unique_ptr<Wafer> wafer)
    : plan_(plan),
      wafer_(std::move(wafer)),
      parameters_(parameters),
      each_(static_cast<std::size_t>(plan.wafer.rows)),
      totals_(static_cast<std::size_t>(plan.wafer.rows)) {
  for (const Op& op : plan.ops)
    for (std::size_t r = 0; r < each_.size(); ++r) each_[r] += op.returned[r];
  wafer_->feed(plan.load);
  wafer_->settle();
}

std::vector<float> Generator::logits(std::span<const std::uint16_t> text) {
  wafer_->feed(plan_.text(text.last(std::min(text.size(), static_cast<std::size_t>(plan_.model.seq)))));
  std::vector<Message> messages;
  for (const Op& op : plan_.ops)
    for (Expansion expansion(op); expansion.next(parameters_, messages); messages.clear()) wafer_->feed(messages);
  for (std::size_t r = 0; r < totals_.size(); ++r) totals_[r] += each_[r];
  wafer_->await(totals_);
  std::vector<float> logits(static_cast<std::size_t>(plan_.model.vocab));
  std::vector<std::size_t> at(totals_.size());
  for (const Op& op : plan_.ops) take(op, at, logits);
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
