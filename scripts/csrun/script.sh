# shellcheck shell=bash disable=SC2154,SC2016
# Generates the shell text that starts the ranks and waits for them. Sourced by csrun_wse, whose variables it reads.

quoted() {  # the words as the shell reads them
  local line
  printf -v line '%q ' "$@"
  printf '%s' "${line% }"
}

directive() {  # the words as sbatch reads them in a script: in quotes, if they have more than plain characters
  local word line=""
  for word in "$@"; do
    if [[ "$word" =~ ^[A-Za-z0-9_./,:%=@+-]*$ ]]; then line+="$word "; else line+="\"${word//\"/\\\"}\" "; fi
  done
  printf '%s' "${line% }"
}

# Starts "${step[@]}" and waits for it. A signal interrupts `wait`; its trap then sets `signaled`. Then `code` is the
# root's exit code from the file that its rank wrote, or else srun's own.
step_text() {
  cat <<'END'
mkdir -p "$CSRUN_LOGS"
rm -f "$CSRUN_LOGS/exit_code"
"${step[@]}" <&0 &
srun=$!
wait "$srun"
code=$?
while [ -n "$signaled" ]; do
  signaled=""
  wait "$srun"
  code=$?
done
if [ -s "$CSRUN_LOGS/exit_code" ]; then
  code=$(cat "$CSRUN_LOGS/exit_code")
elif [ "$code" = 0 ]; then
  echo "csrun_wse: the root left no exit code in $CSRUN_LOGS. HINT: its node is lost, or --output is not a folder that all nodes see" >&2
  code=1
fi
END
}

# Console: Ctrl-C and other termination signals send SIGUSR1 to all ranks (they save and stop); a second one sends
# SIGTERM. srun runs in a session of its own, because otherwise it would receive Ctrl-C, too.
console_text() {
  cat <<END
export CSRUN_LOGS=$(quoted "$output/$name-$(date +%Y%m%d-%H%M%S)-$$") CSRUN_LABEL=$label
step=(setsid $(quoted "${step[@]}" "${asked[@]}" "${ranks[@]}"))
[ $nodes = 1 ] || [ -n "\$CSRUN_LABEL" ] || echo "csrun_wse: $nodes ranks; all but the root write to \$CSRUN_LOGS/rank_N.log" >&2
END
  cat <<'END'
signaled="" signal=USR1
tell() {
  signaled=1
  [ "$signal" != USR1 ] || echo "csrun_wse: all ranks are asked to save and stop; once more: to stop at once" >&2
  kill -"$signal" "$srun" 2>/dev/null
  signal=TERM
}
trap tell INT TERM HUP USR1
[ ! -t 0 ] || exec </dev/null
END
  step_text
  echo 'exit "$code"'
}

# Batch job: two minutes before the time limit Slurm sends SIGUSR1 to this script, which forwards it to the ranks.
# `scancel` sends SIGTERM to all of them; a canceled job is not restarted, although it reports "interrupted", too.
batch_text() {
  local log=%x-%j.log
  [ -z "$array" ] || log=%x-%A_%a.log
  cat <<END
#!/usr/bin/env bash
#SBATCH $(directive "${asked[@]}")
#SBATCH --requeue --no-kill --signal=B:USR1@120 --open-mode=append
#SBATCH $(directive "--output=${output//%/%%}/$log")${array:+
#SBATCH $(directive "--array=$array")}
job=\${SLURM_ARRAY_JOB_ID:+\${SLURM_ARRAY_JOB_ID}_\$SLURM_ARRAY_TASK_ID}
job=\${job:-\$SLURM_JOB_ID}
export CSRUN_LOGS=$(quoted "$output/$name")-\$job CSRUN_LABEL=$label
step=($(quoted "${step[@]}" "${ranks[@]}"))
requeues=$requeues restarts=\${SLURM_RESTART_COUNT:-0}
END
  cat <<'END'
signaled="" srun=""
trap 'signaled=1; kill -USR1 "$srun" 2>/dev/null' USR1
trap 'signaled=1' TERM
END
  step_text
  cat <<'END'
# 130: interrupted, 137: killed, perhaps out of memory. The same command continues, after 137 from the checkpoint.
# A job of an array is requeued by number and index; its number alone would restart the whole array.
case "$code" in
  130) why="interrupted" ;;
  137) why="the root was killed" ;;
  *) why="" ;;
esac
if [ -n "$why" ] && [ -n "$(squeue --noheader --states=RUNNING --jobs="$job")" ]; then
  if [ "$restarts" -lt "$requeues" ]; then
    echo "csrun_wse: $why; continues, restart $((restarts + 1)) of at most $requeues"
    scontrol requeue "$job"
  else
    echo "csrun_wse: $why, and restarted $restarts times already. HINT: --requeues N, or sbatch it again"
  fi
fi
exit "$code"
END
}
