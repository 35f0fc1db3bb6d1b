/// A listener and connecting peers, on one thread.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/swarmx/auth/auth_error.hpp"
#include "host/swarmx/auth/connect.hpp"
#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/auth/listener.hpp"
#include "sw/base/failure.hpp"
#include "sw/base/refusal.hpp"
#include "tests/says.hpp"

namespace weft::swarmx {

/// A folder that exists during the lifetime of this object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "weft_auth_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path file(const std::string& name, const std::string& text, int mode = 0600) const {
    const auto path = path_ / name;
    std::ofstream(path) << text;
    std::filesystem::permissions(path, static_cast<std::filesystem::perms>(mode));
    return path;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct Joining : testing::Test {
  using Shared = std::shared_ptr<const Credentials>;
  struct Arrival {
    Hello hello;
    std::unique_ptr<Channel> channel;
  };

  asio::io_context io{1};
  FirstFailure failure;
  TemporaryFolder folder;
  Shared key = key_credentials(folder.file("key", std::string(64, 'k')));
  Shared other_key = key_credentials(folder.file("other_key", std::string(63, 'k') + "l"));
  Hello here{.version = 3, .plan = 0x0123456789abcdef, .job = "a", .role = "", .name = ""};
  Hello wafer{.version = 3, .plan = 0x0123456789abcdef, .job = "a", .role = "wafer", .name = "wafer 1"};
  std::shared_ptr<Listener> listener;
  std::vector<Arrival> arrived;
  std::string refusal;  ///< for all peers whose hello matches
  std::vector<std::string> log;

  void listen(const Shared& credentials, const ListenerOptions& options = {}) {
    Guests guests;
    guests.admit = [this](const Hello&) { return refusal; };
    guests.arrived = [this](Hello who, std::unique_ptr<Channel> channel) {
      arrived.push_back({std::move(who), std::move(channel)});
    };
    guests.log = [this](const std::string& line) { log.push_back(line); };
    listener = std::make_shared<Listener>(io.get_executor(), failure, credentials, here, guests, options);
    asio::co_spawn(io, listener->open(), failure.ending());
  }

  /// Returns or rethrows the result of `work`; all other work on `io` continues meanwhile.
  template <class T>
  T drive(asio::awaitable<T> work) {
    std::exception_ptr thrown;
    std::optional<T> result;
    bool done = false;
    asio::co_spawn(io, std::move(work), [&](std::exception_ptr failed, T value) {
      done = true;
      thrown = failed;
      result.emplace(std::move(value));
    });
    until([&] { return done; });
    if (thrown) std::rethrow_exception(thrown);
    return std::move(*result);
  }
  void drive(asio::awaitable<void> work) {
    std::exception_ptr thrown;
    bool done = false;
    asio::co_spawn(io, std::move(work), [&](std::exception_ptr failed) {
      done = true;
      thrown = failed;
    });
    until([&] { return done; });
    if (thrown) std::rethrow_exception(thrown);
  }
  /// Runs all work on `io` until `so` holds.
  void until(const std::function<bool()>& so) {
    while (!so()) {
      if (io.stopped()) io.restart();
      if (io.run_one() == 0 && !so()) throw std::logic_error("there is nothing left to wait for");
    }
  }

  std::unique_ptr<Channel> join(const Shared& credentials, const Hello& hello,
                                std::chrono::milliseconds deadline = std::chrono::seconds(20)) {
    return drive(connect_to("127.0.0.1", listener->port(), credentials, hello, deadline));
  }
  /// The reason for which a peer is rejected, or "in".
  std::string refused(const Shared& credentials, const Hello& hello) {
    try {
      join(credentials, hello);
    } catch (const AuthError& why) {
      return why.what();
    }
    return "in";
  }

  void TearDown() override {
    if (listener) listener->close();
    arrived.clear();
    io.restart();
    io.run();  // all work in progress ends
    failure.check();
  }
};

/// Sends all of `text` on `to`; the next function receives `size` bytes.
inline asio::awaitable<void> send(Channel& to, std::string text) {
  const asio::const_buffer buffer = asio::buffer(text);
  if (const auto error = co_await to.write({&buffer, 1})) throw boost::system::system_error(error);
}
inline asio::awaitable<std::string> receive(Channel& from, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  if (const auto read = co_await from.read(bytes, size); read.error) throw boost::system::system_error(read.error);
  co_return std::string(bytes.begin(), bytes.end());
}

}  // namespace weft::swarmx
