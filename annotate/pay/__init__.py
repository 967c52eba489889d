"""Balances, payments, bonuses and corrections. Payments are made outside Accord and recorded here."""
