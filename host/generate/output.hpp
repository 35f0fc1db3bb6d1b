/// Prints several texts, which are generated concurrently, one after the other.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace weft::generate {

/// The first text that has not ended is printed immediately; output of later ones is queued. If there are several, each
/// has a header line: "==> 2 <==".
class Output {
 public:
  Output(std::ostream& out, std::size_t texts);

  void write(std::size_t n, const std::string& more);
  void end(std::size_t n);

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
