/// The simulated swarm's processes and connections, and the faults injected into them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/swarmx/simulated/memory_process.hpp"
#include "tests/swarmx/simulated/processes.hpp"
#include "tests/swarmx/simulated/root_process.hpp"
#include "tests/swarmx/simulated/shape.hpp"

namespace weft::swarmx::simulated {

inline constexpr milliseconds kLimit{100000};  ///< a run that takes longer counts as hung

class Simulation {
 public:
  Simulation(std::uint64_t seed, const Shape& shape, const Without& without);
  /// Breaks the cycles of references between processes and connections.
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  Ending run(int faults, milliseconds length);

 private:
  template <class Kind, class... Arguments>
  std::shared_ptr<Kind> add(Arguments&&... arguments) {
    auto process = std::make_shared<Kind>(std::forward<Arguments>(arguments)...);
    processes_.push_back(process);
    return process;
  }
  void add_root();
  std::shared_ptr<WaferProcess> add_wafer();
  std::shared_ptr<NodeProcess> add_node(const std::string& name);
  std::shared_ptr<MemoryProcess> add_memory(std::size_t rank);
  std::shared_ptr<Connection> link(const std::shared_ptr<Connected>& parent, const std::shared_ptr<Connected>& child);
  void node_comes(const std::shared_ptr<NodeProcess>& node);
  void memory_comes(const std::shared_ptr<MemoryProcess>& memory);
  void connect(const std::shared_ptr<WaferProcess>& wafer);
  void go(const std::shared_ptr<WaferProcess>& wafer, const std::shared_ptr<NodeProcess>& node, std::size_t life,
          std::uint32_t member_id);
  void come_back(const std::shared_ptr<WaferProcess>& wafer);
  void refused(const std::string& why);

  // Faults; false: no process or connection was available for the fault.
  bool fault();
  bool connection_fault();
  bool wafer_fault(std::uint32_t kind);
  bool node_fault();
  bool memory_fault();
  void hurt(const std::shared_ptr<Connection>& connection);
  void kill(const std::shared_ptr<Process>& process);
  void restart_root();
  void stop(const std::shared_ptr<Process>& process);
  milliseconds a_while();

  template <class Things>
  auto any_of(const Things& things) {
    return things[world_.rng.below(static_cast<std::uint32_t>(things.size()))];
  }
  /// Null: none is alive.
  template <class Kind>
  std::shared_ptr<Kind> some(const std::vector<std::shared_ptr<Kind>>& all) {
    std::vector<std::shared_ptr<Kind>> alive;
    for (const auto& one : all)
      if (one->alive) alive.push_back(one);
    return alive.empty() ? nullptr : any_of(alive);
  }

  World world_;
  Shape shape_;
  Without without_;
  const compiler::Plan& plan_;
  Disk disk_;
  Ending ending_;
  std::vector<std::shared_ptr<Process>> processes_;  // all processes ever created
  std::shared_ptr<RootProcess> root_;
  std::vector<std::shared_ptr<NodeProcess>> nodes_;
  struct Port {
    std::shared_ptr<NodeProcess> node;
    std::size_t life = 0;
  };
  std::vector<Port> ports_;  // ports on which nodes listen
  std::vector<std::shared_ptr<WaferProcess>> wafers_;
  std::vector<std::shared_ptr<MemoryProcess>> memory_;
  std::vector<std::shared_ptr<Connection>> connections_;
};

}  // namespace weft::swarmx::simulated
