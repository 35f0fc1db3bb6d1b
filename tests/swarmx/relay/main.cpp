/// weft-relay LISTEN_PORT TARGET_PORT: prints the port it listens on (0: any), then executes each line of its input (a
/// command of relay.hpp, or `quit`) and answers with `ok` or an error.
#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "tests/swarmx/relay/relay.hpp"

namespace weft::swarmx {
namespace {

std::uint16_t port_of(const char* text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), port);
  if (error != std::errc() || *end != '\0') throw std::invalid_argument(std::string(text) + " is not a port");
  return port;
}

/// Executes commands until the end of the input.
asio::awaitable<void> obey(std::shared_ptr<Relay> relay) {
  asio::posix::stream_descriptor input(co_await asio::this_coro::executor, ::dup(STDIN_FILENO));
  std::string text;
  for (;;) {
    auto [error, size] =
        co_await asio::async_read_until(input, asio::dynamic_buffer(text), '\n', asio::as_tuple(asio::use_awaitable));
    if (error) break;
    const std::string line = text.substr(0, size - 1);
    text.erase(0, size);
    if (line == "quit") break;
    const std::string wrong = relay->command(line);
    std::printf("%s\n", wrong.empty() ? "ok" : wrong.c_str());
    std::fflush(stdout);
  }
  relay->stop();
}

void run(const char* listen, const char* target) {
  asio::io_context io(1);
  FirstFailure failure([&io] { io.stop(); });
  const auto relay = std::make_shared<Relay>(io.get_executor(), failure, port_of(listen), port_of(target));
  std::printf("%u\n", unsigned{relay->port()});
  std::fflush(stdout);
  relay->start();
  asio::co_spawn(io, obey(relay), failure.ending());
  io.run();
  failure.check();
}

}  // namespace
}  // namespace weft::swarmx

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: weft-relay LISTEN_PORT TARGET_PORT\n");
    return 2;
  }
  try {
    weft::swarmx::run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "weft-relay: %s\n", error.what());
    return 1;
  }
  return 0;
}
