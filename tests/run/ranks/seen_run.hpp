/// A run of several processes, and the output of `weft status` about it.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "host/metrics/status/read_status.hpp"
#include "host/swarmx/auth/auth_error.hpp"
#include "host/swarmx/auth/connect.hpp"
#include "host/swarmx/auth/join.hpp"
#include "sw/base/failure.hpp"
#include "tests/run/restart.hpp"
#include "tests/swarmx/reserved_port.hpp"

namespace weft::test {

namespace asio = boost::asio;
using Json = nlohmann::json;
using Process = std::unique_ptr<StartedProgram>;

/// Status of the run in `folder`, as `weft status --json` prints it. Read in this process: polling with `weft status`
/// took more of the processor than the run itself. Null, and the reason in `why`, if there is none.
inline Json status_of(const std::filesystem::path& folder, std::string& why) {
  try {
    const auto status = metrics::read_status(folder);
    why = status.dump();
    return Json::parse(why);
  } catch (const std::exception& problem) {
    why = problem.what();
    return {};
  }
}

/// Rank 0 is the root, rank 1 the data, then follow ranks of MemoryX, nodes and wafers; no process ends by itself.
class SeenRun : public Restart {
 protected:
  explicit SeenRun(int nodes, int wafers, Names more = {}, int memory = 0)
      : memory_(memory), nodes_(nodes), wafers_(wafers), more_(std::move(more)) {
    checkpoint::write_text(folder_ / "key", std::string(64, 'k'));
    std::filesystem::permissions(folder_ / "key", std::filesystem::perms::owner_read);
  }
  Process start(int rank) {
    Names more = {"--swarmx.key_file",
                  folder_ / "key",
                  "--swarmx.timeout",
                  "60",
                  "--swarmx.min_csx",
                  "1",
                  "--runconfig.checkpoint_steps",
                  "50",
                  "--memoryx.ranks",
                  std::to_string(memory_),
                  "--swarmx.nodes",
                  std::to_string(nodes_)};
    more.insert(more.end(), more_.begin(), more_.end());
    const Names environment = {"RANK=" + std::to_string(rank),
                               "WORLD_SIZE=" + std::to_string(2 + memory_ + nodes_ + wafers_), "MASTER_ADDR=127.0.0.1",
                               "MASTER_PORT=" + std::to_string(port_.number())};
    const std::string errors = folder_ / ("errors_" + std::to_string(started_++));
    return std::make_unique<StartedProgram>(words("out", 1'000'000, wafers_, more), errors, 0, 0, environment,
                                            rank == 0 ? folder_ / "root.txt" : "/dev/null");
  }
  /// The reason for which the root rejects an authenticated peer with this hello.
  std::string refused(swarmx::Hello hello) const {
    asio::io_context io{1};
    std::string why;
    const auto join = [&]() -> asio::awaitable<void> {
      try {
        co_await swarmx::connect_to("127.0.0.1", port_.number(), swarmx::key_credentials(folder_ / "key"),
                                    std::move(hello), std::chrono::seconds(20));
      } catch (const swarmx::AuthError& refusal) {
        why = refusal.what();
      }
    };
    FirstFailure failure;
    asio::co_spawn(io, join(), failure.ending());
    io.run();
    failure.check();
    return why;
  }
  /// The output of `weft status`, or its errors if its exit code is not 0.
  std::string status(const Names& more = {}) {
    Names words = {"status", "--model_dir", folder_ / "out"};
    words.insert(words.end(), more.begin(), more.end());
    StartedProgram program(words, folder_ / "status_errors");
    return program.wait() == 0 ? program.rest() : program.errors();
  }
  /// The first status for which `ready` holds; fails after a minute.
  template <class Ready>
  Json when(const Ready& ready) {
    std::string text;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      const Json json = status_of(folder_ / "out", text);
      if (json.is_object() && ready(json)) return json;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ADD_FAILURE() << text;
    return {};
  }
  /// The entry of a rank other than the root.
  static const Json& of(const Json& status, int rank) {
    return status.at("ranks").at(static_cast<std::size_t>(rank - 1));
  }
  /// True if all ranks but the root are connected.
  static bool all_here(const Json& status) {
    return std::ranges::all_of(status.at("ranks"), [](const Json& rank) { return rank.at("state") == "here"; });
  }
  /// Waits up to half a minute for `text` in the program's errors.
  static void expect_soon(const StartedProgram& program, const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (program.errors().find(text) == std::string::npos && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_SAYS(program.errors(), text);
  }
  std::string log(int rank) const {
    return checkpoint::text_of(folder_ / ("out/logs/rank_" + std::to_string(rank) + ".log"));
  }

 private:
  swarmx::ReservedPort port_;
  int memory_, nodes_, wafers_;
  Names more_;
  int started_ = 0;
};

}  // namespace weft::test
