"""Give the web server its application."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

__all__ = ["application"]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewhub.settings")
application = get_wsgi_application()
# Django reads the addresses, and loads every view with them, at the first request. Read now, a server that loads the
# application before it forks does it once, and the first person does not wait for it.
get_resolver().check()
