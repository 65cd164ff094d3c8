"""Make the project's single app known to the framework."""

from django.apps import AppConfig

__all__ = ["ReviewhubConfig"]


class ReviewhubConfig(AppConfig):
    """Name the app."""

    name = "reviewhub"
    verbose_name = "Reviewhub"
    default_auto_field = "django.db.models.BigAutoField"
