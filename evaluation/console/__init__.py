"""Pages about what a finished study is good for."""
