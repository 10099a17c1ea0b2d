"""What is kept between runs: results, rows, texts, judgements and scores, in a folder that other programs can read."""
