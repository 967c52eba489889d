"""Preregistrations of studies in the template OSF Prereg, which are frozen with a checksum and compared with the study
later.
"""
