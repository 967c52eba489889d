"""The task type “Rating and ranking” for Accord: items on scales with named anchors, or in an order."""
