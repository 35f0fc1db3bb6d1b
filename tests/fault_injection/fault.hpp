/// Fault: one injected fault, as hooks around one start of the program (a session).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tests/fault_injection/scene.hpp"

namespace weft::fault_injection {

/// One start of the program in a scene, and the outcomes that are allowed. Faults widen them.
struct Session {
  Scene& scene;
  Start start;
  std::set<int> codes = {0};
  int asked = 0;                        ///< total steps that its command asks for
  int first = 0;                        ///< steps of the newest checkpoint before the start
  bool was_there = false;               ///< model_dir existed before the start
  bool saves = true;                    ///< every reported step is saved when the program ends
  bool heard = true;                    ///< the test reads the program's output
  bool alone = true;                    ///< the only fault of the session
  bool foreign = false;                 ///< trains on different inputs: only the fault itself compares the bits
  bool replaced = false;                ///< another run has finished in its folder: exit code 0 is wrong
  std::vector<std::string> names = {};  ///< text that the error line must contain, if this is the only fault

  /// Reports `text` as a violation unless `so` holds.
  void expect(bool so, const std::string& text) const {
    if (!so) scene.complain(text);
  }
  int left(const Process& process) const { return scene.target - std::max(process.reported(), first); }
};

class Fault {
 public:
  virtual ~Fault() = default;
  /// Before the start: prepares files and limits. Returns false if that is impossible here.
  virtual bool before(Session&) { return true; }
  /// While the program runs, at a random moment. Returns false if the program has already ended.
  virtual bool during(Session&, Process&) { return true; }
  /// Additional checks after the end of the program.
  virtual void after(Session&, const End&) {}
  /// A user's repairs before the next start.
  virtual void mend(Session&) {}
};

struct Kind {
  enum Needs : unsigned {
    Nothing = 0,
    Text = 1,
    Shards = 2,
    Saved = 4,   ///< needs a checkpoint before the session
    Moment = 8,  ///< has a `during` hook
    Step = 16,   ///< the `during` hook runs after at least one step of this session
    Alone = 32,  ///< no other fault in the same session
    Disk = 64,   ///< needs a small file system of its own
    Peers = 128  ///< no session, see peers.cpp
  };
  std::string name;
  unsigned needs = Nothing;
  std::function<std::unique_ptr<Fault>()> make;

  bool is(Needs need) const { return (needs & need) != 0; }
};

/// All kinds of fault.
const std::vector<Kind>& kinds();

// Kinds by family.
std::vector<Kind> signal_kinds();
std::vector<Kind> limit_kinds();
std::vector<Kind> removal_kinds();
std::vector<Kind> damage_kinds();
std::vector<Kind> metrics_kinds();
std::vector<Kind> other_data_kinds();
std::vector<Kind> shard_kinds();
std::vector<Kind> second_run_kinds();
std::vector<Kind> peer_kinds();

template <class A, class... Arguments>
Kind kind(const std::string& name, unsigned needs, Arguments... arguments) {
  return {name, needs, [=] { return std::make_unique<A>(arguments...); }};
}

}  // namespace weft::fault_injection
