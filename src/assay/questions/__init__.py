"""Questions that can be asked of a campaign, one file each: fields are options, and ``answer`` gives a result."""
