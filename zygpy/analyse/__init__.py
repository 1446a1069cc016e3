"""core -> facts: kinds, activity, storage, effects and what every call resolves to."""
