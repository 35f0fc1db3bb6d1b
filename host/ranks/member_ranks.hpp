/// The ranks other than the root: one may read the data, others hold parts of MemoryX, are nodes of the reduction tree,
/// or are wafers.
#pragma once

#include <iosfwd>
#include <string>

#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "host/ranks/joining.hpp"
#include "host/ranks/ranks.hpp"
#include "host/swarmx/tree/worker_loop.hpp"

namespace weft::ranks {

/// Identifies what root and data rank must have in common: the tokens, and the order and data sets from which they are
/// taken.
std::string data_name(const config::Config& config, const data::TrainingData& data);

/// Joins the run and provides the root with the tokens of its micro-batches until the run ends. Returns the exit code.
/// Logs to `out`. Throws as run_data_member, and Refusal if there is no such data.
int run_data_rank(const config::Config& config, const Joining& joining, std::ostream& out);

/// Joins the run and holds the tensors assigned to it until the run ends. Returns the exit code. Logs to `out`. After a
/// signal, notifies the root, which saves a checkpoint before this rank leaves. Throws as run_memory_member.
int run_memory_rank(const config::Config& config, const Ranks& ranks, const Joining& joining, std::ostream& out);

/// Joins the run and forwards until the run ends. Returns the exit code. Logs to `out`. Leaves after a signal, as a
/// wafer does. Throws as run_node_member.
int run_node_rank(const config::Config& config, const Ranks& ranks, const Joining& joining, std::ostream& out);

/// Joins the run and computes until the run ends. Returns the exit code. Logs to `out`. After a signal, leaves when the
/// root stops, or after some seconds. Throws as run_member.
int run_wafer_rank(const config::Config& config, const Ranks& ranks, const Joining& joining,
                   const swarmx::MakeWafer& make_wafer, std::ostream& out);

}  // namespace weft::ranks
