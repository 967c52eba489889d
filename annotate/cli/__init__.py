"""Options and output that the commands of Accord and of task types share."""
