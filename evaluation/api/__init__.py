"""API operations for systems, leaderboards and releases."""
