/// Findings of `weft board`, one per line: text for people, or JSON objects for programs.
#pragma once

#include <iosfwd>
#include <string>

namespace weft::cli {

class Findings {
 public:
  /// `json`: print an object per line, {"kind", "subject", "text", "hint"}.
  Findings(std::ostream& out, bool json) : out_(out), json_(json) {}

  /// Sets the device to which the following lines refer.
  void begin(const std::string& kind, const std::string& subject, const std::string& text);
  void good(const std::string& text);
  /// Reports something that works, but could work better.
  void note(const std::string& text, const std::string& hint);
  void failure(const std::string& text, const std::string& hint);
  /// Prints lines for people only.
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

}  // namespace weft::cli
