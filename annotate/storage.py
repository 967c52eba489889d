"""The storage for static files in production, with compression and a hash of the content in each file name."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Storage for static files that also puts hashed names into imports of ES modules. Browsers therefore never load
    outdated modules.
    """

    support_js_module_import_aggregation = True
