"""Give every page its address."""

from django.urls import path

from reviewhub.admin import site
from reviewhub.views import (
    adding,
    cases,
    deciding,
    drafts,
    editing,
    error_types,
    exemplars,
    health,
    leaving,
    queues,
    signing_in,
    status,
)

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

handler400 = "reviewhub.views.refusals.bad_request"
handler403 = "reviewhub.views.refusals.forbidden"
handler404 = "reviewhub.views.refusals.not_found"
handler500 = "reviewhub.views.refusals.server_error"

urlpatterns = [
    path("", queues.home, name="home"),
    path("queues/<slug:slug>/", queues.queue_page, name="queue"),
    path("queues/<slug:slug>/new/", cases.new_case, name="new_case"),
    path("queues/<slug:slug>/import/", cases.import_cases, name="import_cases"),
    path("queues/<slug:slug>/memory/", exemplars.memory_page, name="memory"),
    path("exemplars/<int:exemplar_id>/", exemplars.exemplar_page, name="exemplar"),
    path("exemplars/<int:exemplar_id>/confirm/", exemplars.confirm, name="confirm_words"),
    path("exemplars/<int:exemplar_id>/edit/", exemplars.edit, name="edit_exemplar"),
    path("exemplars/<int:exemplar_id>/forget/", exemplars.forget, name="forget_exemplar"),
    path("uses/<int:use_id>/bad/", exemplars.mark_bad, name="mark_bad"),
    path("uses/<int:use_id>/unmark/", exemplars.unmark_bad, name="unmark_bad"),
    path("drafts/<int:draft_id>/", drafts.draft_page, name="draft"),
    path("drafts/<int:draft_id>/approve/", deciding.approve, name="approve"),
    path("drafts/<int:draft_id>/edit/", editing.edit, name="edit"),
    path("drafts/<int:draft_id>/write/", editing.write, name="write"),
    path("drafts/<int:draft_id>/override/", deciding.override, name="override"),
    path("drafts/<int:draft_id>/facts/", adding.add_fact, name="add_fact"),
    path("drafts/<int:draft_id>/facts/withdraw/", adding.withdraw_fact, name="withdraw_fact"),
    path("drafts/<int:draft_id>/decline/", deciding.decline, name="decline"),
    path("drafts/<int:draft_id>/escalate/", deciding.escalate, name="escalate"),
    path("drafts/<int:draft_id>/tone/confirm/", deciding.confirm_tone, name="confirm_tone"),
    path("drafts/<int:draft_id>/tone/refuse/", deciding.refuse_tone, name="refuse_tone"),
    path("drafts/<int:draft_id>/undo/", deciding.undo, name="undo"),
    path("drafts/<int:draft_id>/redraft/", deciding.redraft, name="redraft"),
    path("drafts/<int:draft_id>/claim/", deciding.claim, name="claim"),
    path("drafts/<int:draft_id>/release/", deciding.release, name="release"),
    path("drafts/<int:draft_id>/copy/", leaving.copy, name="copy"),
    path("drafts/<int:draft_id>/mail/", leaving.download, name="download"),
    path("errors/", error_types.error_types, name="error_types"),
    path("errors/<str:code>/", error_types.error_type_page, name="error_type"),
    path("status/", status.status_page, name="status"),
    path("healthz", health.healthz, name="healthz"),
    path("login/", signing_in.login, name="login"),
    path("logout/", signing_in.logout, name="logout"),
    path("admin/", site.urls),
]
