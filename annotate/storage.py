"""The storage for static files in production, with compression and a hash of the content in each file name."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Storage for static files that also replaces the names in imports of ES modules with hashed names. Browsers
    therefore never load outdated modules.
    """

    support_js_module_import_aggregation = True
