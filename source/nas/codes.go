package nas

import (
	"quire/source/heritrix"
	"quire/source/internal/facts"
)

// Codes of findings about a source of NetarchiveSuite.
const (
	CodeMetadata      = "SOURCE-METADATA"          // a metadata file that cannot be read, or only in part
	CodeJob           = "SOURCE-JOB"               // what tells the number of the job contradicts itself
	CodeSuperseded    = "SOURCE-SUPERSEDED"        // a document is there again in a later metadata file
	CodeMigration     = "SOURCE-MIGRATION"         // a line that should tell where a record went, and cannot be read
	CodeConfiguration = heritrix.CodeConfiguration // a harvestInfo.xml that cannot be read
	CodeUnfinished    = heritrix.CodeUnfinished    // a container that was not finished
	CodeLarge         = facts.CodeLarge            // more than is listed, or larger than is read
)
