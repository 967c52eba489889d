"""Writes of evaluation: releases, and systems that are scored."""
