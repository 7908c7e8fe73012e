"""What each unit adds to a statistic, and what one more could do: what default intervals rest on."""
