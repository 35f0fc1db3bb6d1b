/// What tests may ask of the functional model, besides what every wafer says.
#pragma once

#include "verif/wafer.hpp"

namespace weft {

/// What make_model_wafer() makes.
class ModelWafer : public Wafer {
 public:
  /// Rows still run in step; if not, every tile is on its own. Waits as `counters` does.
  virtual bool in_step() const = 0;
  /// Makes every tile go on on its own from here, as if the program asked for it.
  virtual void leave_step() = 0;
};

}  // namespace weft
