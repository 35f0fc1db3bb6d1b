#include "sw/network/yaml_fault.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <boost/locale/utf.hpp>
#include <sstream>
#include <string_view>
#include <vector>

namespace weft::network {
namespace {

constexpr const char* kNoTab = "write spaces";
constexpr std::string_view kMarks = " \t-?:,[{";  // characters that may precede a key or a value

/// True for a text with a byte order mark of UTF-16 or UTF-32, which the library converts.
bool is_wide(std::string_view text) {
  using namespace std::string_view_literals;
  return text.starts_with("\xff\xfe"sv) || text.starts_with("\xfe\xff"sv) || text.starts_with("\0\0\xfe\xff"sv);
}

std::optional<YamlFault> bad_byte(const std::string& text) {
  namespace utf = boost::locale::utf;
  int line = 1;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    const auto byte = static_cast<unsigned char>(*at);
    const utf::code_point character = utf::utf_traits<char>::decode(at, end);
    if (character == utf::illegal || character == utf::incomplete)
      return YamlFault{line, fmt::format("the byte 0x{:02x} is not valid UTF-8", byte), "save the file as UTF-8"};
    if (character < 0x20 && character != '\t' && character != '\n' && character != '\r')
      return YamlFault{line, fmt::format("has the control character 0x{:02x}", byte),
                       "remove it, or write it in a quoted text as \\x.."};
    line += character == '\n' ? 1 : 0;
  }
  return std::nullopt;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// Receives the events of a document and notes its first fault.
class Watcher final : public YAML::EventHandler {
 public:
  /// `lines`: of the text, to find tabs; none: tabs are not checked.
  explicit Watcher(const std::vector<std::string_view>& lines) : lines_(lines) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { begins(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string&) override {
    tagged(mark, tag, {"str", "int", "float", "bool", "null", "merge"});
    begins(mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    tagged(mark, tag, {"seq"});
    begins(mark);
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    tagged(mark, tag, {"map"});
    begins(mark);
  }
  void OnMapEnd() override {}

  const std::optional<YamlFault>& fault() const { return fault_; }

 private:
  void note(int line, std::string problem, std::string hint) {
    if (!fault_) fault_ = YamlFault{line + 1, std::move(problem), std::move(hint)};
  }

  /// Notes unknown tags. Tags of YAML's core schema are redundant here and accepted.
  void tagged(const YAML::Mark& mark, const std::string& tag, std::initializer_list<std::string_view> known) {
    constexpr std::string_view kCore = "tag:yaml.org,2002:";
    if (tag.empty() || tag == "?" || tag == "!") return;
    const bool core = tag.starts_with(kCore);
    const std::string_view name = std::string_view(tag).substr(core ? kCore.size() : 0);
    if (core && std::ranges::find(known, name) != known.end()) return;
    note(mark.line, fmt::format("the tag {}{} is not supported", core ? "!!" : "", name), "write the value without it");
  }

  /// Notes a tab between a key, value or list that begins at `mark` and the text before it on the same line.
  void begins(const YAML::Mark& mark) {
    const auto number = static_cast<std::size_t>(std::max(mark.line, 0));
    if (number >= lines_.size()) return;
    const std::string_view before = lines_[number].substr(0, static_cast<std::size_t>(std::max(mark.column, 0)));
    const std::size_t gap = before.find_last_not_of(kMarks) + 1;  // behind the last text of the line
    if (before.find('\t', gap) == std::string_view::npos) return;
    note(mark.line, "a tab is before a key or a value", kNoTab);
  }

  const std::vector<std::string_view>& lines_;
  std::optional<YamlFault> fault_;
};

}  // namespace

std::optional<YamlFault> yaml_fault(const std::string& text) {
  const bool wide = is_wide(text);
  if (!wide)
    if (auto fault = bad_byte(text)) return fault;
  const std::vector<std::string_view> none, lines = lines_of(text);
  std::istringstream in(text);
  YAML::Parser parser(in);
  // Not LoadAll, which does not terminate for some texts that are no YAML: the parser begins one empty document after
  // another.
  Watcher first(wide ? none : lines);
  parser.HandleNextDocument(first);
  if (first.fault()) return first.fault();
  struct Second final : YAML::EventHandler {
    void OnDocumentStart(const YAML::Mark& mark) override { line = mark.line + 1; }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}
    int line = 0;
  } second;
  if (!parser.HandleNextDocument(second)) return std::nullopt;
  return YamlFault{second.line, "has more than one YAML document", "keep one, remove the --- or the text before it"};
}

std::optional<YamlFault> yaml_tab(const std::string& text, int line) {
  const std::vector<std::string_view> lines = lines_of(text);
  for (int number : {line, line - 1}) {  // the library may have read on to the next line
    if (number < 1 || static_cast<std::size_t>(number) > lines.size()) continue;
    const std::string_view one = lines[static_cast<std::size_t>(number) - 1];
    const std::size_t tab = one.find('\t');
    if (tab != std::string_view::npos && one.substr(0, tab).find_first_not_of(kMarks) == std::string_view::npos)
      return YamlFault{number, "a tab is before a key or a value", kNoTab};
  }
  return std::nullopt;
}

}  // namespace weft::network
