/* A wafer of a program's own, for C (docs/reference/c_abi.md): libweft-c.so.
 *
 * Functions that return int return WEFT_OK, or another weft_status; the text of the error is weft_error_text() of the
 * same thread. A wafer is used by one thread at a time. Names are in UTF-8. Pointers that are passed are not kept. */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_C __attribute__((visibility("default")))

/* Version of these declarations. A library of a version has all functions of the versions before it, with the same
 * meaning: weft_abi_version() >= WEFT_ABI_VERSION. */
#define WEFT_ABI_VERSION 2

enum weft_status {
  WEFT_OK = 0,
  WEFT_FAILED = 1,      /* of the system, a board, or a bug */
  WEFT_REFUSED = 2,     /* the caller can correct it, as the hint says */
  WEFT_INTERRUPTED = 3, /* by weft_interrupted; the layout must be loaded again */
};

/* The tiles to which a stream brings words (docs/reference/programs.md, Streams), and what `tiles` of
 * weft_layout_stream() holds. */
enum weft_way {
  WEFT_SHIFT = 1,     /* one: the direction, as rows and columns */
  WEFT_BROADCAST = 2, /* one: the source. A row of -1: its column of each row; a column of -1: its row of each column */
  WEFT_GATHER = 3,    /* none */
  WEFT_PATH = 4,      /* all, in order */
};

/* Collectives (docs/reference/programs.md). */
enum weft_collective {
  WEFT_COLLECTIVE_BROADCAST = 0,
  WEFT_COLLECTIVE_REDUCE = 1,
  WEFT_COLLECTIVE_ALL_REDUCE = 2,
  WEFT_COLLECTIVE_GATHER = 3,
  WEFT_COLLECTIVE_SCATTER = 4,
  WEFT_COLLECTIVE_TRANSPOSE = 5,
};
enum weft_along { WEFT_ROWS = 0, WEFT_COLUMNS = 1, WEFT_ALL = 2 };

typedef struct weft_layout weft_layout;
typedef struct weft_wafer weft_wafer;
typedef struct weft_debugger weft_debugger;

/* A name with a number: a parameter of a program, an argument of a kernel, a setting of a wafer. */
typedef struct weft_named {
  const char* name;
  int value;
} weft_named;

typedef struct weft_tile {
  int row, col;
} weft_tile;

/* A rectangle of tiles. With 0 rows or columns it reaches to the last one. A null pointer means all tiles. */
typedef struct weft_region {
  int row, col, rows, cols;
} weft_region;

/* Called in the calling thread from time to time; true ends the work. `done`: cycles of a run, or parts of a transfer,
 * of which there are `all`. */
typedef int (*weft_interrupted)(void* context, const char* what, uint64_t done, uint64_t all);

WEFT_C int weft_abi_version(void);
/* As `weft --version` prints it. */
WEFT_C const char* weft_version(void);

/* "subject: problem. HINT: action." of this thread's last call that failed, and its parts. They stay until the next. */
WEFT_C const char* weft_error_text(void);
WEFT_C const char* weft_error_subject(void);
WEFT_C const char* weft_error_problem(void);
WEFT_C const char* weft_error_hint(void);

/* The bits of the bf16 nearest to a number, for arguments. */
WEFT_C int weft_bf16_bits(double value);

/* Null: out of memory. */
WEFT_C weft_layout* weft_layout_new(void);
WEFT_C void weft_layout_free(weft_layout* layout);
WEFT_C int weft_layout_program(weft_layout* layout, const char* file, const weft_named* parameters, size_t count,
                               const weft_region* region);
/* `name`: of errors. */
WEFT_C int weft_layout_program_text(weft_layout* layout, const char* text, const char* name,
                                    const weft_named* parameters, size_t count, const weft_region* region);
/* `color`: 0 chooses one. */
WEFT_C int weft_layout_stream(weft_layout* layout, const char* name, int way, const weft_tile* tiles, size_t count,
                              int color, const weft_region* region);

/* `other`: the second array of gather, scatter and transpose, otherwise null. `root` null: the first tile. */
WEFT_C int weft_layout_collective(weft_layout* layout, const char* name, int collective, const char* array,
                                  const char* other, int along, const weft_tile* root, const weft_region* region);

/* `backend`: model, rtl, emulated, udp:ADDRESS, or a serial device. Settings: lanes, sram_kib, threads, baud, inspect,
 * general (from version 2). Returns null on errors. */
WEFT_C weft_wafer* weft_wafer_new(int rows, int cols, const char* backend, const weft_named* settings, size_t count);
WEFT_C void weft_wafer_free(weft_wafer* wafer);
/* `interrupted` null: calls run to their end. */
WEFT_C int weft_wafer_observe(weft_wafer* wafer, weft_interrupted interrupted, void* context);
/* `check`: refuse a layout with a kernel that deadlocks with any arguments. */
WEFT_C int weft_wafer_load(weft_wafer* wafer, const weft_layout* layout, int check);

/* Rows and columns of the array's region, elements of a tile, and "bf16", "int16" or "fp32". Any pointer may be null.
 */
WEFT_C int weft_wafer_array(weft_wafer* wafer, const char* array, int* rows, int* cols, int* elements,
                            const char** type);
/* [row][col][element] of an array of bf16 (rounded to nearest) or fp32, or of int16; `count`: of all. */
WEFT_C int weft_wafer_set_floats(weft_wafer* wafer, const char* array, const float* values, size_t count);
WEFT_C int weft_wafer_set_int16(weft_wafer* wafer, const char* array, const int16_t* values, size_t count);
WEFT_C int weft_wafer_get_floats(weft_wafer* wafer, const char* array, float* values, size_t count);
WEFT_C int weft_wafer_get_int16(weft_wafer* wafer, const char* array, int16_t* values, size_t count);

/* `check`: prove first that the run cannot deadlock. */
WEFT_C int weft_wafer_run(weft_wafer* wafer, const char* kernel, const weft_named* arguments, size_t count, int check);
/* Words that the last run sent to the host from a row of tiles: copies at most `room` and sets `count` to their number.
 */
WEFT_C int weft_wafer_words(weft_wafer* wafer, int row, uint32_t* words, size_t room, size_t* count);
/* Work since weft_wafer_load(): cycles, beats, multiply_adds, messages. */
WEFT_C int weft_wafer_counter(weft_wafer* wafer, const char* counter, uint64_t* value);

/* From version 2. A debugger (docs/howto/debugging.md) at the beginning of a run, with a wafer of its own that has the
 * current contents of the arrays; `wafer` runs nothing, and may be freed. Returns null on errors, as on a board. */
WEFT_C weft_debugger* weft_wafer_debug(weft_wafer* wafer, const char* kernel, const weft_named* arguments,
                                       size_t count);
WEFT_C void weft_debugger_free(weft_debugger* debugger);
/* From version 2. Executes a command line, such as "break mine.s:12". `output`: what it prints, until the debugger's
 * next call; a wrong line prints a message with a hint, and WEFT_OK is returned. */
WEFT_C int weft_debugger_command(weft_debugger* debugger, const char* line, const char** output);

#undef WEFT_C

#ifdef __cplusplus
}
#endif

#endif
