"""Tests of every URL in a study with every kind of visitor. The URLs come from the URL table, so a new URL is either
tested or fails a test. The tables in test_permissions.py say which roles may send each request.

Two studies with different owners each contain one object of every kind. An ID of the other study must have the same
effect as an ID that does not exist: the same status, none of the other study's texts, and no change in any table.
"""
