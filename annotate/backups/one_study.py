"""Functions that restore one study into an installation with other studies.

Rows get new primary keys: a constant is added to the keys of the backup, so that they follow the keys in use. Public
IDs, pseudonyms and the join link do not change. Researchers are matched by e-mail address. Unknown researchers get
inactive accounts without passwords or rights.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.apps import apps
from django.db import connection
from django.db.models import Max

from annotate.core.permissions import SYSTEM
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Membership, Study, User
from annotate.models.count_triggers import count_anew

from . import schema
from .archive import BackupError, Json, Manifest, Reader, Row, Rows, Table
from .scope import ForeignKey, foreign_keys, optional_keys_to_study, stored_models, study_models
from .snapshot import Progress
from .tables import Model, insert_rows, read_rows


@dataclass
class Restored:
    """The restored study, and the e-mail addresses of the inactive accounts that were created for it."""

    study: Study
    manifest: Manifest
    created: list[str] = field(default_factory=list)


def restore_study(reader: Reader, *, owner: str | None, replace: bool, progress: Progress) -> Restored:
    """Restore a study completely, or change nothing if an error occurs. The account with the e-mail address `owner`
    becomes an owner of the study.

    Raises `BackupError` if the backup is damaged or comes from another version, if the study already exists and
    `replace` is false, or if `owner` has no account.
    """
    schema.require_same_version(reader.header["migrations"])
    public_id = reader.header["scope"]["study"]
    models = schema.models_of(reader.header["tables"], apps)
    with write():
        new_owner = _account(owner) if owner else None
        with schema.without_triggers(stored_models(apps)):
            referring = _make_room(public_id, replace=replace)
            keys = _Keys(models, reader.header["tables"])
            for table in schema.tables_of(reader):
                model = models[table.name]
                progress(table.name, 0)
                if model is User:
                    keys.find_accounts(table)
                else:
                    insert_rows(model, table.about["columns"], keys.translated(model, table))
            manifest = reader.complete()
            for model in keys.first:
                keys.compare(model)
                schema.set_last_value(model, schema.last_value(model))
                progress(model._meta.label_lower, manifest.tables[model._meta.label_lower].rows)
        study = Study.objects.get(public_id=public_id)
        for key, rows in referring.items():
            key.model._base_manager.filter(pk__in=rows).update(**{key.name: study})
        count_anew(connection, study.pk)
        if new_owner is not None:
            Membership.objects.update_or_create(study=study, user=new_owner, defaults={"role": Membership.Role.OWNER})
        record(
            study,
            "restored from backup",
            user=SYSTEM,
            created_at=reader.header["created_at"],
            sha256=manifest.sha256,
            accounts_created=len(keys.created),
        )
    return Restored(study, manifest, keys.created)


class _Keys:
    """A mapping from primary keys in the backup to primary keys in this database."""

    def __init__(self, models: dict[str, Model], tables: list[dict[str, Json]]) -> None:
        self.created: list[str] = []
        self.first: dict[Model, int] = {}  # rows from this key on come from the backup
        self._offsets: dict[Model, int] = {}
        self._accounts: dict[int, int] = {}
        self._loaded: dict[Model, Rows] = {}
        self._columns: dict[Model, list[str]] = {models[table["table"]]: table["columns"] for table in tables}
        for table in tables:
            model = models[table["table"]]
            if model is not User and table["first"] is not None:
                in_use = model._base_manager.aggregate(last=Max("pk"))["last"] or 0
                self.first[model] = max(in_use, schema.last_value(model)) + 1
                self._offsets[model] = self.first[model] - table["first"]

    def find_accounts(self, table: Table) -> None:
        """Match researchers by e-mail address, and create an inactive account for each unknown researcher."""
        columns: list[str] = table.about["columns"]
        for row in table.rows:
            values = dict(zip(columns, row, strict=True))
            account = _find_account(values["email"])
            if account is None:
                account = User.objects.create_user(values["email"], name=values["name"], is_active=False)
                self.created.append(account.email)
            self._accounts[values["id"]] = account.pk

    def translated(self, model: Model, table: Table) -> Iterator[Row]:
        """Replace each key from the backup with the key of the corresponding row in this database."""
        columns: list[str] = table.about["columns"]
        targets = {columns.index(key.attname): key.related_model for key in foreign_keys(model)}
        targets[columns.index(model._meta.pk.attname)] = model
        loaded = self._loaded.setdefault(model, Rows())
        for row in table.rows:
            for place, target in targets.items():
                if row[place] is not None:
                    row[place] = self._here(target, row[place])
            loaded.add(row)
            yield row

    def compare(self, model: Model) -> None:
        """Read the restored rows, and compare them with the inserted rows."""
        stored = Rows()
        for row in read_rows(model._base_manager.filter(pk__gte=self.first[model]), self._columns[model]):
            stored.add(row)
        if stored.fingerprint() != self._loaded[model].fingerprint():
            raise BackupError(f"{model._meta.db_table} differs from the backup after loading, so nothing was restored")

    def _here(self, model: Model, key: int) -> int:
        """Return the key in this database. Raises `BackupError` for a row that the backup does not contain, which could
        otherwise be a row of another study.
        """
        if model is User and key in self._accounts:
            return self._accounts[key]
        if model not in self.first or not isinstance(key, int) or key + self._offsets[model] < self.first[model]:
            raise BackupError(
                f"the backup is damaged: it refers to a row of {model._meta.label_lower} in another study"
            )
        return key + self._offsets[model]


def _make_room(public_id: str, *, replace: bool) -> dict[ForeignKey, list[int]]:
    """Delete the study with this ID, if it exists. Return the remaining rows that refer to the study, such as
    invitations.
    """
    present = Study.objects.filter(public_id=public_id).first()
    if present is None:
        return {}
    if not replace:
        raise BackupError(f"the study {public_id} already exists; --replace deletes it")
    referring = {}
    for key in optional_keys_to_study():
        rows = key.model._base_manager.filter(**{key.name: present})
        referring[key] = list(rows.values_list("pk", flat=True))
        rows.update(**{key.name: None})
    deepest_first = sorted(study_models(), key=lambda pair: (pair[0] is Study, -pair[1].count("__")))
    for model, path in deepest_first:
        model._base_manager.filter(**{path: present.pk})._raw_delete(connection.alias)
    return referring


def _account(email: str) -> User:
    account = _find_account(email)
    if account is None:
        raise BackupError(f"there is no account with the address {email}")
    return account


def _find_account(email: str) -> User | None:
    return User.objects.filter(email__iexact=email.strip()).first()
