"""What was computed, put into words; and the record of how it came about."""
