#include "host/cli/boards/findings.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "sw/base/json_parse.hpp"
#include "sw/base/refusal.hpp"

namespace weft::cli {

void Findings::begin(const std::string& kind, const std::string& subject, const std::string& text) {
  subject_ = one_line(subject);
  line(kind, text, "");
}

void Findings::good(const std::string& text) { line("  ok", text, ""); }

void Findings::note(const std::string& text, const std::string& hint) { line("  note", text, hint); }

void Findings::failure(const std::string& text, const std::string& hint) {
  ++failures_;
  line("  FAIL", text, hint);
}

void Findings::picture(const std::string& text) {
  if (!json_) out_ << text;
}

void Findings::line(const std::string& kind, const std::string& said, const std::string& way_out) {
  const std::string text = one_line(said), hint = one_line(way_out);  // may contain text from a device
  if (json_) {
    const std::size_t name = kind.find_first_not_of(' ');
    nlohmann::ordered_json object = {{"kind", kind.substr(name)}, {"subject", subject_}, {"text", text}};
    if (!hint.empty()) object["hint"] = hint;
    out_ << dump_json(object) << std::endl;
    return;
  }
  const bool heading = !kind.starts_with(' ');
  out_ << fmt::format("{:<8}{}{}", kind, heading ? subject_ + ": " : "", text);
  if (!hint.empty()) out_ << ". HINT: " << hint << '.';
  out_ << std::endl;  // flushed, because the next check may take seconds
}

}  // namespace weft::cli
