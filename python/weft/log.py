"""Messages of runs go to the logger `weft`."""
import logging

_LOGGER = logging.getLogger("weft")


def _log(lines):
    for line in lines:
        _LOGGER.info("%s", line)
