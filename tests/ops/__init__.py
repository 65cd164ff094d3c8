"""Test how the hub is set up, started, kept alive and stopped."""
