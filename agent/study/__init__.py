"""Compare ways of telling a model what was wrong with its draft, on the same cases and seeds."""
