"""How learners are tested: examples, grades, tasks, folds, and measures of what was held out."""
