"""The storage for static files in production, with compression and a hash of the content in each file name."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):
    """A storage that also puts hashed names into imports of ES modules, so that browsers never load
    outdated modules.
    """

    support_js_module_import_aggregation = True
