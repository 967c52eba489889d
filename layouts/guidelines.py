"""The default guidelines for a new layout study. Researchers can edit the guidelines."""

GUIDELINES = """\
Each page contains a task with a form. Read the task, fill in the form, and continue.

- Answer each field of the form that applies to the task.
- Rely on **your own judgement**. Please do not look anything up unless the task asks you to do so.
"""
