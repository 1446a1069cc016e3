"""Programs made of every piece of one table with every piece of others, judged by differences."""
