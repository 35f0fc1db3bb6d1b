/// A tree of fake wafers whose root and wafers are separate processes.
///
///   fault_injection_peer KEY_FILE root WAFERS LOCAL STEPS   MemoryX, the tree and the first wafers; prints
///   where others join
///   fault_injection_peer KEY_FILE leaf ID PORT              one of the others
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>

#include "host/swarmx/members/member.hpp"
#include "tests/swarmx/fake.hpp"

namespace weft::fault_injection {
namespace {

constexpr std::uint32_t kMicroBatches = 6;
constexpr int kSilence = 2;  // seconds of silence after which a peer is considered lost

/// Sets the silence deadline, in options that have one.
template <class Options>
void set_silence(Options& options) {
  if constexpr (requires { options.silence; }) options.silence = std::chrono::seconds(kSilence);
}

int root(const std::string& key, int wafers, int local, int steps) {
  const compiler::Plan plan = swarmx::fake_plan();
  swarmx::SwarmOptions options = swarmx::fake_swarm(plan, wafers, 2, kMicroBatches, 1);
  options.local_wafers = local;
  options.credentials = swarmx::key_credentials(key);
  options.job = "fault_injection";
  options.timeout = std::chrono::seconds(3);
  set_silence(options);
  memoryx::MemoryX memoryx(plan, {});
  swarmx::Swarm swarm(plan, options);
  if (local < wafers) std::cout << "port " << swarm.port() << std::endl;
  for (int step = 1; step <= steps; ++step) {
    const swarmx::StepResult result = swarm.step(static_cast<std::uint64_t>(step - 1), memoryx);
    std::cout << step << ' ' << std::fixed << result.loss << std::endl;
  }
  std::cout << "state " << memoryx.hash() << std::endl;
  return 0;
}

int leaf(const std::string& key, int id, int port) {
  const compiler::Plan plan = swarmx::fake_plan();
  swarmx::MemberOptions member{.id = id,
                               .make_wafer = swarmx::fake_swarm(plan, id + 1, 2, kMicroBatches, 1).make_wafer,
                               .join = {.port = static_cast<std::uint16_t>(port),
                                        .credentials = swarmx::key_credentials(key),
                                        .job = "fault_injection",
                                        .digest = 0}};
  set_silence(member.join);
  member.join.timeout = std::chrono::seconds(kSilence);
  swarmx::run_member(member);
  return 0;
}

}  // namespace
}  // namespace weft::fault_injection

int main(int argc, char** argv) {
  try {
    const std::string what = argc > 2 ? argv[2] : "";
    if (what == "root" && argc == 6)
      return weft::fault_injection::root(argv[1], std::stoi(argv[3]), std::stoi(argv[4]), std::stoi(argv[5]));
    if (what == "leaf" && argc == 5)
      return weft::fault_injection::leaf(argv[1], std::stoi(argv[3]), std::stoi(argv[4]));
    std::cerr << "fault_injection_peer: no such part. HINT: root or leaf.\n";
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "swarm: " << e.what() << '\n';
    return 1;
  }
}
