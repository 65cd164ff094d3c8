"""Let administrators set what the hub goes by; each module registers its pages on the one site."""

from reviewhub.admin import avoided, looking, people, queues, reasons, rubrics, rules, vocabulary
from reviewhub.admin.access import site

__all__ = ["avoided", "looking", "people", "queues", "reasons", "rubrics", "rules", "site", "vocabulary"]
