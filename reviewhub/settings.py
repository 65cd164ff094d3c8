"""Read the hub's settings from the environment: what is absent suits one machine, what is wrong stops the start."""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent


def env(name: str, default: str) -> str:
    """Return a setting's text; an empty one counts as absent."""
    return os.environ.get(name, "").strip() or default


def env_bool(name: str, *, default: bool) -> bool:
    """Return a setting that is on or off."""
    value = env(name, "on" if default else "off").lower()
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if value not in words:
        raise ImproperlyConfigured(f"{name}={value!r} is neither on nor off. Set it to 1 or 0.")
    return words[value]


def env_int(name: str, *, default: int, least: int = 0) -> int:
    """Return a setting that is a whole number, `least` or more."""
    value = env(name, str(default))
    if not value.isascii() or not value.isdigit() or int(value) < least:
        raise ImproperlyConfigured(f"{name}={value!r} is not a whole number of {least} or more.")
    return int(value)


def env_list(name: str, default: str) -> list[str]:
    """Return a setting that is a list with commas between its items."""
    return [item.strip() for item in env(name, default).split(",") if item.strip()]


def noted(path: Path, default: str) -> str:
    """Return what a run on this machine noted in a file, the default where none has run."""
    return path.read_text(encoding="ascii").strip() if path.exists() else default


def database(url: str) -> dict[str, Any]:
    """Read `sqlite:///PATH` or `postgresql://USER:PASSWORD@HOST:PORT/NAME`, the two that the hub is tested on."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite" and len(parts.path) > 1:
        path = Path(unquote(parts.path[1:]))
        # Writers wait for each other up to 20 s, and a transaction takes the write lock as it begins: one that reads
        # first and then writes cannot wait, it fails as "database is locked".
        options = {"timeout": 20, "transaction_mode": "IMMEDIATE", "init_command": "PRAGMA journal_mode=WAL;"}
        # A file, because tests of races need connections of their own, which a database in memory cannot give.
        test = {"NAME": str(BASE_DIR / path.with_suffix(".test.sqlite3"))}
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": BASE_DIR / path, "OPTIONS": options, "TEST": test}
    if parts.scheme in {"postgresql", "postgres"} and len(parts.path) > 1:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path[1:]),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or ""),
            "PORT": str(parts.port or ""),
            "OPTIONS": dict(parse_qsl(parts.query)),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
        }
    raise ImproperlyConfigured(
        f"REVIEWHUB_DATABASE_URL has scheme {parts.scheme!r}: give sqlite:///PATH or postgresql://USER:PASSWORD@HOST:PORT/NAME."
    )


def secret_key(path: Path) -> str:
    """Return the signing key of the environment, or this machine's own, made once and readable by its owner alone."""
    if given := env("REVIEWHUB_SECRET_KEY", ""):
        return given
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{secrets.token_hex(8)}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50), encoding="ascii")
        # A link appears whole or not at all, and the first of several processes that start together wins.
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text(encoding="ascii")


VAR_DIR = Path(env("REVIEWHUB_VAR", str(BASE_DIR / "var"))).resolve()
DEBUG = env_bool("REVIEWHUB_DEBUG", default=False)
SECRET_KEY = secret_key(VAR_DIR / "secret_key")
ALLOWED_HOSTS = env_list("REVIEWHUB_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env_list("REVIEWHUB_ORIGINS", "")

# The hub
# Which model drafts: embedded, ollama:NAME, openai:URL#NAME, scripted or scripted:FILE.
REVIEWHUB_MODEL = env("REVIEWHUB_MODEL", "embedded")
# Which model grades drafts by their queue's rubric; none unless one is named.
REVIEWHUB_JUDGE_MODEL = env("REVIEWHUB_JUDGE_MODEL", "")
# Which sentences to read first: words (asks no model), on (asks the drafting one), off, or another model's name.
REVIEWHUB_SUPPORT = env("REVIEWHUB_SUPPORT", "words")
# How many drafts are written at once: the slots of the model server, so that workers do not time each other out.
REVIEWHUB_DRAFTING_SLOTS = env_int("REVIEWHUB_DRAFTING_SLOTS", default=1, least=1)
# The server of the vectors, by default that of `make run`; without it exact search answers from the database.
REVIEWHUB_CHROMA_URL = env("REVIEWHUB_CHROMA_URL", noted(VAR_DIR / "run" / "chroma.url", "http://127.0.0.1:8001"))

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "simple_history",
    "reviewhub",
]
MIDDLEWARE = [
    "reviewhub.csp.SecurityHeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
]
ROOT_URLCONF = "reviewhub.urls"
CSRF_FAILURE_VIEW = "reviewhub.views.refusals.csrf_failure"
WSGI_APPLICATION = "reviewhub.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "reviewhub.views.context.hub",
            ],
        },
    },
]

DATABASES = {"default": database(env("REVIEWHUB_DATABASE_URL", f"sqlite:///{VAR_DIR}/reviewhub.sqlite3"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# People
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "login"
SESSION_COOKIE_AGE = 60 * 60 * 12

# Transport. Behind TLS set REVIEWHUB_HTTPS=1; plain loopback cannot carry secure cookies.
HTTPS = env_bool("REVIEWHUB_HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env_bool("REVIEWHUB_PROXY", default=False) else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# A ledger of some hundred lines is under 1 MB; a body above 2.5 MB is refused before it is read.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_621_440

# Language and time. Dates of facts are calendar dates in their queue's zone; the clock runs in UTC.
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Files are served as they stand in the tree until someone runs collectstatic.
WHITENOISE_USE_FINDERS = True

# Jobs. The database holds the truth: a message lost is sent again, a message doubled does nothing.
CELERY_BROKER_URL = env("REVIEWHUB_BROKER_URL", "redis://127.0.0.1:6379/0")
CELERY_IMPORTS = ["reviewhub.tasks"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = False  # the sweeper takes over; a redelivery would only ring at a leased draft
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_DEFAULT_QUEUE = "upkeep"
CELERY_TASK_ROUTES = {"drafting.*": {"queue": "drafting"}, "learning.*": {"queue": "learning"}}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# A draft ends by itself within 900 s; a process that hangs longer is ended, and the sweeper takes its draft over.
CELERY_TASK_TIME_LIMIT = 1200
# Longer than that, so that the broker does not redeliver work that is still being done.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 1800}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "sweeping.sweep", "schedule": 10.0, "options": {"expires": 10}},
    # Looks whether the vector store is to be compared with the database: once a day, and after it was away.
    "reconcile": {"task": "learning.reconcile", "schedule": 300.0, "options": {"expires": 300}},
}

# Log lines hold ids, names of fields and hashes, never text of a case.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env("REVIEWHUB_LOG_LEVEL", "INFO").upper()},
    "loggers": {"django.server": {"level": "WARNING"}, "httpx": {"level": "WARNING"}},
}
