#include "host/inspect/profile/png.hpp"

#ifdef WEFT_CAIRO
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>

#include "host/checkpoint/file.hpp"
#include "host/inspect/profile/print.hpp"
#include "host/inspect/profile/roofline.hpp"
#endif
#include "sw/base/refusal.hpp"

namespace weft::inspect::profile {

#ifdef WEFT_CAIRO
namespace {

class Picture {
 public:
  Picture(int width, int height)
      : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)), cairo_(cairo_create(surface_.get())) {
    cairo_set_source_rgb(get(), 1, 1, 1);
    cairo_paint(get());
    cairo_select_font_face(get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    ink();
  }
  cairo_t* get() { return cairo_.get(); }
  void ink() { cairo_set_source_rgb(get(), 0.1, 0.1, 0.1); }
  void text(double x, double y, const std::string& words, double size = 12) {
    cairo_set_font_size(get(), size);
    cairo_move_to(get(), x, y);
    cairo_show_text(get(), words.c_str());
  }
  void box(double x, double y, double w, double h, Color c) {
    cairo_set_source_rgb(get(), c.red / 255.0, c.green / 255.0, c.blue / 255.0);
    cairo_rectangle(get(), x, y, w, h);
    cairo_fill(get());
    ink();
  }
  void write(const std::filesystem::path& path) {
    Written written{checkpoint::AtomicFile(path), nullptr};
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface_.get(), append, &written);
    if (written.failure) std::rethrow_exception(written.failure);
    if (status != CAIRO_STATUS_SUCCESS)
      throw Refusal(path.string(), cairo_status_to_string(status), "name a folder that can be written");
    written.file.commit();
  }

 private:
  struct Written {
    checkpoint::AtomicFile file;
    std::exception_ptr failure;  // an exception caught in the C callback
  };
  static cairo_status_t append(void* written, const unsigned char* data, unsigned length) {
    auto& to = *static_cast<Written*>(written);
    try {
      to.file.write({data, length});
      return CAIRO_STATUS_SUCCESS;
    } catch (...) {
      to.failure = std::current_exception();
      return CAIRO_STATUS_WRITE_ERROR;
    }
  }
  struct Destroy {
    void operator()(cairo_surface_t* s) const { cairo_surface_destroy(s); }
    void operator()(cairo_t* c) const { cairo_destroy(c); }
  };
  std::unique_ptr<cairo_surface_t, Destroy> surface_;
  std::unique_ptr<cairo_t, Destroy> cairo_;
};

constexpr int kMargin = 16, kMap = 232, kTitle = 38;

void heat(const Profile& profile, const std::filesystem::path& file) {
  const std::vector<Sum> kinds = by_kind(profile);
  const int across = 5, rows = profile.wafer.rows, cols = profile.wafer.cols;
  const double cell = std::min(28.0, static_cast<double>(kMap - kMargin) / cols);
  const int height = kTitle + static_cast<int>(cell * rows) + kMargin;
  const int lines = (static_cast<int>(kinds.size()) + across - 1) / across;
  Picture picture(across * kMap + 2 * kMargin, lines * height + 3 * kMargin + 40);
  picture.text(kMargin, 24, "Beats a cycle of each tile's vector unit (north above, the host in the west)", 14);
  for (int i = 0; i <= 100; ++i) picture.box(kMargin + 2 * i, 34, 2, 12, heat_color(i / 100.0));
  picture.text(kMargin, 60, "0 %", 10);
  picture.text(kMargin + 180, 60, "100 %", 10);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const Sum& sum = kinds[k];
    const double left = kMargin + static_cast<double>(k % across) * kMap;
    const double top = 40 + 2 * kMargin + static_cast<double>(k / across) * height;
    picture.text(left, top + 14, sum.name, 12);
    picture.text(left, top + 28,
                 fmt::format("{:.0f} cycles, {:.0f} % busy", sum.mean(),
                             100 * (sum.part(0, isa::StallReason::Issued) + sum.part(1, isa::StallReason::Issued))),
                 10);
    for (int row = 0; row < rows; ++row)
      for (int col = 0; col < cols; ++col)
        picture.box(left + col * cell, top + kTitle + row * cell, cell - 1, cell - 1,
                    heat_color(sum.busy(static_cast<std::size_t>(row * cols + col))));
  }
  picture.write(file);
}

void roof(const Profile& profile, const std::filesystem::path& file) {
  const Roofline r = roofline(profile);
  Picture picture(1000, std::max(640, 80 + 15 * static_cast<int>(r.points.size())));
  if (r.points.empty()) return picture.write(file);
  double left = r.lanes / r.valves / 8, right = r.lanes / r.valves * 8, low = r.lanes / 8;
  for (const RooflinePoint& p : r.points) {
    left = std::min(left, p.intensity / 2);
    right = std::max(right, p.intensity * 2);
    low = std::min(low, p.rate / 2);
  }
  const double high = r.lanes * 1.5;
  const auto x = [&](double v) { return 80 + 580 * std::log(v / left) / std::log(right / left); };
  const auto y = [&](double v) { return 590 - 530 * std::log(v / low) / std::log(high / low); };
  picture.text(80, 30, "Multiply-adds per cycle, and their bounds", 14);
  const auto decades = [](double from, double to, const auto& draw) {
    for (double v = std::pow(10, std::ceil(std::log10(from))); v <= to; v *= 10) draw(v);
  };
  cairo_set_line_width(picture.get(), 0.5);
  decades(left, right, [&](double v) {
    cairo_move_to(picture.get(), x(v), y(low));
    cairo_line_to(picture.get(), x(v), y(high));
    cairo_stroke(picture.get());
    picture.text(x(v) - 8, 606, fmt::format("{:g}", v), 11);
  });
  decades(low, high, [&](double v) {
    cairo_move_to(picture.get(), x(left), y(v));
    cairo_line_to(picture.get(), x(right), y(v));
    cairo_stroke(picture.get());
    picture.text(46, y(v) + 4, fmt::format("{:g}", v), 11);
  });
  picture.text(300, 628, "multiply-adds for each message in", 12);
  cairo_set_line_width(picture.get(), 2);
  const double knee = r.lanes / r.valves, start = std::max(left, low / r.valves);
  cairo_move_to(picture.get(), x(start), y(r.ceiling(start)));
  cairo_line_to(picture.get(), x(knee), y(r.lanes));
  cairo_line_to(picture.get(), x(right), y(r.lanes));
  cairo_stroke(picture.get());
  for (std::size_t i = 0; i < r.points.size(); ++i) {
    const RooflinePoint& p = r.points[i];
    cairo_set_source_rgb(picture.get(), 0.75, 0.2, 0.25);
    cairo_arc(picture.get(), x(p.intensity), y(p.rate), 4, 0, 2 * M_PI);
    cairo_fill(picture.get());
    picture.ink();
    const std::string number = std::to_string(i + 1);
    picture.text(x(p.intensity) + 5, y(p.rate) - 4, number, 9);
    picture.text(690, 60 + 15 * static_cast<double>(i), fmt::format("{:>2}  {}: {:.1f}", number, p.name, p.rate), 10);
  }
  picture.write(file);
}

}  // namespace

void check_cairo() {}

void write_pictures(const Profile& profile, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Refusal(folder.string(), error.message(), "name a folder that can be written").caused_by(error.value());
  heat(profile, folder / "heat.png");
  roof(profile, folder / "roofline.png");
}

#else

void check_cairo() { throw Refusal("--png", "this program is built without cairo", "make profile installs it"); }
void write_pictures(const Profile&, const std::filesystem::path&) { check_cairo(); }

#endif

}  // namespace weft::inspect::profile
