"""Disks that are full, folders that others use, limits that are too low."""
from deeds import DISK, TRAINED, setting, wrapped
from follow import Case

LOCKED = "mkdir -p out; exec 9>>out/.lock; flock -n 9"
KEEP = ["--runconfig.keep_checkpoint_max", "1", "--runconfig.checkpoint_steps", "1", "--max_steps", "3"]
BUSY = 'unshare -Urm true 2>/dev/null || exit 77; exec unshare -Urm bash -c "touch over; mount --bind out/checkpoint_1.safetensors out/checkpoint_1.safetensors && exec \\"\\$@\\"" - "$@"'

CASES = [
    Case("a full disk", "make room, or set runconfig.model_dir to a folder on another disk", wrap=DISK.format("24k", "out"),
         how=wrapped(DISK.format("4m", "out"))),
    Case("a full disk for moments", "make room, set memoryx.flash_dir to a folder on another disk, or leave memoryx.dram_gib out", wrap=DISK.format("4k", "disk"),
         words=["--memoryx.dram_gib", "0.0002", "--memoryx.flash_dir", "disk"], how=setting("memoryx.flash_dir", "out")),
    Case("a file that may not grow", "raise the limit on the size of a file (ulimit -f), or name another file system", given=TRAINED, command=["export"],
         words=["--to", "hf", "hf", "--params", "mine.yaml", "--model_dir", "out"], wrap="trap '' XFSZ; ulimit -f 1",
         how=wrapped("")),
    Case("few open files", "raise the limit on open files (ulimit -n), or close some", wrap="ulimit -n 10", how=wrapped("")),
    Case("a folder in use", "wait for its end, or set another runconfig.model_dir", wrap=LOCKED, how=setting("model_dir", "new")),
    Case("a folder in use until its run ends", "wait for its end", wrap=LOCKED, how=wrapped("")),
    Case("a lock that is a folder", "move it away, or set another runconfig.model_dir", before="mkdir -p out/.lock",
         how=setting("model_dir", "new")),
    Case("a checkpoint that cannot be deleted", "delete it yourself, or set runconfig.keep_checkpoint_max 0", given=TRAINED, words=KEEP,
         wrap=BUSY, how=setting("runconfig.keep_checkpoint_max", "0")),
]
