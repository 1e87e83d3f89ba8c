package wct

import (
	"quire/source/heritrix"
	"quire/source/internal/dumps"
)

// Codes of findings about a source of the Web Curator Tool.
const (
	CodeDescription = "SOURCE-DESCRIPTION" // a METS that is not well-formed, or cannot be read to its end
	CodeListed      = heritrix.CodeListed  // the METS lists a file that is not there
	CodeUnlisted    = "SOURCE-UNLISTED"    // a file that the METS does not list: it has no checksum there
	CodeSize        = "SOURCE-SIZE"        // a file has another size than the METS says
	CodeTwins       = "SOURCE-FILE-ID"     // several files have one ID in the METS, or one name
	CodeMIME        = "SOURCE-MIMETYPE"    // the METS calls containers text
	// several results of one harvest lie side by side: as it came, and as it was pruned
	CodeVersions = "SOURCE-VERSIONS"
	CodeDiffers  = "SOURCE-DIFFERS" // two places tell different things
	CodeDump     = dumps.CodeDump   // a dump of the database that cannot be read in part
	CodeLarge    = heritrix.CodeLarge
)
