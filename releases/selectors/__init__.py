"""What a release would be based on."""
