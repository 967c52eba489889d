"""API operations for systems, leaderboards and splits."""
