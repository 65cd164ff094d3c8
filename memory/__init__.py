"""Remember what people changed, free of personal details, for the next similar draft."""
