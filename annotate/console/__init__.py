"""The researchers' pages on which topics meet: the list of studies, overview, to-do list, design and downloads. This
room imports the rooms below plainly, and registers nothing.
"""
