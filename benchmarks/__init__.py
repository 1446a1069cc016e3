"""What gradients cost: `python -m benchmarks` compares zygpy with adjoints written by hand."""
