"""What a person starts at a shell."""
