"""The review hub: where drafts are written, checked, decided and sent on their way."""
