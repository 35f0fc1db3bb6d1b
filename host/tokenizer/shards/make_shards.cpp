#include "host/tokenizer/shards/make_shards.hpp"

#include <fmt/format.h>

#include <ctime>

#include "host/tokenizer/shards/documents.hpp"
#include "host/tokenizer/shards/in_order.hpp"

namespace weft::tokenizer {
namespace {

double thread_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// The result of encoding a part.
struct Encoded {
  std::vector<std::uint32_t> ids;
  std::uint64_t documents = 0, bytes = 0, taken = 0;
  double seconds = 0;
};

Encoded encode(TextEncoder& encoder, const Part& part, const ShardOptions& options) {
  const double begin = thread_seconds();
  Encoded encoded;
  encoded.taken = part.taken;
  for_each_document(part, options.field, [&](std::string_view text, bool ends) {
    encoder.encode(text, encoded.ids);
    encoded.bytes += text.size();
    encoded.documents += ends ? 1 : 0;
    if (ends && options.eot) encoded.ids.push_back(*options.eot);
  });
  encoded.seconds = thread_seconds() - begin;
  return encoded;
}

}  // namespace

ShardTotals make_shards(Parts& parts, const TextTokenizer& tokenizer, const ShardOptions& options, ShardWriter& writer,
                        const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  ShardTotals totals;
  const auto worker = [&] {
    return [&options, encoder = tokenizer.encoder()](const Part& part) { return encode(*encoder, part, options); };
  };
  in_order(parts, options.threads, worker, [&](const Encoded& encoded) {
    writer.write(encoded.ids);
    totals.documents += encoded.documents;
    totals.bytes += encoded.bytes;
    totals.encode_seconds += encoded.seconds;
    progress(encoded.taken, totals.bytes);
  });
  return totals;
}

}  // namespace weft::tokenizer
