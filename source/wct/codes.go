package wct

import (
	"quire/source/heritrix"
	"quire/source/internal/dumps"
)

// Codes of findings about a Web Curator Tool source.
const (
	CodeDescription = "SOURCE-DESCRIPTION" // a METS that is not well-formed, or unreadable in part
	CodeListed      = heritrix.CodeListed  // the METS lists a missing file
	CodeUnlisted    = "SOURCE-UNLISTED"    // a file that the METS does not list, so it has no checksum there
	CodeSize        = "SOURCE-SIZE"        // a file size differs from the METS
	CodeTwins       = "SOURCE-FILE-ID"     // several files have the same ID or name in the METS
	CodeMIME        = "SOURCE-MIMETYPE"    // the METS declares containers as text
	// one harvest has several results: the original result, and pruned results
	CodeVersions = "SOURCE-VERSIONS"
	CodeDiffers  = "SOURCE-DIFFERS" // two sources state different values
	CodeDump     = dumps.CodeDump   // a database dump that is partly unreadable
	CodeLarge    = heritrix.CodeLarge
)
