"""What several test packages share: a Postgres server of our own."""
