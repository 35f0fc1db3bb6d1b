#!/usr/bin/env python3
"""The launch line of the text, word for word, on a cluster with Slurm: launch_test.py WEFT."""
import pathlib
import shutil
import sys

from small_cluster import CLUSTER, ROOT, SmallCluster, main

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
LAUNCH = """csrun_wse python-ws -m train -o gpt3_xl_pile -p
configs/params_gpt3_xl_pile.yaml --cs_ip $CS_IP --max_steps 2000""".replace("\n", " ")


class Launch(SmallCluster):
    def launch(self, address, code):
        """Launches in a folder whose configs/params_gpt3_xl_pile.yaml is a model small enough for any machine."""
        configs = pathlib.Path(self.base, "configs")
        configs.mkdir(exist_ok=True)
        shutil.copy(ROOT / "configs/corpus.txt", configs)
        shutil.copy(ROOT / "configs/gpt_tiny.yaml", configs / "params_gpt3_xl_pile.yaml")
        env = {**self.env, "WEFT": str(WEFT), "CS_IP": address}
        line = f"source {ROOT}/scripts/gpt/venv_appliance/bin/activate\n{LAUNCH}"
        return self.run_it(CLUSTER, "exec", "bash", "-c", line, code=code, env=env)

    def test_its_words_reach_the_run_on_the_node(self):
        self.assertIn("the board at udp:127.0.0.1:9 does not answer", self.launch("127.0.0.1:9", 2))
        self.assertIn("--cs_ip: has no address", self.launch("", 2))


del SmallCluster
if __name__ == "__main__":
    main()
