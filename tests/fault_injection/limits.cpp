/// Limits of the system: the program ends with one error line, or manages without.
#include <unistd.h>

#include <cmath>

#include "tests/fault_injection/fault.hpp"

namespace weft::fault_injection {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;

rlimit soft(rlim_t value) { return {value, RLIM_INFINITY}; }

class Limit : public Fault {
 public:
  explicit Limit(int what) : what_(what) {}
  bool before(Session& session) override {
    test::Rng& rng = session.scene.rng;
    session.codes.insert(2);
    session.saves = false;
    const rlim_t value = draw(session);
    session.start.limits.emplace_back(what_, rng.chance(50) ? soft(value) : rlimit{value, value});
    session.scene.log("limit ", what_, ": ", value);
    return true;
  }

 private:
  rlim_t draw(Session& session) const {
    test::Rng& rng = session.scene.rng;
    if (what_ == RLIMIT_NOFILE) return 8 + rng.below(rng.chance(70) ? 20 : 57);
    if (what_ == RLIMIT_FSIZE) return 200 + rng.below(30000);
    // The loader takes 10 MiB, the program with its threads' stacks about 50, with their heaps about a hundred.
    return static_cast<rlim_t>(std::ldexp(12, 20) * std::exp2(rng.below(rng.chance(70) ? 2500 : 5500) * 0.001));
  }

  int what_;
};

/// Limits the number of threads. The limit does not apply to root: root runs the program as another user, who owns the
/// folder.
class Threads : public Fault {
 public:
  bool before(Session& session) override {
    session.codes.insert(2);
    session.saves = false;
    const rlim_t threads = 2 + session.scene.rng.below(7);
    session.start.limits.emplace_back(RLIMIT_NPROC, rlimit{threads, threads});
    if (geteuid() != 0) return true;
    session.start.user = kNobody;
    if (chown(session.scene.path("").c_str(), kNobody, kNobody) != 0) return false;
    for (const auto& entry : fs::recursive_directory_iterator(session.scene.path(""))) {
      if (lchown(entry.path().c_str(), kNobody, kNobody) != 0) return false;
    }
    return true;
  }
};

/// Starts the program milliseconds before its CPU time limit (SIGXCPU).
class CpuTime : public Fault {
 public:
  bool before(Session& session) override {
    session.codes.insert({130, 128 + SIGXCPU});
    session.start.burnt = 0.9 + 0.001 * session.scene.rng.below(70);
    session.start.limits.emplace_back(RLIMIT_CPU, soft(1));
    return true;
  }
  /// SIGXCPU may arrive before the program can handle it.
  void after(Session& session, const End& end) override {
    session.expect(end.code != 128 + SIGXCPU || end.out.empty(), "dies of SIGXCPU after it has begun");
  }
};

class FullDisk : public Fault {
 public:
  explicit FullDisk(bool at_once) : at_once_(at_once) {}
  bool before(Session& session) override {
    session.codes.insert(1);
    session.saves = false;
    if (at_once_) fill(session.scene);
    return true;
  }
  bool during(Session& session, Process&) override {
    fill(session.scene);
    return true;
  }
  /// Truncates the filler first: a process that another thread has just forked may still hold its descriptor.
  void mend(Session& session) override {
    std::error_code none;  // does not exist if there was no room for it
    fs::resize_file(filler(session.scene), 0, none);
    fs::remove(filler(session.scene), none);
  }

 private:
  static std::string filler(const Scene& scene) { return scene.path("disk/filler"); }
  /// Fills the disk up to a few pages.
  static void fill(Scene& scene) {
    const auto room = fs::space(scene.path("disk")).available;
    const std::uintmax_t left = 4096 * scene.rng.below(scene.rng.chance(50) ? 4 : 40);
    if (room > left) checkpoint::write_text(filler(scene), std::string(room - left, 'x'));
  }

  bool at_once_;
};

}  // namespace

std::vector<Kind> limit_kinds() {
  return {kind<Limit>("few descriptors", Kind::Nothing, RLIMIT_NOFILE),
#ifndef WEFT_SANITIZED
          kind<Limit>("little memory", Kind::Nothing, RLIMIT_AS),
#endif
          kind<Limit>("small files", Kind::Nothing, RLIMIT_FSIZE),
          kind<Threads>("few threads", Kind::Nothing),
          kind<CpuTime>("CPU time", Kind::Alone),
          kind<FullDisk>("full disk", Kind::Disk, true),
          kind<FullDisk>("disk fills up", Kind::Moment | Kind::Disk, false)};
}

}  // namespace weft::fault_injection
