"""Work: cook the text once per recipe, count it shard by shard, and keep the rows."""
