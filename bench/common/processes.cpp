#include "bench/common/processes.hpp"

#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "sw/base/quoted_lines.hpp"

namespace weft::bench {
namespace {

namespace asio = boost::asio;

class NoCredentials final : public swarmx::Credentials {
 public:
  asio::awaitable<swarmx::Secured> secure(swarmx::Socket socket, swarmx::JoinSide /*side*/, std::string /*peer*/,
                                          std::function<void()> progress) const override {
    if (progress) progress();
    auto channel = swarmx::plain_channel(std::move(socket));
    co_return swarmx::Secured{std::move(channel), nullptr};
  }
};

}  // namespace

Process::Process(const std::function<void()>& work) : id_(::fork()) {
  if (id_ < 0) throw std::runtime_error("cannot create a process");
  if (id_ > 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  int code = 0;
  try {
    work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "weft-bench, child process: %s\n", quoted_lines(error.what()).c_str());
    code = 1;
  }
  ::_exit(code);
}

Process::~Process() {
  ::kill(id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
}

void Process::signal(int number) const { ::kill(id_, number); }

JoiningProcess::JoiningProcess(const std::function<void(std::uint16_t port)>& work) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("cannot create a pipe");
  process_ = std::make_unique<Process>([&] {
    ::close(ends[1]);
    std::uint16_t port = 0;
    if (::read(ends[0], &port, sizeof port) == sizeof port) work(port);  // else destroyed before join()
  });
  ::close(ends[0]);
  port_pipe_ = ends[1];
}

void JoiningProcess::join(std::uint16_t port) {
  const bool sent = ::write(port_pipe_, &port, sizeof port) == sizeof port;
  ::close(std::exchange(port_pipe_, -1));
  if (!sent) throw std::runtime_error("a member's process has ended");
}

std::shared_ptr<const swarmx::Credentials> some_key() {
  std::string folder = (std::filesystem::temp_directory_path() / "weft_bench_XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
  const std::filesystem::path file = std::filesystem::path(folder) / "key";
  std::ofstream(file) << std::string(64, 'k');
  std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  auto credentials = swarmx::key_credentials(file);
  std::filesystem::remove_all(folder);
  return credentials;
}

std::shared_ptr<const swarmx::Credentials> no_key() { return std::make_shared<const NoCredentials>(); }

}  // namespace weft::bench
