"""Folders of runs: what a run keeps there, and what weft status reads."""
from deeds import TRAINED, in_shell, setting, words
from follow import Case

# Hints that other tests follow.
ELSEWHERE = {
    "move it away; the same command continues": "MetricsFileTest.OneThatSomebodyDeletesIsWrittenAgainAsAWhole",
    "check the disk": "MetricsFileTest.AfterADiskThatFailedTheLinesAreKeptOnceItWorks",
}

AGAIN = TRAINED + " --max_steps 2"

CASES = [
    Case("status of nothing", "name the runconfig.model_dir of a run: weft status --model_dir DIR", command=["status"],
         before=TRAINED, how=words("--model_dir", "out")),
    Case("status of another folder", "name the runconfig.model_dir of a run", command=["status"], words=["--model_dir", "d"],
         before=TRAINED + "; mkdir d", how=words("--model_dir", "out")),
    Case("status of no folder", "name the runconfig.model_dir of a run", command=["status"], words=["--model_dir", "d"],
         before=TRAINED, how=words("--model_dir", "out")),
    Case("a status that is damaged", "a running run writes a new one within about a second", command=["status"],
         words=["--model_dir", "out"], before=TRAINED + "; sed -i s/1/2/ out/status.json", how=in_shell(AGAIN)),
    Case("metrics that are damaged", "restore the file, or move it away to begin another one", words=["--max_steps", "2"],
         before=TRAINED + "; sed -i s/loss/less/ out/metrics.jsonl", how=in_shell("mv out/metrics.jsonl theirs")),
    Case("no room for events", "make room, or set runconfig.model_dir to a folder you may write to",
         words=["--mode", "train_and_eval", "--runconfig.eval_frequency", "1", "--eval_input.data_dir", "corpus.txt"],
         before="mkdir out; touch out/eval", how=setting("runconfig.model_dir", "out2")),
]
