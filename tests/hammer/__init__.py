"""`script/hammer`: simulated annotators who work while the servers fail, and a ledger of all acknowledged data.

`docs/testing.md` describes the ledger, the faults and the tally.
"""
