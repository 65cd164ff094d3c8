"""Write drafts with a small model and verify every number, id and date in code.

A plain library: no web framework, no queue, no database. Start at `agent.verify.verify` and `agent.loop.run_draft`.
"""
