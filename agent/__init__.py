"""Write drafts with a small model and verify every number, id and date in code.

A plain library: no web framework, no queue, no database. Start at `agent.validators.verify` and `agent.loop.run_draft`.
"""
