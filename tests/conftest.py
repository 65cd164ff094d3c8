"""Hold what every folder of tests shares; see tests/servers/plugin.py for the databases and the broker."""
