"""Figures from ratings and orders, as functions from arrays to arrays without Django."""
