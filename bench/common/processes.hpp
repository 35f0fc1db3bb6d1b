/// Child processes of a benchmark, and their credentials. They are forked, which requires that this process has one
/// thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/members/member.hpp"

namespace weft::bench {

/// Child process that executes `work` and exits; exceptions are printed. Killed when this object is destroyed, or with
/// its parent.
class Process {
 public:
  explicit Process(const std::function<void()>& work);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  void signal(int number) const;

 private:
  pid_t id_;
};

/// A process that begins its work, with the port of a swarm, after join().
class JoiningProcess {
 public:
  explicit JoiningProcess(const std::function<void(std::uint16_t port)>& work);
  void join(std::uint16_t port);
  void signal(int number) const { process_->signal(number); }

 private:
  int port_pipe_ = -1;  // the end that the port is written to
  std::unique_ptr<Process> process_;
};

/// A wafer in a process of its own.
class WaferProcess : public JoiningProcess {
 public:
  explicit WaferProcess(swarmx::MemberOptions options)
      : JoiningProcess([&](std::uint16_t port) {
          options.join.port = port;
          swarmx::run_member(options);
        }) {}
};

/// Credentials with a key in a temporary file.
std::shared_ptr<const swarmx::Credentials> some_key();
/// Credentials that admit every peer without encryption, as MUNGE does after its handshake.
std::shared_ptr<const swarmx::Credentials> no_key();

}  // namespace weft::bench
