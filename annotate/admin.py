"""The admin site at /records/, where staff can read every table.

Staff can change researchers' accounts and memberships of studies. They cannot add, change or delete answers, events,
consents or reports. Only the services do this, and they record it in the audit log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from annotate.models import (
    Annotator,
    Answer,
    ApiToken,
    Assignment,
    Consent,
    Decision,
    Event,
    GoldJudgement,
    Hit,
    Item,
    Job,
    Membership,
    Participation,
    Question,
    Report,
    SignInEvent,
    Slot,
    Study,
    Upload,
    User,
)

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:  # at run time, Django's class accepts no type argument
    ModelAdmin = admin.ModelAdmin


class Records(ModelAdmin):
    """A read-only table. The list page counts its rows only once, and makes no query per row for related objects."""

    show_full_result_count = False
    list_per_page = 50
    list_select_related: ClassVar[Any] = True

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(User)
class Users(UserAdmin):
    """Researchers' accounts. Foreign keys prevent the deletion of a researcher who appears in an audit log."""

    ordering = ("email",)
    list_display = ("email", "name", "is_active", "is_staff", "date_joined")
    list_filter = ("is_active", "is_staff", "is_superuser")
    search_fields = ("email", "name")
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("email", "password", "name")}),
        ("Permissions", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("email", "name", "password1", "password2")}),)


@admin.register(Membership)
class Memberships(admin.ModelAdmin):
    """Memberships of studies. Use this page only for studies without an owner. Use the console for all other
    studies.
    """

    list_display = ("study", "user", "role")
    list_filter = ("role",)
    list_select_related = ("study", "user")
    search_fields = ("study__title", "user__email")
    raw_id_fields = ("study", "user")


@admin.register(Study)
class Studies(Records):
    list_display = ("title", "task_type", "state", "public_id", "created_at", "opened_at")
    list_filter = ("state", "task_type", "admission")
    search_fields = ("title", "public_id")
    date_hierarchy = "created_at"
    list_select_related = False


@admin.register(Consent)
class Consents(Records):
    list_display = ("study", "version", "created_at")
    search_fields = ("study__title",)


@admin.register(Upload)
class Uploads(Records):
    list_display = ("filename", "study", "purpose", "rows", "size", "created_by", "created_at", "revealed_at")
    list_filter = ("purpose",)
    search_fields = ("filename", "study__title", "sha256")
    list_select_related = ("study", "created_by")
    exclude = ("content",)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("content")


@admin.register(Item)
class Items(Records):
    list_display = ("key", "study", "upload", "held_out")
    list_select_related = ("study", "upload")
    list_filter = ("held_out",)
    search_fields = ("key", "study__title")


@admin.register(Question)
class Questions(Records):
    list_display = ("ref", "study", "kind", "public_id")
    list_filter = ("kind",)
    search_fields = ("ref", "public_id", "study__title")


@admin.register(Decision)
class Decisions(Records):
    list_display = ("question", "user", "decided_at")
    search_fields = ("question__ref", "user__email")


@admin.register(GoldJudgement)
class GoldJudgements(Records):
    list_display = ("question", "user", "given_at")
    search_fields = ("question__ref", "user__email")


@admin.register(Hit)
class Hits(Records):
    list_display = ("number", "study")
    search_fields = ("study__title",)


@admin.register(Slot)
class Slots(Records):
    list_display = ("place", "study", "hit", "open")
    list_filter = ("open",)
    search_fields = ("study__title",)


@admin.register(Annotator)
class Annotators(Records):
    """Annotators without their contacts. Researchers remove an annotator's personal data in the console instead."""

    list_display = ("__str__", "platform", "created_at")
    list_filter = ("platform",)
    fields = ("platform", "created_at")
    date_hierarchy = "created_at"


@admin.register(Participation)
class Participations(Records):
    list_display = ("pseudonym", "study", "standing", "graded", "joined_at")
    list_filter = ("standing", "annotator__platform")
    search_fields = ("pseudonym", "study__title")
    exclude = ("resume_hash",)


@admin.register(Assignment)
class Assignments(Records):
    list_display = ("public_id", "study", "participation", "hit", "kind", "state", "credited", "claimed_at")
    list_filter = ("state", "kind", "source", "credited")
    search_fields = ("public_id", "external_id", "participation__pseudonym")
    list_select_related = ("study", "participation", "hit")
    date_hierarchy = "claimed_at"


@admin.register(Answer)
class Answers(Records):
    list_display = ("assignment", "position", "question", "participation", "passed", "disputed", "given_at")
    list_filter = ("passed", "disputed", "repeat", "question__kind")
    search_fields = ("question__ref", "participation__pseudonym")
    list_select_related = ("assignment", "question", "participation")
    date_hierarchy = "given_at"


@admin.register(Report)
class Reports(Records):
    list_display = ("__str__", "study", "created_by", "created_at", "input_sha256")
    list_filter = ("kind",)
    search_fields = ("study__title", "public_id", "input_sha256")
    list_select_related = ("study", "created_by")
    exclude = ("input",)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("input", "result", "people")


@admin.register(Job)
class Jobs(Records):
    list_display = ("kind", "study", "state", "progress", "attempts", "created_by", "created_at", "finished_at")
    list_filter = ("state", "kind")
    search_fields = ("study__title", "public_id", "error")
    list_select_related = ("study", "created_by")


@admin.register(Event)
class Events(Records):
    list_display = ("at", "verb", "study", "user", "participation", "reason")
    list_filter = ("verb",)
    search_fields = ("study__title", "participation__pseudonym", "reason")
    list_select_related = ("study", "user", "participation")
    date_hierarchy = "at"


@admin.register(ApiToken)
class ApiTokens(Records):
    """The admin page for API tokens, which does not show the tokens' keys. To revoke a token, delete it."""

    list_display = ("name", "user", "created_at", "used_at")
    search_fields = ("name", "user__email")
    exclude = ("hash",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("annotate.delete_apitoken"))


@admin.register(SignInEvent)
class SignInEvents(Records):
    """The sign-in log."""

    list_display = ("at", "kind", "user", "address", "detail")
    list_filter = ("kind",)
    search_fields = ("user__email",)
    list_select_related = ("user",)
    date_hierarchy = "at"
