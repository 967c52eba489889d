"""The methods section of a paper about a study, in LaTeX, Markdown and HTML."""
