/* axpy_c FILE: the program examples/axpy.s in C; prints y of the last tile, an error, and an interruption. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <weft/weft.h>

static int stop(void* context, const char* what, uint64_t done, uint64_t all) {
  (void)what, (void)done, (void)all;
  return ++*(int*)context > 0;
}

int main(int count, char** words) {
  enum { kRows = 2, kCols = 3, kN = 16, kAll = kRows * kCols * kN };
  float x[kAll], y[kAll];
  const weft_named parameters[] = {{"N", kN}, {"GAP", 16}};
  const weft_named settings[] = {{"sram_kib", 4}, {"lanes", 4}};
  weft_named arguments[] = {{"a", 0}};
  weft_layout* layout = weft_layout_new();
  uint64_t cycles = 0;
  int rows, elements, asked = 0;
  const char* type;
  (void)count;
  arguments[0].value = weft_bf16_bits(0.5);
  if (weft_abi_version() < WEFT_ABI_VERSION || weft_layout_program(layout, words[1], parameters, 2, NULL)) return 1;
  for (int backend = 0; backend < 2; ++backend) {
    weft_wafer* wafer = weft_wafer_new(kRows, kCols, backend ? "rtl" : "model", settings, 2);
    for (int i = 0; i < kAll; ++i) x[i] = (float)i, y[i] = 1;
    if (!wafer || weft_wafer_load(wafer, layout, 1) || weft_wafer_set_floats(wafer, "x", x, kAll) ||
        weft_wafer_set_floats(wafer, "y", y, kAll) || weft_wafer_run(wafer, "axpy", arguments, 1, 1) ||
        weft_wafer_get_floats(wafer, "y", y, kAll) || weft_wafer_counter(wafer, "cycles", &cycles) ||
        weft_wafer_array(wafer, "y", &rows, NULL, &elements, &type)) {
      puts(weft_error_text());
      return 1;
    }
    printf("%g %d %d %d %s\n", (double)y[kAll - 1], cycles > 0, rows, elements, type);
    if (weft_wafer_run(wafer, "axpi", arguments, 1, 1) != WEFT_REFUSED) return 1;
    printf("%s|%s|%s\n", weft_error_subject(), weft_error_problem(), weft_error_hint());
#if WEFT_ABI_VERSION >= 2
    weft_debugger* debugger = weft_wafer_debug(wafer, "axpy", arguments, 1);
    const char* output;
    if (!debugger || weft_debugger_command(debugger, "break axpy 1,2", &output) ||
        weft_debugger_command(debugger, "continue", &output) ||
        strncmp(output, "stop 0: tile 1,2 main is at ", 28) != 0 || weft_wafer_debug(wafer, "axpi", NULL, 0))
      return 1;
    weft_debugger_free(debugger);
#endif
    weft_wafer_observe(wafer, stop, &asked);
    if (backend && weft_wafer_set_floats(wafer, "x", x, kAll - 1) != WEFT_REFUSED) return 1;
    weft_wafer_free(wafer);
  }
  weft_layout_free(layout);
  puts(weft_error_text());
  return 0;
}
