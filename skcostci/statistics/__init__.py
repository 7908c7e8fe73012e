"""Statistics: one file per question, with the cells and values that it needs."""
