package pandas

import (
	"quire/internal/archivefs"
	"quire/source/heritrix"
	"quire/source/internal/facts"
)

// Codes of findings about a PANDAS source.
const (
	CodeListed   = heritrix.CodeListed // the list of a tarball names a missing file
	CodeUnlisted = "SOURCE-UNLISTED"   // a file of a tarball is not in its list
	CodeSize     = "SOURCE-SIZE"       // a file size differs from the list
	CodeDigest   = "SOURCE-DIGEST"     // the MD5 of a tarball differs from its checksum file
	CodeTarball  = "SOURCE-TARBALL"    // an unreadable tarball, list or sum
	CodeSeveral  = heritrix.CodeSeveral
	CodeChanged  = "PANDAS-CHANGED" // the files were changed after they were gathered
	CodeMap      = "PANDAS-URL-MAP" // url.map is inconsistent, or contradicts other sources
	CodeDiffers  = "SOURCE-DIFFERS"
	codePath     = string(archivefs.FaultPath)
	codeLarge    = facts.CodeLarge
)
