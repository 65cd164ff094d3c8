"""Clients of the language models that write drafts."""
