"""Programs in which functions and containers hand back what they were given, and the caller changes it."""
