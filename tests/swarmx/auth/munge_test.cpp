/// Two MUNGE daemons with different keys, as on two clusters.
#include "host/swarmx/auth/munge.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/write.hpp>
#include <cstdlib>
#include <thread>

#include "host/swarmx/auth/handshake.hpp"
#include "tests/swarmx/auth/joining.hpp"
#include "tests/swarmx/relay/relay.hpp"

namespace weft::swarmx {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;

/// A munged whose key and socket are in a private folder.
class Daemon {
 public:
  explicit Daemon(char key) {
    std::filesystem::permissions(folder_.path(), static_cast<std::filesystem::perms>(0755));  // for other users
    const auto key_file = folder_.file("key", std::string(64, key));
    const auto option = [&](const char* name, const char* file) {
      return std::string(name) + (folder_.path() / file).string();
    };
    const std::vector<std::string> words{"munged",
                                         "--foreground",
                                         "--force",
                                         "--num-threads=1",
                                         "--key-file=" + key_file.string(),
                                         option("--socket=", "socket"),
                                         option("--pid-file=", "pid"),
                                         option("--log-file=", "log"),
                                         option("--seed-file=", "seed")};
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));  // exec changes nothing
    arguments.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // to end if the test is killed
      ::setenv("PATH", (std::string(std::getenv("PATH")) + ":/usr/sbin").c_str(), 1);
      const int log = ::open((folder_.path() / "errors").c_str(), O_WRONLY | O_CREAT, 0600);
      ::dup2(log, 2);
      ::execvp("munged", arguments.data());
      ::_exit(127);
    }
    while (!std::filesystem::exists(folder_.path() / "socket")) {
      int status = 0;
      if (::waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = -1;
        return;
      }
      std::this_thread::sleep_for(10ms);
    }
  }
  ~Daemon() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;
  bool runs() const { return pid_ >= 0; }
  std::string socket() const { return (folder_.path() / "socket").string(); }
  std::string errors() const {
    std::ifstream file(folder_.path() / "errors");
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  TemporaryFolder folder_;
  pid_t pid_ = -1;
};

struct UnderMunge : Joining {
  static std::unique_ptr<Daemon> daemon;
  Shared munge;

  static void TearDownTestSuite() { daemon.reset(); }
  void SetUp() override {
    if (std::system("PATH=$PATH:/usr/sbin; command -v munged >/dev/null") != 0)
      GTEST_SKIP() << "munged is not installed (scripts/setup slurm)";
    if (!daemon) daemon = std::make_unique<Daemon>('a');
    ASSERT_TRUE(daemon->runs()) << daemon->errors();
    munge = munge_credentials(daemon->socket());
  }
};
std::unique_ptr<Daemon> UnderMunge::daemon;

TEST_F(UnderMunge, TheSameUserIsLetIn) {
  listen(munge);
  const auto channel = join(munge, wafer);
  until([this] { return arrived.size() == 1; });
  EXPECT_EQ(arrived[0].hello.name, "wafer 1");
  drive(send(*channel, "up"));
  EXPECT_EQ(drive(receive(*arrived[0].channel, 2)), "up");
  drive(send(*arrived[0].channel, "down"));
  EXPECT_EQ(drive(receive(*channel, 4)), "down");
}

TEST_F(UnderMunge, AnotherJobIsRefusedWithBothValues) {
  listen(munge);
  Hello other = wafer;
  other.job = "b";
  EXPECT_SAYS(refused(munge, other), "rejects this process: job a here, b there");
}

TEST_F(UnderMunge, AnotherClusterIsRefused) {
  const Daemon another('b');
  ASSERT_TRUE(another.runs()) << another.errors();
  listen(munge);
  EXPECT_SAYS(refused(munge_credentials(another.socket()), wafer), "has no valid credential: Invalid credential. HINT");
  EXPECT_EQ(listener->rejected_peers().count(), 1);
  EXPECT_SAYS(listener->rejected_peers().last(), "has no valid credential: Invalid credential");
}

/// A rejected peer does not reconnect, whereas a daemon may be back in a moment.
TEST_F(UnderMunge, PeerIsNotRejectedWhileOurDaemonIsGone) {
  auto ours = std::make_unique<Daemon>('a');
  ASSERT_TRUE(ours->runs()) << ours->errors();
  listen(munge_credentials(ours->socket()));
  ours.reset();
  EXPECT_THROW(join(munge, wafer, 1s), PeerLost);
  EXPECT_GT(listener->rejected_peers().count(), 1) << "it comes again";
  EXPECT_SAYS(listener->rejected_peers().last(), "cannot be authenticated by its credential: ");
}

TEST_F(UnderMunge, AnotherUserIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be another user";
  listen(munge);
  tcp::socket socket(io);
  socket.connect({asio::ip::address_v4::loopback(), listener->port()});
  std::function<void()> no_progress;
  auto secured = drive(munge->secure(Socket(std::move(socket)), JoinSide::Connects, "us", no_progress));
  std::FILE* made =
      ::popen(("setpriv --reuid=65534 --clear-groups munge --string=x --socket=" + daemon->socket()).c_str(), "r");
  std::vector<std::uint8_t> credential(kMostProof);
  credential.resize(std::fread(credential.data(), 1, credential.size(), made));
  ASSERT_EQ(::pclose(made), 0);
  credential.pop_back();  // the newline
  const auto wire = encode_message(encode_hello(wafer), credential);
  drive(send(*secured.channel, std::string(wire.begin(), wire.end())));
  const JoinMessage answer = drive(receive_message({std::move(secured.channel), nullptr}, "the listener"));
  EXPECT_EQ(answer.kind, MessageKind::Rejected);
  EXPECT_SAYS(std::string(answer.body.begin(), answer.body.end()), "runs as user 65534, but this process as 0");
  EXPECT_TRUE(arrived.empty());
  EXPECT_EQ(listener->rejected_peers().count(), 1);
  EXPECT_SAYS(listener->rejected_peers().last(), "runs as user 65534, but this process as 0");
}

TEST_F(UnderMunge, ReplayedConnectionIsRejected) {
  listen(munge);
  std::string up;
  const auto seen = [&](bool is_up, std::span<const std::uint8_t> bytes) {
    if (is_up) up.append(bytes.begin(), bytes.end());
  };
  const auto relay = std::make_shared<Relay>(io.get_executor(), failure, 0, listener->port(), seen);
  relay->start();
  const auto channel = drive(connect_to("127.0.0.1", relay->port(), munge, wafer, 20s));
  relay->stop();
  tcp::socket socket(io);
  socket.connect({asio::ip::address_v4::loopback(), listener->port()});
  asio::write(socket, asio::buffer(up));
  until([this] { return listener->rejected_peers().count() == 1; });
  EXPECT_SAYS(listener->rejected_peers().last(), "has no valid credential: Replayed credential");
}

/// A valid credential that no daemon has seen, but of another side, message or connection.
TEST_F(UnderMunge, AProofIsOfItsSideMessageAndConnectionAlone) {
  listen(munge);
  std::vector<Secured> ends;
  const auto pair = [&]() -> asio::awaitable<void> {
    tcp::acceptor place(io, {asio::ip::address_v4::loopback(), 0});
    tcp::socket one(io);
    one.connect(place.local_endpoint());
    tcp::socket other = place.accept();
    std::optional<Secured> far;
    const auto listens = [&]() -> asio::awaitable<void> {
      std::function<void()> no_progress;
      far = co_await munge->secure(Socket(std::move(other)), JoinSide::Listens, "client", std::move(no_progress));
    };
    asio::co_spawn(io, listens(), failure.ending());
    std::function<void()> no_progress;
    ends.push_back(
        co_await munge->secure(Socket(std::move(one)), JoinSide::Connects, "server", std::move(no_progress)));
    asio::steady_timer timer(io);
    while (!far) {
      timer.expires_after(1ms);
      co_await timer.async_wait(asio::use_awaitable);
    }
    ends.push_back(std::move(*far));
  };
  drive(pair());
  drive(pair());
  const std::vector<std::uint8_t> message{1, 2, 3}, other{1, 2, 4};
  Proof &client = *ends[0].proof, &server = *ends[1].proof, &another = *ends[3].proof;
  EXPECT_NO_THROW(server.check(message, client.of(message)));
  EXPECT_NO_THROW(client.check(message, server.of(message)));
  const auto why = [](Proof& checks, const std::vector<std::uint8_t>& said, const std::vector<std::uint8_t>& proof) {
    try {
      checks.check(said, proof);
    } catch (const AuthError& error) {
      return std::string(error.what());
    }
    return std::string("good");
  };
  const std::string repeats = "repeats the credential of another connection or message";
  EXPECT_SAYS(why(server, other, client.of(message)), repeats);     // another message
  EXPECT_SAYS(why(another, message, client.of(message)), repeats);  // another connection
  EXPECT_SAYS(why(client, message, client.of(message)), repeats);   // our own, reflected
}

TEST_F(UnderMunge, ADaemonThatIsGoneEndsNothing) {
  auto own = std::make_unique<Daemon>('a');
  ASSERT_TRUE(own->runs()) << own->errors();
  const Shared credentials = munge_credentials(own->socket());
  listen(credentials);
  own.reset();
  try {
    join(credentials, wafer, 1s);
    ADD_FAILURE() << "it was let in";
  } catch (const PeerLost& error) {
    EXPECT_SAYS(std::string(error.what()), "cannot be sent a hello: MUNGE: ");
  }
  EXPECT_THROW(join(munge, wafer, 1s), PeerLost);  // the listener's daemon is gone
  EXPECT_GE(listener->rejected_peers().count(), 1);
}

TEST_F(UnderMunge, AKeyAndMungeDoNotMeet) {
  listen(munge);
  EXPECT_SAYS(refused(key, wafer),
              "is not authenticated: it does not use TLS. HINT: give all processes of a run the same key file; if they "
              "have it, another");
  listener->close();
  listen(key);
  try {
    join(munge, wafer, 1s);
    ADD_FAILURE() << "it was let in";
  } catch (const SwarmError&) {
    EXPECT_SAYS(listener->rejected_peers().last(), "is not authenticated: it does not use TLS");
  }
}

TEST(Munge, MissingDaemonIsReportedWithAHint) {
  try {
    munge_credentials("/nowhere/socket");
    ADD_FAILURE() << "it answered";
  } catch (const Refusal& why) {
    EXPECT_SAYS(std::string(why.what()), "MUNGE: ");
    EXPECT_SAYS(std::string(why.what()), "HINT: install munge, the same key on all machines, and start munged");
  }
}

}  // namespace
}  // namespace weft::swarmx
