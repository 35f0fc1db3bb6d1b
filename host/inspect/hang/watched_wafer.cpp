#include "host/inspect/hang/watched_wafer.hpp"

#include <fmt/format.h>

#include "host/checkpoint/file.hpp"
#include "host/inspect/hang/core_file.hpp"
#include "sw/deadlock/report.hpp"

namespace weft::inspect {
namespace {

class WatchedWafer final : public Wafer {
 public:
  WatchedWafer(std::unique_ptr<Wafer> wafer, std::filesystem::path folder, std::function<deadlock::Core()> known,
               std::function<void()> begins)
      : wafer_(std::move(wafer)), folder_(std::move(folder)), known_(std::move(known)), begins_(std::move(begins)) {}

  const machine::WaferShape& shape() const override { return wafer_->shape(); }
  void feed(std::span<const machine::Message> messages) override {
    watch([&] { wafer_->feed(messages); });
  }
  void feed_group(int group, std::span<const machine::Message> messages) override {
    watch([&] { wafer_->feed_group(group, messages); });
  }
  void feed_piece(const machine::StreamPiece& piece) override {  // leaves the expansion to the wafer, if it needs any
    watch([&] { wafer_->feed_piece(piece); });
  }
  void await(std::span<const std::uint64_t> totals) override {
    watch([&] { wafer_->await(totals); });
  }
  void settle() override {
    watch([&] { wafer_->settle(); });
  }
  void reset() override { wafer_->reset(); }
  std::vector<std::uint32_t>& outlet(int row) override { return wafer_->outlet(row); }
  std::vector<std::uint16_t> sram(int row, int col) const override { return wafer_->sram(row, col); }
  machine::TileState state(int row, int col) const override { return wafer_->state(row, col); }
  void at(const machine::StreamPlace& place) override {
    if (begins_ && place.phase != "load" && place.phase != "tokens") begins_();
    wafer_->at(place);
  }
  bool count_progress(std::atomic<std::uint64_t>& count) override { return wafer_->count_progress(count); }
  WaferCounters counters() const override { return wafer_->counters(); }
  std::vector<std::uint64_t> row_beats() const override { return wafer_->row_beats(); }
  std::string flags() const override { return wafer_->flags(); }

 private:
  template <class Work>
  void watch(const Work& work) {
    try {
      work();
    } catch (const WaferHang& hang) {
      if (!hang.hang_snapshot) throw;
      throw reported(hang);
    }
  }

  WaferHang reported(const WaferHang& hang) const {
    deadlock::Core core = known_();
    core.hang_snapshot = *hang.hang_snapshot;
    const std::string report = deadlock::report(core.hang_snapshot, &core.program);
    const machine::StreamPlace& place = core.hang_snapshot.place;
    const std::string name = fmt::format("wafer_{}_step_{}", std::max(place.wafer, 0), place.step + 1);
    std::string text = "the wafer hangs: " + report.substr(0, report.find('\n'));
    if (!place.phase.empty()) text += "; the host was at " + place.phase;
    try {
      std::filesystem::create_directories(folder_);
      checkpoint::AtomicFile file(folder_ / (name + ".hang.txt"));
      file.write(report);
      file.commit();
      write_core(core, folder_ / (name + ".weftcore"));
      text += fmt::format("; report {}, core dump {}", (folder_ / (name + ".hang.txt")).string(),
                          (folder_ / (name + ".weftcore")).string());
    } catch (const std::exception& error) {
      text += std::string("; no core dump: ") + error.what();
    }
    return {text, hang.hang_snapshot};
  }

  const std::unique_ptr<Wafer> wafer_;
  const std::filesystem::path folder_;
  const std::function<deadlock::Core()> known_;
  const std::function<void()> begins_;
};

}  // namespace

std::unique_ptr<Wafer> watched(std::unique_ptr<Wafer> wafer, std::filesystem::path folder,
                               std::function<deadlock::Core()> known, std::function<void()> begins) {
  return std::make_unique<WatchedWafer>(std::move(wafer), std::move(folder), std::move(known), std::move(begins));
}

}  // namespace weft::inspect
