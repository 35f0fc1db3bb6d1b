/// Processes of a benchmark, and how they know each other. Forked off as this one is, so while it has one thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/member.hpp"

namespace weft::bench {

/// Does `work`, and ends; what it throws it prints. Is killed when this is destroyed, or with its parent.
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

/// A wafer in a process of its own, which joins where it is told.
class WaferProcess {
 public:
  explicit WaferProcess(MemberOptions options);
  void join(std::uint16_t port);
  void signal(int number) const { process_->signal(number); }

 private:
  int told_ = -1;  // a pipe's end
  std::unique_ptr<Process> process_;
};

/// Of a key in a temporary file.
std::shared_ptr<const Credentials> some_key();
/// Everybody is let in, and what is said is plain, as MUNGE leaves it.
std::shared_ptr<const Credentials> no_key();

}  // namespace weft::bench
