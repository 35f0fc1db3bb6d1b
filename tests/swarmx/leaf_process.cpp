/// A fake wafer as a separate process, to be stopped and killed: swarmx_leaf ID PORT KEY_FILE
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "host/swarmx/members/member.hpp"
#include "tests/swarmx/fake.hpp"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const weft::compiler::Plan plan = weft::swarmx::fake_plan();
  try {
    weft::swarmx::MemberOptions member{.id = std::atoi(argv[1]),
                                       .make_wafer = weft::swarmx::fake_swarm(plan, 1, 2, 1, 0).make_wafer,
                                       .join = {.port = static_cast<std::uint16_t>(std::atoi(argv[2])),
                                                .credentials = weft::swarmx::key_credentials(argv[3]),
                                                .job = "test",
                                                .silence = std::chrono::seconds(1),
                                                .timeout = std::chrono::seconds(2)}};
    weft::swarmx::run_member(member);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
