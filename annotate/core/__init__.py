"""Claims with every rule that decides them, answers, grades, submissions and standing, and what all services need: the
log, locks, permissions and jobs. Only the tables, the contract of task types and pure code stand below.
"""
