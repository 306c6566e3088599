"""The code examples of the seeds, adapted only where DESIGN.md section 9 decides otherwise."""
