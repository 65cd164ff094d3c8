"""Give the web server its application."""

import os

from django.core.wsgi import get_wsgi_application

__all__ = ["application"]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewhub.settings")
application = get_wsgi_application()
