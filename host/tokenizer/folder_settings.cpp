#include "host/tokenizer/folder_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "host/checkpoint/file.hpp"
#include "host/tokenizer/bpe_files.hpp"
#include "host/tokenizer/json_text.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr auto kConfig = "tokenizer_config.json", kSpecial = "special_tokens_map.json", kAdded = "added_tokens.json";
/// Classes of `transformers` that use the ids of the files unchanged, in order of preference.
constexpr std::array<std::string_view, 4> kPlainClasses = {"PreTrainedTokenizerFast", "GPTNeoXTokenizerFast",
                                                           "CodeGenTokenizer", "CodeGenTokenizerFast"};
constexpr auto kShards = "make token shards of the text with that tokenizer";

/// The keys of special tokens, in the order in which they get ids.
constexpr std::array<const char*, 7> kSpecialKeys = {"bos_token", "eos_token", "unk_token", "sep_token",
                                                     "pad_token", "cls_token", "mask_token"};

[[noreturn]] void not_done(const std::string& what) { throw Refusal("", what, kShards); }

/// Returns an empty object if the file does not exist.
Json read_object(const fs::path& folder, const char* name) {
  std::error_code ignored;
  if (!fs::exists(folder / name, ignored)) return Json::object();
  constexpr std::uint64_t kMost = 64 << 20;  // bytes
  const std::vector<std::uint8_t> bytes = checkpoint::read_file((folder / name).string(), kMost);
  Json object;
  try {
    object = parse_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  } catch (const Refusal& e) {
    throw Refusal("", fmt::format("{} next to the tokenizer {}", name, e.problem()), kShards);
  }
  if (!object.is_object())
    throw Refusal("", fmt::format("{} next to the tokenizer is not a JSON object", name), kShards);
  return object;
}

bool is_true(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && *at == true;
}

/// A token that `transformers` adds to a vocabulary.
struct Added {
  std::string text;
  bool normalized = false;               ///< matched in the second pass
  std::optional<std::uint64_t> id = {};  ///< the id given in the files
  bool by_class = false;                 ///< not named in any file: used only if the vocabulary has it
};

/// Reads a token's text and flags from an object.
Added read_token(const Json& token, const std::string& where, bool normalized) {
  Added added{.text = token.value("content", ""), .normalized = token.value("normalized", normalized)};
  if (added.text.empty()) not_done(where + " has a token without a text");
  for (const char* flag : {"lstrip", "rstrip", "single_word"})
    if (is_true(token, flag)) not_done(fmt::format("{}: token \"{}\" has {}", where, one_line(added.text, 80), flag));
  return added;
}

class Settings {
 public:
  explicit Settings(const fs::path& folder)
      : config_(read_object(folder, kConfig)),
        special_(read_object(folder, kSpecial)),
        added_(read_object(folder, kAdded)) {
    for (const char* key : {"add_bos_token", "add_eos_token", "do_lower_case", "split_special_tokens"})
      if (is_true(config_, key)) not_done(fmt::format("{} has {}, which is not supported", kConfig, key));
    if (config_.contains("auto_map")) not_done(fmt::format("{} has auto_map: the tokenizer is Python code", kConfig));
  }

  bool has_config() const { return !config_.empty(); }
  std::string class_name() const { return config_.value("tokenizer_class", ""); }
  /// True for GPT-2's class, which has special rules and is the one that AutoTokenizer chooses for the supported
  /// networks.
  bool is_gpt2() const {
    const std::string name = class_name();
    return name.empty() || name == "GPT2Tokenizer" || name == "GPT2TokenizerFast";
  }
  /// True for classes that take add_prefix_space from the configuration (default false) rather than from
  /// tokenizer.json. PreTrainedTokenizerFast uses tokenizer.json unchanged.
  bool sets_prefix_space() const {
    const std::string name = class_name();
    return is_gpt2() || name.starts_with("GPTNeoXTokenizer") || name.starts_with("CodeGenTokenizer");
  }
  std::optional<bool> prefix_space() const {
    const auto at = config_.find("add_prefix_space");
    return at != config_.end() && at->is_boolean() ? std::optional(at->get<bool>()) : std::nullopt;
  }

  /// The added tokens in the order in which they get ids. `known`: tokens that the tokenizer already has.
  std::vector<Added> added(const std::vector<SpecialToken>& known) const {
    std::map<std::uint64_t, Added> by_id;
    const bool new_form = config_.contains("added_tokens_decoder");
    std::vector<std::pair<std::string, Json>> specials = special_tokens(!new_form);
    if (new_form) {
      for (const auto& [id, token] : config_["added_tokens_decoder"].items())
        by_id[number(id)] = read_token(token, kConfig, !is_true(token, "special"));
    } else {
      for (const auto& [text, id] : added_.items()) {
        const bool special = std::ranges::any_of(specials, [&, name = text](const auto& s) { return s.first == name; });
        if (!id.is_number_unsigned()) not_done(fmt::format("{}: {} has no id", kAdded, one_line(text, 80)));
        by_id[id.get<std::uint64_t>()] = {.text = text, .normalized = !special};
      }
    }
    std::vector<Added> list;
    const auto has = [&](const std::string& text) {
      return std::ranges::any_of(list, [&](const Added& a) { return a.text == text; }) ||
             std::ranges::any_of(known, [&](const SpecialToken& t) { return t.text == text; });
    };
    for (auto& [id, token] : by_id) {
      token.id = id;
      list.push_back(token);
    }
    for (const auto& [text, token] : specials)
      if (!has(text))
        list.push_back(token.is_object() ? read_token(token, kSpecial, false)
                                         : Added{.text = text, .by_class = token.is_null()});
    for (const auto& [key, text] : extra_tokens(!new_form))
      if (!has(text))
        not_done(fmt::format("{} adds the token \"{}\" in new versions of transformers, and none in older ones", key,
                             one_line(text, 80)));
    return list;
  }

 private:
  static std::uint64_t number(const std::string& text) {
    if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos)
      not_done(fmt::format("{}: added_tokens_decoder has {}, which is not an id", kConfig, one_line(text, 80)));
    return std::stoull(text);
  }

  /// Tokens that `transformers` adds since 4.47, each after its key: those in extra_special_tokens, a list or an object
  /// of names and tokens, and those of keys that end in _token and are not in kSpecialKeys.
  std::vector<std::pair<std::string, std::string>> extra_tokens(bool map_counts) const {
    constexpr auto kExtra = "extra_special_tokens";
    std::vector<std::pair<std::string, std::string>> all;
    const auto add = [&](const std::string& key, const Json& token) {
      const std::string text = token.is_string()   ? token.get<std::string>()
                               : token.is_object() ? token.value("content", "")
                                                   : std::string();
      if (!text.empty()) all.emplace_back(key, text);
    };
    for (const Json& tokens : {config_.value(kExtra, Json()), map_counts ? special_.value(kExtra, Json()) : Json()})
      if (tokens.is_structured())
        for (const Json& token : tokens) add(kExtra, token);
    for (const auto& [key, token] : config_.items())
      if (key.ends_with("_token") && std::ranges::find(kSpecialKeys, key) == kSpecialKeys.end()) add(key, token);
    return all;
  }

  /// Text and value of bos_token etc., each text once; null: the default of GPT-2's class.
  std::vector<std::pair<std::string, Json>> special_tokens(bool map_counts) const {
    std::vector<std::pair<std::string, Json>> all;
    const auto add = [&](const Json& token) {
      const std::string text = token.is_string() ? token.get<std::string>() : token.value("content", "");
      const bool there = std::ranges::any_of(all, [&](const auto& one) { return one.first == text; });
      if (!text.empty() && !there) all.emplace_back(text, token);
    };
    const auto value = [&](const char* key) -> Json {
      if (map_counts && special_.contains(key)) return special_[key];
      return config_.contains(key) ? config_[key] : Json();
    };
    for (const std::string key : kSpecialKeys) {
      const bool by_class = key == "bos_token" || key == "eos_token" || key == "unk_token";
      const bool given = config_.contains(key) || (map_counts && special_.contains(key));
      const Json token = given ? value(key.c_str()) : Json();
      if (token.is_string() || token.is_object()) add(token);
      constexpr const char* kEnd = "<|endoftext|>";
      if (!given && is_gpt2() && by_class &&
          std::ranges::none_of(all, [](const auto& one) { return one.first == kEnd; }))
        all.emplace_back(kEnd, Json());
    }
    for (const Json& list : {map_counts ? special_.value("additional_special_tokens", Json()) : Json(),
                             config_.value("additional_special_tokens", Json())})
      if (list.is_array())
        for (const Json& token : list)
          if (token.is_string() || token.is_object()) add(token);
    return all;
  }

  Json config_, special_, added_;
};

/// Ids by the text of a token in the tokenizer's files.
std::unordered_map<std::string, std::uint32_t> ids_in_files(const BpeParts& parts) {
  std::unordered_map<std::string, std::uint32_t> ids = ids_in_vocabulary(parts);
  for (const auto* list : {&parts.special, &parts.added})
    for (const SpecialToken& token : *list) ids[token.text] = token.id;
  return ids;
}

/// Numbers tokens as the package `tokenizers` does: after the vocabulary, and after existing added tokens.
void add_tokens(const std::vector<Added>& tokens, BpeParts& parts) {
  std::unordered_map<std::string, std::uint32_t> ids = ids_in_files(parts);
  auto next = static_cast<std::uint32_t>(parts.tokens.size());
  for (const auto* list : {&parts.special, &parts.added})
    for (const SpecialToken& token : *list) next = std::max(next, token.id + 1);
  for (const Added& token : tokens) {
    const auto known = ids.find(token.text);
    if (known == ids.end() && token.by_class) continue;  // the model has no weights for it
    const std::uint32_t id = known != ids.end() ? known->second : next++;
    if (token.id && *token.id != id)
      not_done(fmt::format("token \"{}\" has the id {} in the files next to the tokenizer, and would be {}",
                           one_line(token.text, 80), *token.id, id));
    ids[token.text] = id;
    for (auto* list : {&parts.special, &parts.added})
      std::erase_if(*list, [&](const SpecialToken& one) { return one.text == token.text; });
    (token.normalized ? parts.added : parts.special).push_back({token.text, id});
  }
}

/// Rejects a post-processor that puts tokens around a text.
void check_post_processor(const Json& processor) {
  if (!processor.is_object()) return;
  const std::string type = processor.value("type", "");
  if (type == "ByteLevel" || type.empty()) return;
  if (type == "Sequence") {
    for (const Json& one : processor.value("processors", Json::array())) check_post_processor(one);
    return;
  }
  if (type == "TemplateProcessing") {
    const Json single = processor.value("single", Json::array());
    if (std::ranges::none_of(single, [](const Json& part) { return part.contains("SpecialToken"); })) return;
  }
  not_done(fmt::format("post-processor {} puts tokens around a text, which is not supported", one_line(type, 80)));
}

/// Applies add_prefix_space of the configuration, which takes precedence in most classes if ByteLevel is the only step.
void set_prefix_space(const Settings& settings, const Json& json, BpeParts& parts) {
  const bool wanted = settings.prefix_space().value_or(false);
  const Json step = json.is_object() ? json.value("pre_tokenizer", Json()) : Json();
  const bool alone = step.is_object() && step.value("type", "") == "ByteLevel";
  if (json.is_null() || (settings.sets_prefix_space() && alone)) {
    parts.prefix_space = wanted ? std::optional<std::size_t>(0) : std::nullopt;
  } else if (settings.prefix_space() && wanted != parts.prefix_space.has_value()) {
    not_done(fmt::format("{} has add_prefix_space {}, and tokenizer.json has {}", kConfig, wanted, !wanted));
  }
}

}  // namespace

bool has_folder_settings(const fs::path& folder) {
  std::error_code ignored;
  return std::ranges::any_of(std::array{kConfig, kSpecial, kAdded},
                             [&](const char* name) { return fs::exists(folder / name, ignored); });
}

void apply_folder_settings(const fs::path& folder, std::string_view text, BpeParts& parts) try {
  const Settings settings(folder);
  if (!settings.is_gpt2() && std::ranges::find(kPlainClasses, settings.class_name()) == kPlainClasses.end())
    not_done(fmt::format("tokenizer_class {} is not supported", one_line(settings.class_name(), 80)));
  const Json json = text.empty() ? Json() : parse_json(text);
  if (json.is_object()) check_post_processor(json.value("post_processor", Json()));
  set_prefix_space(settings, json, parts);
  if (json.is_null()) {  // the files next to it alone define which tokens are matched in a text
    parts.special.clear();
    parts.added.clear();
  }
  std::vector<SpecialToken> known = parts.special;
  known.insert(known.end(), parts.added.begin(), parts.added.end());
  add_tokens(settings.added(known), parts);
} catch (const Json::exception& e) {
  throw Refusal("", fmt::format("a file next to the tokenizer has an unknown form: {}", one_line(e.what(), 200)),
                kShards);
}

void check_folder_settings(const fs::path& folder, const TextTokenizer* pieces) try {
  const Settings settings(folder);
  if (!settings.has_config() || (pieces == nullptr && settings.class_name() == "PreTrainedTokenizerFast")) {
    if (settings.prefix_space().value_or(false)) not_done(fmt::format("{} has add_prefix_space", kConfig));
  } else if (pieces == nullptr || !settings.class_name().starts_with("LlamaTokenizer")) {
    not_done(
        fmt::format("tokenizer_class {} is not supported for such a tokenizer", one_line(settings.class_name(), 80)));
  } else {
    // Llama's class puts a token before each text unless add_bos_token is false.
    const Json config = read_object(folder, kConfig);
    if (config.value("add_bos_token", true))
      not_done(fmt::format("{}: {} puts a token before a text (add_bos_token)", kConfig, settings.class_name()));
  }
  if (pieces == nullptr) {
    if (!settings.has_config()) return;
    if (const auto tokens = settings.added({}); !tokens.empty())
      not_done(fmt::format("the files next to the tokenizer add the token \"{}\"", one_line(tokens.front().text, 80)));
    return;
  }
  for (const Added& token : settings.has_config() ? settings.added({}) : std::vector<Added>{}) {
    const auto id = pieces->id_of(token.text);
    if (!id || (token.id && *token.id != *id))
      not_done(fmt::format("the files next to the tokenizer add the token \"{}\"", one_line(token.text, 80)));
  }
} catch (const Json::exception& e) {
  throw Refusal("", fmt::format("a file next to the tokenizer has an unknown form: {}", one_line(e.what(), 200)),
                kShards);
}

}  // namespace weft::tokenizer
