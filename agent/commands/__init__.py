"""Answer `python -m agent`: one module per sub-command."""
