"""Claims and their rules, answers, grades, submissions and standing, and shared services: the log, locks, permissions
and jobs. Below this layer are only the tables, the task-type contract and pure code.
"""
