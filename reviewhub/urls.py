"""Give every page its address."""

from django.contrib import admin
from django.urls import path

from reviewhub.views import cases, deciding, drafts, editing, error_types, health, leaving, queues, signing_in

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
    path("drafts/<int:draft_id>/", drafts.draft_page, name="draft"),
    path("drafts/<int:draft_id>/approve/", deciding.approve, name="approve"),
    path("drafts/<int:draft_id>/edit/", editing.edit, name="edit"),
    path("drafts/<int:draft_id>/write/", editing.write, name="write"),
    path("drafts/<int:draft_id>/decline/", deciding.decline, name="decline"),
    path("drafts/<int:draft_id>/escalate/", deciding.escalate, name="escalate"),
    path("drafts/<int:draft_id>/undo/", deciding.undo, name="undo"),
    path("drafts/<int:draft_id>/redraft/", deciding.redraft, name="redraft"),
    path("drafts/<int:draft_id>/claim/", deciding.claim, name="claim"),
    path("drafts/<int:draft_id>/release/", deciding.release, name="release"),
    path("drafts/<int:draft_id>/copy/", leaving.copy, name="copy"),
    path("drafts/<int:draft_id>/mail/", leaving.download, name="download"),
    path("errors/", error_types.error_types, name="error_types"),
    path("errors/<str:code>/", error_types.error_type_page, name="error_type"),
    path("healthz", health.healthz, name="healthz"),
    path("login/", signing_in.login, name="login"),
    path("logout/", signing_in.logout, name="logout"),
    path("admin/", admin.site.urls),
]
