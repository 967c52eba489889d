"""The console pages of layout studies."""
