"""Start the real servers that the tests talk to, and stop them again."""
