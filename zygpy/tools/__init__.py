"""What differentiated code may call by name: hooks, checkpoints, implicit parameters."""
