#include "host/checkpoint/heartbeat_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <system_error>
#include <vector>

#include "host/checkpoint/file.hpp"

namespace weft::checkpoint {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kCount = 16;  // digits of the heartbeat at the beginning of the line
constexpr std::size_t kMostText = 1024;

std::string first_word(const char* file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

/// Identity of this machine and of the container on it: process ids are valid only there.
std::string this_machine() {
  std::array<char, 64> space{};
  const ssize_t size = ::readlink("/proc/self/ns/pid", space.data(), space.size());
  return first_word("/proc/sys/kernel/random/boot_id") +
         (size > 0 ? std::string(space.data(), static_cast<std::size_t>(size)) : "");
}

/// The text of the file after the heartbeat: its owner.
struct Owner {
  std::string host, machine, token;
  pid_t process = 0;
  std::uint64_t start = 0;

  std::string line() const { return fmt::format(" {} {} {} {} {}\n", token, host, process, start, machine); }
  std::string text() const {
    return process == 0 ? "another process" : fmt::format("process {} on {}", process, printable(host));
  }
};

Owner owner_in(const std::string& text) {
  Owner owner;
  std::istringstream words(text);
  std::string count;
  if (!(words >> count >> owner.token >> owner.host >> owner.process >> owner.start >> owner.machine)) return {};
  return owner;
}

Owner this_process() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0 || host[0] == '\0') host = {"localhost"};
  std::random_device random;
  return {.host = host.data(),
          .machine = this_machine(),
          .token = fmt::format("{:08x}{:08x}", random(), random()),
          .process = ::getpid(),
          .start = process_start(::getpid())};
}

/// Reads the whole file, reopened because only then a network file system asks its server. Empty if the file is gone.
std::optional<std::string> text_of(int folder, const char* name) {
  const Descriptor file(::openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file.get() < 0) return errno == ENOENT ? std::nullopt : std::optional<std::string>("");
  std::string text(kMostText, '\0');
  const ssize_t size = ::pread(file.get(), text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

/// Waits for the maximum time between heartbeats. True if the file has contained `before` all the time.
bool is_stale(int folder, const std::string& before, const HeartbeatTimes& times) {
  const auto end = Clock::now() + times.stale;
  while (Clock::now() < end) {
    std::this_thread::sleep_for(std::min(times.beat / 2, times.stale));
    if (text_of(folder, HeartbeatLock::kName) != before) return false;
  }
  return true;
}

/// Removes the file if it contains `before`. A file that was created meanwhile gets its name back.
void remove_stale(int folder, const std::string& before) {
  if (text_of(folder, HeartbeatLock::kName) != before) return;
  const std::string aside = fmt::format("{}.{}", HeartbeatLock::kName, this_process().token);
  if (::renameat(folder, HeartbeatLock::kName, folder, aside.c_str()) != 0) return;
  if (text_of(folder, aside.c_str()) != before && ::linkat(folder, aside.c_str(), folder, HeartbeatLock::kName, 0) != 0)
    return;  // the owner will notice that its file is gone
  ::unlinkat(folder, aside.c_str(), 0);
}

Refusal cannot(const fs::path& folder, int error) {
  return file_error((folder / HeartbeatLock::kName).string(), "",
                    "cannot be made: " + std::generic_category().message(error),
                    "set runconfig.model_dir to a folder you may write to")
      .caused_by(error);
}

}  // namespace

namespace {

struct ProcessState {
  std::string state = "?";
  std::uint64_t start = 0;
};

ProcessState state_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(file, text, '\0');
  const std::size_t name_end = text.rfind(')');  // a process may have the name ") S 1"
  ProcessState about;
  if (name_end == text.npos) return about;
  std::istringstream rest(text.substr(name_end + 1));
  rest >> about.state;
  std::string word;
  for (int field = 4; field <= 21; ++field) rest >> word;
  rest >> about.start;
  return about;
}

}  // namespace

std::uint64_t process_start(pid_t process) { return state_of(process).start; }

bool process_lives(pid_t process, std::uint64_t start) {
  if (::kill(process, 0) != 0 && errno == ESRCH) return false;
  const ProcessState now = state_of(process);
  if (now.state == "Z" || now.state == "X") return false;     // ended, but not reaped by its parent
  return start == 0 || now.start == 0 || now.start == start;  // a process that cannot be inspected may be alive
}

std::unique_ptr<HeartbeatLock> HeartbeatLock::take(const fs::path& folder, const HeartbeatTimes& times) {
  Descriptor opened = open_folder(folder.string());
  if (opened.get() < 0) throw cannot(folder, errno);
  Descriptor file(::openat(opened.get(), kName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (file.get() < 0 && errno == EEXIST) return nullptr;
  if (file.get() < 0) throw cannot(folder, errno);
  const std::string line = std::string(kCount, '0') + this_process().line();
  if (::pwrite(file.get(), line.data(), line.size(), 0) != static_cast<ssize_t>(line.size()) ||
      ::fsync(file.get()) != 0) {
    const int error = errno;
    ::unlinkat(opened.get(), kName, 0);
    throw cannot(folder, error);
  }
  return std::unique_ptr<HeartbeatLock>(new HeartbeatLock(std::move(opened), std::move(file), times));
}

std::optional<std::string> HeartbeatLock::owner(const fs::path& folder,
                                                const std::function<void(const std::string&)>& say,
                                                const HeartbeatTimes& times) {
  const Descriptor opened = open_folder(folder.string());
  const auto text = text_of(opened.get(), kName);
  if (!text) return std::nullopt;
  const Owner owner = owner_in(*text);
  if (owner.process > 0 && owner.machine == this_machine()) {
    if (process_lives(owner.process, owner.start)) return owner.text();
  } else {
    if (say)
      say(fmt::format("{} may have locked {}: waiting for a heartbeat, at most {} s", owner.text(), folder.string(),
                      std::chrono::duration_cast<std::chrono::seconds>(times.stale).count()));
    if (!is_stale(opened.get(), *text, times)) {
      const auto now = text_of(opened.get(), kName);
      return now ? std::optional(owner_in(*now).text()) : std::nullopt;
    }
  }
  remove_stale(opened.get(), *text);
  return std::nullopt;
}

std::string HeartbeatLock::owner_name(const fs::path& folder) {
  return owner_in(text_of(open_folder(folder.string()).get(), kName).value_or("")).text();
}

HeartbeatLock::HeartbeatLock(Descriptor folder, Descriptor file, const HeartbeatTimes& times)
    : folder_(std::move(folder)), file_(std::move(file)), thread_([this, time = times.beat] { run(time); }) {}

HeartbeatLock::~HeartbeatLock() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  wake_.notify_all();
  thread_.join();
  if (is_held()) ::unlinkat(folder_.get(), kName, 0);
}

bool HeartbeatLock::is_held() const {
  struct stat open {
  }, named{};
  return ::fstat(file_.get(), &open) == 0 && ::fstatat(folder_.get(), kName, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

bool HeartbeatLock::is_held_in(const fs::path& folder) const { return has_name(folder_, folder.string()) && is_held(); }

/// If this fails, other processes miss the heartbeat and take the lock.
void HeartbeatLock::beat(std::uint64_t count) const noexcept {
  std::array<char, kCount + 1> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(count));
  if (::pwrite(file_.get(), digits.data(), kCount, 0) < 0) return;
  [[maybe_unused]] const int written = ::fdatasync(file_.get());
}

void HeartbeatLock::run(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  for (std::uint64_t count = 1; !wake_.wait_for(lock, time, [this] { return ends_; }); ++count) {
    lock.unlock();
    beat(count);
    lock.lock();
  }
}

}  // namespace weft::checkpoint
