"""Give workers, beat and the doorbell their Celery application."""

import os

from celery import Celery

__all__ = ["app"]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewhub.settings")
app = Celery("reviewhub")
app.config_from_object("django.conf:settings", namespace="CELERY")
