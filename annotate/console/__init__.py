"""Researchers' pages that combine several topics: the list of studies, overview, to-do list, design and downloads. This
room imports the rooms below directly, and registers nothing.
"""
