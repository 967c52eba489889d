"""The URLs and the schema of the JSON API, and the operations on which topics meet."""
