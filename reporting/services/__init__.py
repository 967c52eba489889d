"""Services that store data for reports on a study."""
