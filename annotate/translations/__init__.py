"""Tools for developers that keep the translations of annotators' pages complete."""
