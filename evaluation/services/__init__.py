"""The writes of evaluation: releases and systems."""
