/// Reads and writes whose results a test determines.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "host/memoryx/pages/page_io.hpp"

namespace weft::memoryx {

class FaultyIo final : public PageIo {
 public:
  /// Inspects a request and may change the data read; returns an errno, PageIo::kCutShort or 0. `number` counts reads
  /// and writes separately, from 1.
  using Fault = std::function<int(const PageRequest& request, int number)>;

  FaultyIo(std::unique_ptr<PageIo> inner, Fault fault) : fault_(std::move(fault)), inner_(std::move(inner)) {}

  void begin(Done done) override {
    inner_->begin([this, done = std::move(done)](const PageRequest& request, int error) {
      const int wrong = fault_(request, ++(request.write ? writes_ : reads_));
      done(request, error != 0 ? error : wrong);
    });
  }
  void start(std::span<const PageRequest> requests) override { inner_->start(requests); }
  std::string name() const override { return "faulty"; }

 private:
  Fault fault_;
  std::atomic<int> reads_ = 0, writes_ = 0;
  std::unique_ptr<PageIo> inner_;
};

}  // namespace weft::memoryx
