"""Cases: scores and labels are counted, as integers."""
