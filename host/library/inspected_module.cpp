/// The only function of libweft-inspected.so (host/programs/inspected.hpp).
#include "sw/machine/shape.hpp"
#include "verif/wafer.hpp"

extern "C" __attribute__((visibility("default"))) weft::Wafer* weft_make_inspected_wafer(
    const weft::machine::WaferShape* shape, int threads) {
  return weft::make_rtl_wafer(*shape, threads).release();
}
