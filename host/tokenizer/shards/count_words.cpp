#include "host/tokenizer/shards/count_words.hpp"

#include "host/tokenizer/gpt2_splitter.hpp"
#include "host/tokenizer/shards/documents.hpp"
#include "host/tokenizer/shards/in_order.hpp"

namespace weft::tokenizer {
namespace {

struct Counted {
  WordCounts words;
  std::uint64_t bytes = 0, taken = 0;
};

Counted count(const Part& part, const std::string& field) {
  Counted counted;
  counted.taken = part.taken;
  std::vector<std::uint32_t> ends;
  for_each_document(part, field, [&](std::string_view text, bool) {
    ends.clear();
    Gpt2Splitter().split(text, ends);
    std::uint32_t begin = 0;
    for (const std::uint32_t end : ends) {
      ++counted.words[std::string(text.substr(begin, end - begin))];
      begin = end;
    }
    counted.bytes += text.size();
  });
  return counted;
}

}  // namespace

WordCounts count_words(Parts& parts, const std::string& field, int threads,
                       const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  WordCounts words;
  std::uint64_t bytes = 0;
  const auto worker = [&] { return [&field](const Part& part) { return count(part, field); }; };
  in_order(parts, threads, worker, [&](const Counted& counted) {
    for (const auto& [word, times] : counted.words) words[word] += times;
    progress(counted.taken, bytes += counted.bytes);
  });
  return words;
}

}  // namespace weft::tokenizer
