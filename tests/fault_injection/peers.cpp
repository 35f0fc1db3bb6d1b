/// Wafers in other processes that stop, die or send garbage.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "tests/fault_injection/faulty_run.hpp"
#include "tests/fault_injection/verdict.hpp"
#include "tests/swarmx/remote.hpp"

namespace weft::fault_injection {
namespace {

constexpr Milliseconds kDeadline = kHang * 2 / 5;  // for an end that the tree's own deadlines cause

enum Peer { Stopped, Pauses, Killed, SendsGarbage, RootKilled };

Start part(std::vector<std::string> words) {
  words.insert(words.begin(), swarmx::test_key().file());
  return {.program = WEFT_FAULT_INJECTION_PEER, .folder = "/", .words = words};
}

std::string state_line(const std::string& out) {
  const std::size_t at = out.find("state ");
  return at == std::string::npos ? "" : out.substr(at);
}

/// Final state line of a run with all wafers in one process.
const std::string& reference(int steps) {
  static std::mutex mutex;
  static std::map<int, std::string> all;
  const std::lock_guard lock(mutex);
  std::string& one = all[steps];
  if (one.empty()) one = state_line(run(part({"root", "2", "2", std::to_string(steps)})).out);
  return one;
}

/// Connects and sends random bytes instead of a frame; keeps the connection open for its lifetime.
class Garbage {
 public:
  Garbage(int port, test::Rng& rng) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return;
    std::string bytes(rng.below(4000), '\0');
    for (char& byte : bytes) byte = static_cast<char>(rng.next());
    [[maybe_unused]] const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  ~Garbage() { close(fd_); }
  Garbage(const Garbage&) = delete;
  Garbage& operator=(const Garbage&) = delete;

 private:
  int fd_;
};

class Tree {
 public:
  Tree(std::uint64_t seed, Peer how, bool loud) : rng_(test::mix(seed)), how_(how), loud_(loud) {}

  Outcome play(const Kind& kind) {
    const int local = static_cast<int>(rng_.below(3)), remote = 1 + static_cast<int>(rng_.below(3));
    const int steps = how_ == RootKilled ? 1000000 : 20;
    others_ = local + remote - 1;
    Process root(part({"root", std::to_string(local + remote), std::to_string(local), std::to_string(steps)}));
    const int bad = local + static_cast<int>(rng_.below(static_cast<std::uint32_t>(remote)));
    std::unique_ptr<Garbage> garbage;
    const bool before = rng_.chance(50);
    std::vector<std::unique_ptr<Process>> leaves;
    const std::string line = root.line_with("port ");
    const bool listens = sscanf(line.c_str(), "port %d", &port_) == 1;
    for (int id = local; listens && id < local + remote; ++id) {
      if (id == bad && how_ == SendsGarbage && before) garbage = std::make_unique<Garbage>(port_, rng_);
      leaves.push_back(std::make_unique<Process>(part({"leaf", std::to_string(id), std::to_string(port_)})));
    }
    Outcome outcome{.kind = &kind, .state = Outcome::TooLate};
    const bool reached = root.reach(1 + static_cast<int>(rng_.below(5))) || garbage;
    if (leaves.size() == static_cast<std::size_t>(remote) && reached) {
      std::this_thread::sleep_for(std::chrono::microseconds(rng_.below(5000)));
      if (how_ == SendsGarbage && !garbage) garbage = std::make_unique<Garbage>(port_, rng_);
      inject(root, *leaves[static_cast<std::size_t>(bad - local)]);
      outcome.state = Outcome::Injected;
    }
    const End end = root.finish(kDeadline);
    log(fmt::format("root ends with {}: {}", end.code, end.errors));
    outcome.code = end.code;
    outcome.equal = end.code == 0 && state_line(end.out) == reference(steps);
    judge_root(end, outcome, bad);
    for (std::size_t i = 0; i < leaves.size(); ++i)
      judge_leaf(*leaves[i], how_ == Killed || how_ == Stopped ? bad - local == static_cast<int>(i) : false);
    return outcome;
  }

  std::vector<std::string> complaints;

 private:
  void inject(const Process& root, const Process& leaf) {
    if (how_ == Stopped || how_ == Pauses) leaf.kill(SIGSTOP);
    if (how_ == Killed) leaf.kill(SIGKILL);
    if (how_ == RootKilled) root.kill(SIGKILL);
    if (how_ != Pauses) return;
    std::this_thread::sleep_for(Milliseconds(rng_.below(500)));
    leaf.kill(SIGCONT);
  }

  void judge_root(const End& end, const Outcome& outcome, int bad) {
    if (end.hung) return complain("hangs");
    if (how_ == RootKilled) return;
    const bool lost = how_ == Stopped || how_ == Killed;
    if (end.code == 0 && !outcome.equal) complain("ends with 0 and other bits");
    if (end.code == 0) return;
    if (end.code != 1 || !lost || others_ > 0) return complain(fmt::format("ends with {} | {}", end.code, end.errors));
    const auto lines = problem_lines(end.errors);
    if (lines.size() != 1 || !is_clear(lines[0])) return complain("ends without one clear line | " + end.errors);
    if (lines[0].find(fmt::format("wafer {}", bad)) == std::string::npos) {
      complain("does not name the peer | " + lines[0]);
    }
  }

  /// Checks that a leaf ends when its parent is gone.
  void judge_leaf(Process& leaf, bool faulty) {
    const End end = leaf.finish(faulty ? Milliseconds(0) : kDeadline);
    if (faulty) return;
    log(fmt::format("leaf ends with {}: {}", end.code, end.errors));
    if (end.hung) return complain("a wafer hangs after its parent has gone");
    if (end.code != 0 && end.code != 1) complain(fmt::format("a wafer ends with {}", end.code));
  }

  void complain(const std::string& text) {
    log("WRONG: " + text);
    complaints.push_back(text);
  }
  void log(const std::string& text) const {
    if (loud_) std::printf("  %s\n", text.c_str());
  }

  test::Rng rng_;
  Peer how_;
  bool loud_;
  int port_ = 0;
  int others_ = 0;  // number of wafers other than the faulty one
};

Kind peer(const std::string& name) { return {name, Kind::Peers, nullptr}; }

}  // namespace

std::vector<Kind> peer_kinds() {
  return {peer("peer stopped"), peer("peer pauses"), peer("peer killed"), peer("peer sends garbage"),
          peer("peers' root killed")};
}

Report peer_run(std::uint64_t seed, const Kind& kind, bool loud) {
  const auto names = peer_kinds();
  const auto at = std::ranges::find(names, kind.name, &Kind::name);
  Report report;
  Tree tree(seed, static_cast<Peer>(at - names.begin()), loud);
  report.outcomes.push_back(tree.play(kind));
  for (const std::string& text : tree.complaints) report.violations.push_back({kind.name, text, seed});
  return report;
}

}  // namespace weft::fault_injection
