"""Keys of the Model Zoo: they leave the file, or another key is set."""
import pathlib

from deeds import both, editing, in_shell, setting, words
from follow import Case

CSRUN = str(pathlib.Path(__file__).resolve().parents[3] / "scripts/csrun_wse")
PHASE = """learning_rate:
    - scheduler: Linear
      initial_learning_rate: 0.01
      end_learning_rate: 0.001
      total_iters: 1
"""


def there(section, name, value):
    """The edit that adds a key to a section."""
    return [(f"{section}:\n", f"{section}:\n  {name}: {value}\n")]


def instead(section, name, value, hint, *deeds):
    """The key leaves the file, and something else is done."""
    return Case(f"zoo {section} {name}", hint, edits=there(section, name, value),
                how=both(editing(f"  {name}: {value}\n", ""), *deeds))


def flag(name, value, hint, *deeds):
    """A flag of the Zoo's programs leaves the command line, and something else is done."""
    return Case(f"zoo --{name}", hint, words=[f"--{name}", value], how=both(words(), *deeds))


def trainer(name, hint, wrong, right, edits=()):
    """A section `trainer` next to other sections."""
    return Case(f"zoo trainer: {name}", hint, edits=[("wafer:\n", f"trainer:\n{wrong}wafer:\n"), *edits], how=editing(wrong, right))


def csrun(option, value):
    """The run is started by csrun_wse, whose line for srun has the option."""
    line = f"{CSRUN} --dry-run --nodes 1 {option} {value} WEFT run --params mine.yaml --model_dir out"
    return in_shell(f"{line} | grep -e '{option}[= ]{value}'")


# Each hint gives the reason and says to leave the key out.
CASES = [Case(f"zoo {section} {name}", "leave it out", edits=there(section, name, value),
              how=lambda run, hint: run.drop("", run.said)) for section, name, value in [
    ("model", "dropout_rate", "0.1"), ("model", "nonlinearity", "relu"), ("model", "fp16_type", "cbfloat16"),
    ("model", "position_embedding_type", "alibi"), ("model", "attention_type", "dot_product"), ("model", "norm_type", "rmsnorm"),
    ("model", "fixed_sparse_attention", "local"), ("model", "num_kv_groups", "1"), ("model", "lora_params", "{r: 4}"),
    ("model", "initializer", "{name: uniform}"), ("model", "loss_scaling", "batch_size"), ("model", "loss_weight", "3"),
    ("model", "tf_summary", "true"), ("model", "attention_kernel", "fast"), ("model", "pos_scaling_factor", "2"),
    ("train_input", "data_processor", "BertDataProcessor"), ("train_input", "shuffle_buffer", "9"),
    ("train_input", "drop_last", "true"), ("train_input", "add_special_tokens", "true"), ("train_input", "repeat", "false"),
    ("optimizer", "amsgrad", "true"), ("optimizer", "maximize", "true"), ("optimizer", "grad_accum_steps", "2"),
    ("runconfig", "enable_distributed", "true"), ("runconfig", "compile_only", "true"), ("runconfig", "experimental", "{a: 1}"),
    ("runconfig", "is_pretrained_checkpoint", "false"), ("runconfig", "autoload_last_checkpoint", "false"),
    ("runconfig", "init_method", "tcp://10.0.0.1:29500"), ("runconfig", "check_loss_values", "false"),
    ("runconfig", "mount_dirs", "/data"), ("runconfig", "num_wgt_servers", "2"),
    ("runconfig", "disable_strict_checkpoint_loading", "true"), ("runconfig", "load_checkpoint_states", "model"),
    ("model", "name", "T5"), ("model", "initializer_range", "0.1")]]
CASES += [Case(f"zoo eval_input {name}", "leave it out", how=lambda run, hint: run.drop("", run.said),
               edits=[("model:\n", f"eval_input:\n  {name}: {value}\n  data_dir: corpus.txt\n  batch_size: 4\nmodel:\n")])
          for name, value in [("shuffle", "true"), ("repeat", "true"), ("drop_last", "true")]]
CASES += [
    Case("zoo state of data", "leave it out: a checkpoint has the place in the data",
         edits=[("wafer:\n", "cerebras:\n  save_iter_state_path: out\nwafer:\n")],
         how=editing("cerebras:\n  save_iter_state_path: out\n", "")),
    Case("zoo phase's count", "leave it out: each phase counts its own steps",
         edits=[("learning_rate: 0.01\n", PHASE + "      disable_lr_steps_reset: true\n")],
         how=editing("      disable_lr_steps_reset: true\n", "")),
]
CASES += [
    instead("train_input", "vocab_size", "15", "set model.vocab_size", setting("model.vocab_size", "15")),
    instead("train_input", "max_sequence_length", "4", "set model.max_sequence_length", setting("model.max_sequence_length", "4")),
    instead("train_input", "num_samples", "8", "set runconfig.max_steps", setting("runconfig.max_steps", "2")),
    instead("train_input", "mixture", "[a, b]", "train_input.more_data_dirs \"[DIR, ...]\" and train_input.weights",
            in_shell("cp corpus.txt more.txt"), setting("train_input.data_dir", "corpus.txt"),
            setting("train_input.more_data_dirs", "[more.txt]"), setting("train_input.weights", "[3, 1]")),
    instead("optimizer", "max_gradient_value", "1", "set optimizer.max_gradient_norm", setting("optimizer.max_gradient_norm", "1")),
    Case("zoo beta1 beside betas", "set optimizer.betas \"[BETA1, BETA2]\"", edits=there("optimizer", "beta1", "0.8"),
         words=["--optimizer.betas", "[0.9, 0.99]"],
         how=both(editing("  beta1: 0.8\n", ""), setting("optimizer.betas", "[0.8, 0.99]"))),
    Case("zoo rotary_base", "leave it out: it is model.rope_theta", edits=there("model", "rotary_base", "500000"),
         words=["--model.network", "gptj", "--model.rotary_dim", "2", "--model.share_embedding_weights", "false"],
         how=lambda run, hint: run.drop("", run.said)),
    instead("optimizer", "adjust_learning_rate", "{decoder_kernel: 0.1}", "or optimizer.frozen_params",
            setting("optimizer.frozen_params", "[wte.weight]")),
    instead("runconfig", "num_epochs", "1", "set runconfig.max_steps", setting("runconfig.max_steps", "2")),
    instead("runconfig", "multireplica", "true", "set runconfig.num_csx", setting("runconfig.num_csx", "2")),
    instead("runconfig", "throttle_secs", "9", "set runconfig.eval_frequency, in steps",
            setting("runconfig.mode", "train_and_eval"), setting("eval_input.data_dir", "corpus.txt"),
            setting("runconfig.eval_frequency", "1")),
    instead("runconfig", "validate_only", "true", "set runconfig.mode validate_only", setting("runconfig.mode", "validate_only")),
    instead("runconfig", "compile_dir", "c", "use --mode compile_only --save FILE, then --plan FILE",
            in_shell("WEFT run --params mine.yaml --mode compile_only --save plan"), words("--plan", "plan")),
    instead("runconfig", "cs_ip", "10.0.0.1", "give --cs_ip ADDRESS", words("--cs_ip", "10.0.0.1", "--mode", "validate_only")),
    instead("runconfig", "target_device", "CPU", "set wafer.backend model, rtl or fpga", setting("wafer.backend", "model")),
    instead("model", "weight_initialization_seed", "9", "set runconfig.seed", setting("runconfig.seed", "9")),
    Case("zoo eval_input num_samples", "set runconfig.eval_steps, in eval_input.batch_size each",
         edits=[("model:\n", "eval_input:\n  num_samples: 8\n  data_dir: corpus.txt\n  batch_size: 4\nmodel:\n")],
         words=["--mode", "train_and_eval", "--runconfig.eval_frequency", "1"],
         how=both(editing("  num_samples: 8\n", ""), setting("runconfig.eval_steps", "2"))),
    Case("zoo sparsity.schedule", "set sparsity.update_freq, update_start and update_stop, in steps",
         edits=[("wafer:\n", "sparsity:\n  algorithm: set\n  sparsity: 0.5\n  update: {freq: 1}\nwafer:\n")],
         how=both(editing("  update: {freq: 1}\n", ""), setting("sparsity.update_freq", "1"),
                  setting("sparsity.update_start", "1"), setting("sparsity.update_stop", "3"), setting("max_steps", "4"))),
    Case("zoo sparsity by expression", "set sparsity.params_filter \"[PATTERN, ...]\", of names as h.*.mlp.c_fc.weight",
         edits=[("wafer:\n", "sparsity:\n  sparsity: 0.5\n  param_name_patterns: decoder.*fc\nwafer:\n")],
         how=both(editing("  param_name_patterns: decoder.*fc\n", ""),
                  setting("sparsity.params_filter", "[h.*.mlp.c_fc.weight]"))),
    Case("zoo csconfig", "use the sections wafer, swarmx and memoryx",
         edits=[("wafer:\n", "csconfig: {num_wgt_servers: 1}\nwafer:\n")],
         how=both(editing("csconfig: {num_wgt_servers: 1}\n", ""), setting("wafer.lanes", "2"))),
    trainer("a part", "leave it out", "  init: {seed: 3, device_mesh: x}\n", "  init: {seed: 3}\n"),
    trainer("two sections", "write one as a section", "  init: {loop: [{log_steps: 1}, {log_steps: 2}]}\n", "  init: {loop: {log_steps: 1}}\n"),
    trainer("two optimizers", "write one name with its settings below it", "  init: {optimizer: {AdamW: {eps: 1}, SGD: {}}}\n",
            "  init: {optimizer: {AdamW: {eps: 1}}}\n"),
    trainer("two schedulers", "phases one after the other are a SequentialLR",
            "  init: {schedulers: [{ConstantLR: {learning_rate: 1}}, {ConstantLR: {learning_rate: 2}}]}\n",
            "  init: {schedulers: [{ConstantLR: {learning_rate: 1}}]}\n", [("  learning_rate: 0.01\n", "")]),
    trainer("two validations", "give both the same", "  fit: {val_dataloader: {data_dir: corpus.txt}}\n  validate: {val_dataloader: {data_dir: b}}\n",
            "  fit: {val_dataloader: {data_dir: corpus.txt}}\n  validate: {val_dataloader: {data_dir: corpus.txt}}\n"),
    Case("zoo cycle", "use a list of phases, each with its total_iters",
         edits=[("learning_rate: 0.01\n", PHASE + "      cycle: true\n")],
         how=both(editing("      cycle: true\n", ""), editing("total_iters: 1\n", "total_iters: 1\n" + PHASE.partition("\n")[2]))),
    Case("zoo multiplicative", "use Exponential with total_iters 1, whose decay_rate is the factor of a step",
         edits=[("learning_rate: 0.01\n", PHASE + "      coefficient: 0.5\n")],
         how=editing(PHASE + "      coefficient: 0.5\n", """learning_rate:
    - scheduler: Exponential
      initial_learning_rate: 0.01
      decay_rate: 0.5
      total_iters: 1
""")),
    flag("num_act_servers", "2", "leave it out: the root reads the data itself"),
    flag("multireplica", "true", "use --num_csx N", words("--num_csx", "2")),
    flag("credentials_path", "c", "use --swarmx.key_file FILE", in_shell("umask 077; openssl rand -hex 32 > run.key"),
         words("--swarmx.key_file", "run.key")),
    flag("mgmt_address", "10.0.0.1", "use csrun_wse, which asks Slurm", csrun("--nodes", "1")),
    flag("mgmt_namespace", "p", "use csrun_wse --partition P", csrun("--partition", "p")),
    flag("job_labels", "a=b", "use csrun_wse --job-name NAME", csrun("--job-name", "b")),
    flag("job_time_sec", "600", "use csrun_wse --time T", csrun("--time", "10")),
    flag("debug_args_path", "d", "any key can be given: --section.key VALUE", words("--wafer.lanes", "2")),
    flag("drop_data", "true", "use --mode compile_only", words("--mode", "compile_only")),
    flag("logging", "INFO", "use --runconfig.log_steps N", words("--runconfig.log_steps", "1")),
    flag("device", "CSX", "use --backend model, rtl or fpga", words("--backend", "model")),
]
