#include "host/ranks/member_ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <ostream>
#include <utility>

#include "host/data/load_data.hpp"
#include "host/ranks/leave.hpp"
#include "host/ranks/log_line.hpp"
#include "host/swarmx/auth/join.hpp"
#include "host/swarmx/members/data_member.hpp"
#include "host/swarmx/members/member.hpp"
#include "host/swarmx/members/node_member.hpp"
#include "host/swarmx/memory/member.hpp"
#include "host/system/signals.hpp"

namespace weft::ranks {
namespace {

/// Options with which a rank other than the root joins the run. Logs to `out`, which must outlive the result. After a
/// signal the rank leaves (leave.hpp).
swarmx::JoinOptions join_options(const config::Config& config, const Joining& joining, std::ostream& out) {
  return {.address = joining.address,
          .port = joining.ports.front(),
          .other_ports = joining.other_ports(),
          .credentials = joining.credentials,
          .job = joining.job,
          .build = joining.build,
          .digest = joining.digest,
          .silence = config.swarm_silence(),
          .timeout = config.swarm_timeout(),
          .say = [&out](const std::string& line) { out << log_line(line) << std::flush; },
          .leave = leave_after_grace(),
          .on_hang =
              [&out](const std::string& why) {
                out << log_line(why + " This process ends.") << std::flush;
                std::_Exit(1);  // a normal exit would wait for the thread that hangs
              }};
}

}  // namespace

std::string data_name(const config::Config& config, const data::TrainingData& data) {
  const std::string assigned = data.sets() == 1 ? "" : fmt::format(", assigned {}", fmt::join(data.parts(), ":"));
  return fmt::format("data {:08x}, {} of {}, {} {}{}", data.checksum(), config.train_input.batch_size, config.model.seq,
                     config.train_input.shuffle ? "seed" : "in order", config.train_input.seed, assigned);
}

int run_data_rank(const config::Config& config, const Joining& joining, std::ostream& out) {
  const data::TrainingData data = data::load_training_data(config);
  catch_interrupts_of_rank();
  swarmx::run_data_member(
      {.name = data_name(config, data),
       .get =
           [&data](const swarmx::BatchRequest& request) {
             data::Batch batch = data.micro_batch_at(request.position, static_cast<int>(request.micro_batch));
             return swarmx::MicroBatch{std::move(batch.inputs), std::move(batch.labels), batch.class_weight};
           },
       .join = join_options(config, joining, out)});
  return log_rank_end(out);
}

int run_memory_rank(const config::Config& config, const Ranks& ranks, const Joining& joining, std::ostream& out) {
  catch_interrupts_of_memory_rank();
  swarmx::run_memory_member({.id = joining.memory_index(ranks),
                             .threads = static_cast<unsigned>(config.memoryx_threads),
                             .join = join_options(config, joining, out),
                             .why = [] { return system::was_signalled() ? system::signal_name() : std::string(); }});
  return log_memory_rank_end(out);
}

int run_node_rank(const config::Config& config, const Ranks& ranks, const Joining& joining, std::ostream& out) {
  catch_interrupts_of_rank();
  swarmx::run_node_member({.id = joining.node_index(ranks),
                           .straggler = config.swarmx_straggler,
                           .join = join_options(config, joining, out)});
  return log_rank_end(out);
}

int run_wafer_rank(const config::Config& config, const Ranks& ranks, const Joining& joining,
                   const swarmx::MakeWafer& make_wafer, std::ostream& out) {
  catch_interrupts_of_rank();
  swarmx::run_member(
      {.id = joining.wafer_index(ranks), .make_wafer = make_wafer, .join = join_options(config, joining, out)});
  return log_rank_end(out);
}

}  // namespace weft::ranks
