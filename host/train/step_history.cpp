#include "host/train/step_history.hpp"

#include <fmt/format.h>

#include "host/config/plural.hpp"

namespace weft::train {

void StepHistory::resume(std::uint64_t done, std::optional<std::uint64_t> last_mask_update) {
  done_ = done;
  last_mask_update_ = last_mask_update;
}

/// The average decays by a tenth per step.
void StepHistory::add_loss(std::uint64_t step, double loss, double max_jump) {
  if (max_jump == 0) return;
  if (average_loss_ && loss > *average_loss_ + max_jump) {
    throw memoryx::Diverged(fmt::format(
        "step {}: the loss has jumped to {:.5f} from {:.5f}, the average of the previous losses. HINT: lower "
        "optimizer.learning_rate, or set runconfig.on_divergence skip or rollback, and continue with "
        "--allow_other_bits.",
        step, loss, *average_loss_));
  }
  average_loss_ = average_loss_ ? 0.9 * *average_loss_ + 0.1 * loss : loss;
}

void StepHistory::settle() {
  if (!unsettled_->skipped) rolled_back_ = 0;
  unsettled_.reset();
  ++done_;
}

void StepHistory::count_skip(const memoryx::Diverged& why) {
  if (++skipped_ > kMostSkipped) {
    throw memoryx::Diverged(
        fmt::format("{} in a row have diverged, the last with: {}", config::plural(skipped_, "step"), why.what()));
  }
}

bool StepHistory::count_roll_back() { return !evaluation_diverged_ && ++rolled_back_ <= kMostSkipped; }

void StepHistory::end_roll_back() {
  unsettled_.reset();
  diverged_ = false;
  ++done_;
}

}  // namespace weft::train
