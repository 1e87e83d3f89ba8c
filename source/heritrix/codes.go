package heritrix

import "quire/source/internal/facts"

// Codes of findings about a source of Heritrix.
const (
	CodeConfiguration = "SOURCE-CONFIGURATION" // a configuration that cannot be read
	// several configurations lie side by side, and nothing says which one counted
	CodeSeveral    = "SOURCE-SEVERAL"
	CodeListed     = "SOURCE-LISTED"      // the crawler's own manifest lists a file that is not there
	CodeUnfinished = facts.CodeUnfinished // a container that the crawler did not finish
	// a file is larger than any of its kind, and was read in part or not at all
	CodeLarge = facts.CodeLarge
)
