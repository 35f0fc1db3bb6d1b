/// Findings of `weft board`, one a line: text for people, or JSON objects for programs.
#pragma once

#include <iosfwd>
#include <string>

namespace weft {

class Findings {
 public:
  /// `json`: an object a line, {"kind", "subject", "text", "hint"}.
  Findings(std::ostream& out, bool json) : out_(out), json_(json) {}

  /// A device that the following lines are about.
  void begin(const std::string& kind, const std::string& subject, const std::string& text);
  void good(const std::string& text);
  /// Works, but less well than it could.
  void note(const std::string& text, const std::string& hint);
  void failure(const std::string& text, const std::string& hint);
  /// Lines for people alone.
  void picture(const std::string& text);

  bool failed() const { return failures_ > 0; }
  int failures() const { return failures_; }

 private:
  void line(const std::string& kind, const std::string& text, const std::string& hint);

  std::ostream& out_;
  bool json_;
  std::string subject_;
  int failures_ = 0;
};

}  // namespace weft
