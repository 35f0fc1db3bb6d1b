#include "host/config/command_line/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <unordered_map>

#include "host/config/error.hpp"
#include "host/config/keys/keys.hpp"

namespace weft::config {
namespace {

constexpr char kMark = '=';

/// True for words that CLI11 should parse as a flag: `--...`, and single letters of the command.
bool is_flag(const std::string& word, const CommandInfo* command) {
  const auto letter = [&](const Flag& flag) { return flag.letter != 0 && word == std::string{'-', flag.letter}; };
  return word.starts_with("--") || word == "-h" ||
         (command != nullptr && command->keys && std::ranges::any_of(key_flags(), letter));
}

/// `--show-config` as `--show_config`, if the command has that flag.
std::string with_underscores(const std::string& word, const CommandInfo& command) {
  if (!word.starts_with("--")) return word;
  std::string name = word.substr(2, word.find('=') - 2);
  const std::size_t end = 2 + name.size();
  std::ranges::replace(name, '-', '_');
  const auto named = [&](const auto& flag) { return flag.name == name; };
  const bool known =
      std::ranges::any_of(command.flags, named) || (command.keys && std::ranges::any_of(key_flags(), named));
  return known ? "--" + name + word.substr(end) : word;
}

/// Marks each actual or possible value: `--name==value`, `=word`. CLI11 interprets some values in ways that depend on
/// its version (an empty value is none, `[a,b]` are two, `++` and the name of another command end a command, `-mode` is
/// `-m ode`) but leaves a marked value alone. Even `--` becomes the name `--=`, which ends nothing.
std::string marked(const std::string& word, const CommandInfo* command) {
  if (!is_flag(word, command)) return kMark + word;
  const std::size_t equals = word == "--" ? word.size() : word.find('=');
  return equals == std::string::npos ? word : word.substr(0, equals) + kMark + word.substr(equals);
}

std::string as_typed(std::string marked) {
  const std::size_t mark = marked.find(kMark);
  return mark == std::string::npos ? marked : marked.erase(mark, 1);
}

/// The CLI::App of a command and the meaning of its options.
class CommandApp {
 public:
  CommandApp(CLI::App& app, const CommandInfo& command) : app_(app), command_(command) {
    help_ = app.add_flag("-h,--help");
    for (const CommandFlag& flag : command.flags) add(flag.name, 0, {.name = std::string(flag.name), .own = &flag});
    for (const std::string_view word : command.words) {
      const auto flag = std::ranges::find(command.flags, word, &CommandFlag::name);
      words_.emplace(app.add_option("<" + std::string(word) + ">", CLI::callback_t()),
                     Given{.name = std::string(word), .own = &*flag});
    }
    if (!command.keys) return;
    for (const Flag& flag : key_flags()) add(flag.name, flag.letter, {.name = std::string(flag.name), .of_key = &flag});
    for (const Key<Config>& key : config_keys()) add(key.name, 0, {.name = std::string(key.name)});
  }

  /// Adds a dotted name that is in no table: a key of the Model Zoo, a key of another commit for `weft bisect`, or a
  /// typo, which is diagnosed when the configuration is read.
  void add_foreign_key(const std::string& word) {
    const std::string name = word.starts_with("--") ? word.substr(2, word.find('=') - 2) : "";
    constexpr auto kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    if (!command_.keys || name.find('.') == std::string::npos || name.find_first_not_of(kPlain) != std::string::npos)
      return;
    if (app_.get_option_no_throw("--" + name) == nullptr) add(name, 0, {.name = name});
  }

  void read(CommandLine& line) const {
    line.help = help_->count() > 0;
    std::unordered_map<const CLI::Option*, std::size_t> read;  // number of values already read
    for (const CLI::Option* option : app_.parse_order()) {
      const std::string& text = option->results()[read[option]++];
      const bool has_value = text.starts_with(kMark);
      const bool is_word = words_.contains(option);
      if (is_word && !has_value) line.rest.push_back(as_typed(text));  // CLI11 takes "---x" for a word
      if (option == help_ || (is_word && !has_value)) continue;
      line.given.push_back(is_word ? words_.at(option) : flags_.at(option));
      if (has_value) line.given.back().value = text.substr(1);
    }
    for (const std::string& word : app_.remaining()) line.rest.push_back(as_typed(word));
  }

 private:
  void add(std::string_view name, char letter, Given given) {
    const std::string names = (letter == 0 ? std::string() : std::string{'-', letter, ','}) + "--" + std::string(name);
    CLI::Option* option = given.wants_value() ? app_.add_option(names, CLI::callback_t()) : app_.add_flag(names);
    if (given.wants_value()) option->expected(0, 1);  // optional, so that a following flag is not the value
    flags_.emplace(option, std::move(given));
  }

  CLI::App& app_;
  const CommandInfo& command_;
  const CLI::Option* help_ = nullptr;
  std::unordered_map<const CLI::Option*, Given> flags_, words_;
};

}  // namespace

CommandLine read_command_line(const std::vector<std::string>& words) try {
  CommandLine line;
  if (!words.empty()) line.command = find_command(words.front());
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.option_defaults()->configurable(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  const CLI::Option* help = app.add_flag("-h,--help");
  const CLI::Option* version = app.add_flag("--version");
  std::optional<CommandApp> own;
  for (const CommandInfo& command : commands()) {
    CLI::App* sub = app.add_subcommand(std::string(command.name));
    if (&command == line.command) own.emplace(*sub, command);
  }
  std::vector<std::string> reversed;
  for (std::size_t n = own ? words.size() : std::min<std::size_t>(words.size(), 1); n-- > 0;) {
    if (own) own->add_foreign_key(words[n]);
    reversed.push_back(n == 0 && own ? std::string(line.command->name)
                       : own         ? marked(with_underscores(words[n], *line.command), line.command)
                                     : marked(words[n], line.command));
  }
  app.parse(std::move(reversed));
  line.help = help->count() > 0;
  line.version = version->count() > 0;
  if (own) own->read(line);
  return line;
} catch (const CLI::Error& error) {
  throw Place{"command line", 0}.error("weft", error.what(), "see weft --help");
}

}  // namespace weft::config
