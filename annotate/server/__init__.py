"""The surroundings of Django: web worker, connections, caches, logs, health, outages, encryption, and requests to other
servers.
"""
