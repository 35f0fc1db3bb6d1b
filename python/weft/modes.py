"""Work with a trained model."""
import json

from weft import _weft
from weft.config import Config
from weft.log import _log


def evaluate(params, overrides=None, **flags):
    """Loss and perplexity of a checkpoint on eval_input: what `weft run --mode eval --json` prints."""
    result, lines = _weft.evaluate(Config(params, overrides, **flags)._config)
    _log(lines)
    return json.loads(result)


def compile_only(params, overrides=None, **flags):
    """Cost of a network without running it: what `weft run --mode compile_only --json` prints, as a list of dicts."""
    result, lines = _weft.compile_only(Config(params, overrides, **flags)._config)
    _log(lines)
    return [json.loads(line) for line in result.splitlines()]


def generate(params, prompt, overrides=None, **flags):
    """Continues a text, a list of token ids, or a list of either. Returns the same, each with its prompt."""

    def work(config):
        results, lines = _weft.continue_prompts(config)
        _log(lines)
        return results

    return continued("weft.generate", Config(params, overrides, **flags), prompt, work)


def continued(name, config, prompt, work):
    """The prompt, or prompts, with the continuations that `work` returns for a config. `name`: in errors."""
    several = not isinstance(prompt, str) and len(prompt) > 0 and hasattr(prompt[0], "__len__")
    prompts = list(prompt) if several else [prompt]
    texts = [isinstance(one, str) for one in prompts]
    if any(texts) != all(texts):
        raise TypeError(f"{name}: prompts are texts or lists of ids, not both")
    words = prompts if all(texts) else [",".join(str(int(token)) for token in one) for one in prompts]
    results = work(
        config._config.with_settings([("prompt" if all(texts) else "prompt_tokens", json.dumps(words))])
    )
    results = [one.removesuffix("\n") if is_text else [int(token) for token in one.split()]
               for one, is_text in zip(results, texts)]
    return results if several else results[0]
