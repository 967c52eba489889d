"""Programs that read releases in an environment of their own (`.hub`) and never import Accord."""
