"""The storage for static files in production, which compresses files and adds a hash of the content to each file
name.
"""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Storage for static files that also replaces the names in ES module imports with hashed names. Therefore, browsers
    never load outdated modules.
    """

    support_js_module_import_aggregation = True
