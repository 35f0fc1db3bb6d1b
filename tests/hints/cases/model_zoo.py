"""Keys of the Model Zoo: they leave the file, or another key is set."""
from deeds import both, editing, setting
from follow import Case

CASES = [Case(f"zoo {name}", name, edits=[(f"{section}:\n", f"{section}:\n  {name}: {value}\n")]) for section, name, value in [
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
    ("runconfig", "mount_dirs", "/data"), ("runconfig", "num_wgt_servers", "2"),
    ("runconfig", "disable_strict_checkpoint_loading", "true"), ("runconfig", "load_checkpoint_states", "model")]]
for case in CASES:  # each says why, and to leave it out
    case.hint = "leave it out"
    case.how = lambda run, hint: run.drop("", run.said)
CASES += [Case(f"zoo {name}", hint, edits=[(f"{section}:\n", f"{section}:\n  {name}: {value}\n")],
             how=both(editing(f"  {name}: {value}\n", ""), setting(key_, to)))
        for section, name, value, hint, key_, to in [
            ("train_input", "vocab_size", "15", "set model.vocab_size", "model.vocab_size", "15"),
            ("train_input", "max_sequence_length", "4", "set model.max_sequence_length", "model.max_sequence_length", "4"),
            ("train_input", "num_samples", "8", "set runconfig.max_steps", "runconfig.max_steps", "2"),
            ("optimizer", "max_gradient_value", "1", "set optimizer.max_gradient_norm", "optimizer.max_gradient_norm", "1"),
            ("runconfig", "num_epochs", "1", "set runconfig.max_steps", "runconfig.max_steps", "2"),
            ("runconfig", "multireplica", "true", "set runconfig.num_csx", "runconfig.num_csx", "2"),
            ("runconfig", "throttle_secs", "9", "set runconfig.eval_frequency", "runconfig.log_steps", "1"),
            ("model", "weight_initialization_seed", "9", "set runconfig.seed", "runconfig.seed", "9")]]
