"""The documentation site that `script/docs` builds from `docs/` with Sphinx, in an environment of its own (`.site`)."""
