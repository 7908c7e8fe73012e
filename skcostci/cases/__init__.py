"""Cases: scores and labels become integers."""
