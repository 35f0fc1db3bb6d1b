/// A configuration that is ready to run: with all choices made, and its wafers.
#pragma once

#include <memory>
#include <sstream>

#include "host/board/wafer/link_traffic.hpp"
#include "host/library/config_impl.hpp"
#include "host/ranks/run_context.hpp"
#include "host/swarmx/tree/worker_loop.hpp"
#include "weft/log.hpp"

namespace weft::library {

class Prepared {
 public:
  /// Resolves the settings that are auto, as `weft run` does. Throws Refusal.
  Prepared(ReadConfig read, Log log);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  const ReadConfig& read() const { return read_; }
  const config::Config& config() const { return read_.config; }
  const ranks::RunContext& context() const { return context_; }
  /// Creates wafers, for the life of this object.
  swarmx::MakeWafer make_wafer() const;

  /// Receives what `weft` prints.
  std::ostream& out() { return out_; }
  /// Passes on the lines that were printed since the last call.
  void pass_on();

 private:
  ReadConfig read_;
  const Log log_;
  std::ostringstream out_;
  ranks::RunContext context_;
  const std::shared_ptr<board::LinkTraffic> traffic_ = std::make_shared<board::LinkTraffic>();
};

}  // namespace weft::library
