package pandas

import (
	"quire/internal/archivefs"
	"quire/source/heritrix"
	"quire/source/internal/facts"
)

// Codes of findings about a source of PANDAS.
const (
	CodeListed   = heritrix.CodeListed // the list of a tarball has a file that is not in it
	CodeUnlisted = "SOURCE-UNLISTED"   // a file of a tarball is not in its list
	CodeSize     = "SOURCE-SIZE"       // a file has another size than the list says
	CodeDigest   = "SOURCE-DIGEST"     // a tarball has another MD5 than the file beside it says
	CodeTarball  = "SOURCE-TARBALL"    // a tarball, its list or its sums cannot be read
	CodeSeveral  = heritrix.CodeSeveral
	CodeChanged  = "PANDAS-CHANGED" // the files were changed after they were gathered
	CodeMap      = "PANDAS-URL-MAP" // url.map says what cannot be, or what others contradict
	CodeDiffers  = "SOURCE-DIFFERS"
	codePath     = string(archivefs.FaultPath)
	codeLarge    = facts.CodeLarge
)
