"""The film of a study from its file to its release, and the moving pictures of the guides (see `script/film`)."""
