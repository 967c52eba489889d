"""`script/hammer`: annotators at work while the servers fail, and a ledger of everything that was acknowledged.

`docs/testing.md` describes the ledger, the faults and the tally.
"""
