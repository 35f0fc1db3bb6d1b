"""Settings of a run."""
import json
import os

from weft import _weft
from weft.errors import Error


def _text_of(value):
    """A value as YAML, as it follows a key on the command line."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    return json.dumps(value, default=_plain)


def _plain(value):
    """A NumPy number or array, a path or a tuple in JSON."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"weft: {type(value).__name__} is not a value of a parameter file")


def _settings(overrides, flags):
    """Pairs of a key or flag and its value, as YAML."""
    settings = [(key, _text_of(value)) for key, value in overrides.items()]
    return settings + [(name, _text_of(value)) for name, value in flags.items() if value is not None]


class Config:
    """The checked settings of a run. It never changes.

    params: path of a parameter file, or a dict with its sections. overrides: keys with a dot, such as
    {"model.num_heads": 4}. flags: those of `weft run`, such as num_csx=3.
    """

    def __init__(self, params, overrides=None, **flags):
        settings = _settings(overrides or {}, flags)
        if isinstance(params, Config):
            self._config = params._config.with_settings(settings) if settings else params._config
        elif isinstance(params, dict):
            self._config = _weft.Config.from_text(json.dumps(params, default=_plain), "params", settings)
        else:
            self._config = _weft.Config(os.fspath(params), settings)

    @classmethod
    def _of(cls, config):
        made = cls.__new__(cls)
        made._config = config
        return made

    def to_dict(self):
        """All keys, as a dict of sections."""
        return json.loads(self._config.json())

    def __getitem__(self, key):
        section, _, name = key.partition(".")
        return self.to_dict()[section][name]

    def __str__(self):
        return self._config.yaml()

    def __repr__(self):
        values = self.to_dict()
        return f"<weft.Config: {values['model']['network']}, model_dir {values['runconfig']['model_dir']}>"


__all__ = ["Config", "Error"]
