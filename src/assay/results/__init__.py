"""What an answer is, and how it is shown: tables, views of them, sentences, figures. It knows of no question."""
