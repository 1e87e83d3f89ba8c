package heritrix

import "quire/source/internal/facts"

// Codes of findings about a Heritrix source.
const (
	CodeConfiguration = "SOURCE-CONFIGURATION" // an unreadable configuration
	// several configurations, and no sign which one the crawl used
	CodeSeveral    = "SOURCE-SEVERAL"
	CodeListed     = "SOURCE-LISTED"      // the crawler's own manifest lists a missing file
	CodeUnfinished = facts.CodeUnfinished // a container that the crawler did not finish
	// a file exceeds the limit of its kind, and was read in part or not at all
	CodeLarge = facts.CodeLarge
)
