"""Questionnaires for annotators: the definition of questions, and the validation of answers."""
