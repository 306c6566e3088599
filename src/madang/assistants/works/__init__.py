"""An assistant for the sales people of a pharma company."""
