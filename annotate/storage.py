"""Static files in production: compressed, under names that tell their content, so that browsers keep them for good."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Also the names by which ES modules import each other are those names; else an old module would stay."""

    support_js_module_import_aggregation = True
