"""Reads of word alignment: the sampled phrase pairs and what reviewers say of them."""
