#include "host/train/train.hpp"

#include <fmt/format.h>

#include <exception>
#include <ostream>
#include <string>

#include "host/config/plural.hpp"
#include "host/ranks/joining.hpp"
#include "host/ranks/member_ranks.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/system/signals.hpp"
#include "host/train/session.hpp"
#include "host/train/steps.hpp"
#include "sw/base/refusal.hpp"

namespace weft::train {
namespace {

/// Returns the exit code that `work` returns, and writes the outcome to the run's status.
template <class Work>
int with_outcome(Session& session, const Work& work) {
  try {
    const int code = work();
    session.end_status(code == 0 ? "done" : "interrupted");
    return code;
  } catch (const swarmx::MemoryLeaves&) {
    session.end_status("interrupted");
    throw;
  } catch (const std::exception& failure) {
    session.end_status(fmt::format("failed: {}", failure.what()));
    throw;
  }
}

/// Throws MemoryLeaves if the run was interrupted because a MemoryX rank leaves: that rank is now missing, and the
/// others wait for the next root. After a signal to the root all ranks end instead.
void check_left(const Trainer& trainer) {
  const std::string who = trainer.cluster().leaving_memory_rank();
  if (who.empty() || system::was_signalled()) return;
  throw swarmx::MemoryLeaves(
      fmt::format("swarmx MemoryX: {} was asked to end, so the run ends. HINT: the same command continues; "
                  "the other ranks wait for the root.",
                  who));
}

int run(const config::Config& config, const swarmx::MakeWafer& make_wafer, std::ostream& out,
        const ranks::RunContext& context, const TrainOptions& options) {
  const auto total = static_cast<std::uint64_t>(config.runconfig.steps());
  Session session(config, out, context, options);
  if (session.first() >= total) {
    session.complete();
    out << fmt::format(
        "done    {}, of {} asked for; a larger --num_steps continues, another --model_dir starts a new run\n",
        config::plural(session.first(), "step"), total);
    if (context.joining) ranks::reject_ranks(config, *context.joining);
    return 0;
  }
  session.prepare(make_wafer);
  return with_outcome(session, [&] {
    if (!session.begin()) return system::kInterruptedExit;
    system::catch_interrupts();  // before this point there was nothing to save
    session.print_header();
    const int code = run_steps(session.run(), total, out);
    if (code == system::kInterruptedExit) check_left(session.trainer());
    return code;
  });
}

}  // namespace

int train(const config::Config& config, const swarmx::MakeWafer& make_wafer, std::ostream& out,
          const ranks::RunContext& context, const TrainOptions& options) {
  try {
    return run(config, make_wafer, out, context, options);
  } catch (const Refusal& e) {
    throw Session::placed(config, context, e);
  }
}

}  // namespace weft::train
