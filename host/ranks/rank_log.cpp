#include "host/ranks/rank_log.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <iostream>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "sw/base/descriptor.hpp"

namespace weft::ranks {
namespace {

constexpr std::size_t kMostWaiting = 1U << 16;  // bytes

}  // namespace

/// The log file, which both streams share.
class RankLog::File {
 public:
  File(std::filesystem::path folder, int rank)
      : folder_(std::move(folder)), name_(folder_ / fmt::format("rank_{}.log", rank)) {}

  /// Appends a line, given without its newline.
  void add(std::string_view line) {
    const std::lock_guard lock(mutex_);
    const std::string text = fmt::format("{:%Y-%m-%d %H:%M:%S} {}\n", fmt::localtime(std::time(nullptr)), line);
    if (waiting_.size() + text.size() <= kMostWaiting) waiting_ += text;
    if (file_.get() < 0 && !open()) return;
    // A single call, so that lines do not mix when a restarted rank writes while its predecessor is still ending.
    [[maybe_unused]] const ssize_t written = ::write(file_.get(), waiting_.data(), waiting_.size());
    waiting_.clear();
  }

 private:
  bool open() {
    ::mkdir(folder_.c_str(), 0777);  // does not create the parent folder
    // O_NONBLOCK: opening a pipe without a reader would block.
    constexpr int kHow = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    Descriptor opened(::open(name_.c_str(), kHow, 0666));
    struct stat about {};
    if (opened.get() < 0 || ::fstat(opened.get(), &about) != 0 || !S_ISREG(about.st_mode)) return false;
    file_ = std::move(opened);
    return true;
  }

  std::filesystem::path folder_, name_;
  std::mutex mutex_;
  Descriptor file_;
  std::string waiting_;
};

/// Replaces the buffer of a stream and forwards all output to it.
class RankLog::Tee : public std::streambuf {
 public:
  Tee(std::ostream& stream, File& file) : stream_(stream), file_(file), before_(stream.rdbuf(this)) {}
  ~Tee() override {
    stream_.rdbuf(before_);
    if (!line_.empty()) take("\n");
  }
  Tee(const Tee&) = delete;
  Tee& operator=(const Tee&) = delete;

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    const std::lock_guard lock(mutex_);
    const std::streamsize passed = before_->sputn(text, size);
    take({text, static_cast<std::size_t>(size)});
    return passed;
  }
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char text = traits_type::to_char_type(c);
    return xsputn(&text, 1) == 1 ? c : traits_type::eof();
  }
  int sync() override {
    const std::lock_guard lock(mutex_);
    return before_->pubsync();
  }

 private:
  void take(std::string_view text) noexcept {
    try {
      for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        line_ += text.substr(0, end);
        file_.add(std::exchange(line_, {}));
        text.remove_prefix(end + 1);
      }
      line_ += text;
    } catch (...) {  // the console has the text
    }
  }

  std::ostream& stream_;
  File& file_;
  std::streambuf* before_;
  std::mutex mutex_;
  std::string line_;  // incomplete line
};

RankLog::RankLog(const std::filesystem::path& model_dir, int rank)
    : file_(std::make_unique<File>(model_dir / "logs", rank)),
      out_(std::make_unique<Tee>(std::cout, *file_)),
      errors_(std::make_unique<Tee>(std::cerr, *file_)) {}

RankLog::~RankLog() = default;

}  // namespace weft::ranks
