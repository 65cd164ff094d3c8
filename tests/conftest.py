"""Say which tests keep together when processes share a run (`--dist loadfile`), and which start first.

The databases and the broker of each process are chosen in tests/servers/plugin.py.
"""

import pytest
from xdist.scheduler import LoadFileScheduling

# Files that share more than a file does. Whole hubs run one after the other: each takes a core for itself.
_TOGETHER = {
    "tests/chaos/test_kill.py": "whole hubs",
    "tests/ops/test_run.py": "whole hubs",
    "tests/agent/test_draft_real_model.py": "a model server",
    "tests/agent/test_llm_real_model.py": "a model server",
}
# The long ones start first, so that no process is left with one of them when the others are done.
_LONG = ("whole hubs", "tests/browser/", "a model server", "tests/hub/test_workers", "tests/hub/", "tests/memory/")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return Scheduling(config, log) if config.getoption("dist") == "loadfile" else None


class Scheduling(LoadFileScheduling):
    """Hand out whole files, some of them together, in the order of `_LONG`."""

    def _split_scope(self, nodeid):
        file = super()._split_scope(nodeid)
        return _TOGETHER.get(file, file)

    def _assign_work_unit(self, node):
        self.workqueue.move_to_end(min(self.workqueue, key=_place), last=False)
        super()._assign_work_unit(node)


def _place(group):
    return next((place for place, start in enumerate(_LONG) if group.startswith(start)), len(_LONG))
