"""What results look like: tables in every format."""
