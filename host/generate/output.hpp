/// Destination of several texts, which are generated concurrently.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace weft::generate {

class Output {
 public:
  Output() = default;
  virtual ~Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Receives more of text n.
  virtual void write(std::size_t n, const std::string& more) = 0;
  /// Text n has ended.
  virtual void end(std::size_t n) = 0;
};

/// Collects text after text in memory.
class CollectedOutput final : public Output {
 public:
  explicit CollectedOutput(std::size_t texts) : texts_(texts) {}
  void write(std::size_t n, const std::string& more) override { texts_[n] += more; }
  void end(std::size_t) override {}
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
};

/// Prints text after text. The first text that has not ended is printed immediately; output of later ones is queued. If
/// there are several, each has a header line: "==> 2 <==".
class PrintedOutput final : public Output {
 public:
  PrintedOutput(std::ostream& out, std::size_t texts);

  void write(std::size_t n, const std::string& more) override;
  void end(std::size_t n) override;

 private:
  struct Text {
    std::string waiting;
    bool ended = false;
  };
  void print();

  std::ostream& out_;
  std::vector<Text> texts_;
  std::size_t current_ = 0;
};

}  // namespace weft::generate
