/// One abuse: hooks around one start of the program, which is the session.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tests/abuse/scene.hpp"

namespace weft::abuse {

/// A start of the program in a scene, and what may come of it. Abuses widen that.
struct Session {
  Scene& scene;
  Start start;
  std::set<int> codes = {0};
  int asked = 0;                        ///< steps in all, by its command
  int first = 0;                        ///< steps that were done before, by the newest checkpoint
  bool was_there = false;               ///< model_dir
  bool saves = true;                    ///< its end keeps every step that it told of
  bool heard = true;                    ///< somebody reads what it says
  bool alone = true;                    ///< no other abuse has a part in it
  bool foreign = false;                 ///< it trains something else: its bits are compared by the abuse alone
  bool replaced = false;                ///< another run has finished in its folder: it must not end with 0
  std::vector<std::string> names = {};  ///< that the line of a refusal must have, if there is one abuse

  /// Must be so at its end.
  void expect(bool so, const std::string& text) const {
    if (!so) scene.complain(text);
  }
  int left(const Process& process) const { return scene.target - std::max(process.reported(), first); }
};

class Abuse {
 public:
  virtual ~Abuse() = default;
  /// Before the start: files, limits. False: it cannot be done here.
  virtual bool before(Session&) { return true; }
  /// While it runs, at a random moment. False: it was too late.
  virtual bool during(Session&, Process&) { return true; }
  /// Its own demands on the end.
  virtual void after(Session&, const End&) {}
  /// What a user does before he starts again.
  virtual void mend(Session&) {}
};

struct Kind {
  enum Needs : unsigned {
    Nothing = 0,
    Text = 1,
    Shards = 2,
    Saved = 4,   ///< there is a checkpoint before the session
    Moment = 8,  ///< has something to do while the program runs
    Step = 16,   ///< a step is done before that
    Alone = 32,  ///< no other abuse in the session
    Disk = 64,   ///< a small file system of its own
    Peers = 128  ///< no session: see peers.hpp
  };
  std::string name;
  unsigned needs = Nothing;
  std::function<std::unique_ptr<Abuse>()> make;

  bool is(Needs need) const { return (needs & need) != 0; }
};

/// All of them.
const std::vector<Kind>& kinds();

// By family.
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

}  // namespace weft::abuse
