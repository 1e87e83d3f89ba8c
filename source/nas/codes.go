package nas

import (
	"quire/source/heritrix"
	"quire/source/internal/facts"
)

// Codes of findings about a NetarchiveSuite source.
const (
	CodeMetadata      = "SOURCE-METADATA"          // a metadata file that is unreadable, wholly or in part
	CodeJob           = "SOURCE-JOB"               // contradicting sources for the job number
	CodeSuperseded    = "SOURCE-SUPERSEDED"        // a later metadata file has a newer version of a document
	CodeMigration     = "SOURCE-MIGRATION"         // an unreadable line about the new place of a record
	CodeConfiguration = heritrix.CodeConfiguration // an unreadable harvestInfo.xml
	CodeUnfinished    = heritrix.CodeUnfinished    // an unfinished container
	CodeLarge         = facts.CodeLarge            // more entries than are listed, or a file above the limit
)
