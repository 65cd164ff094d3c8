"""Check what only replies to customers say: articles, refunds, actions, answers."""
