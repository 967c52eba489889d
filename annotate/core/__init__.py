"""Claims and their rules, answers, grades, submissions and standing, and shared services: the log, locks, permissions
and jobs. Only the tables, the contract of task types and pure code stand below.
"""
