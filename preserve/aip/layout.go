package aip

// ProfilePrefix begins mets/@PROFILE of everything that Quire stores, in each version.
const ProfilePrefix = "Quire web-archive "

// The values of mets/@PROFILE that this package supports (clause 2.1).
const (
	Profile       = "Quire web-archive package 1.1" // compact
	ProfileFull   = Profile + " (full)"
	ProfileLinked = Profile + " (linked)"

	// of the documents below [METSDir] (clause 2.18)
	ProfileContainerMETS = Profile + " (records of a container)"
	ProfilePagesMETS     = Profile + " (pages of a harvest)"
)

// The values of mets/@PROFILE of packages whose METS is one document (clause 2.18).
const (
	SingleProfile       = "Quire web-archive package 1.0" // compact
	SingleProfileFull   = SingleProfile + " (full)"
	SingleProfileLinked = SingleProfile + " (linked)"
)

// knownProfile reports whether a package METS may have the profile.
func knownProfile(p string) bool {
	switch p {
	case Profile, ProfileFull, ProfileLinked, SingleProfile, SingleProfileFull, SingleProfileLinked:
		return true
	}
	return false
}

// CollectionProfile is mets/@PROFILE of collections, which are not packages
// (docs/reference/320_collections.md).
const CollectionProfile = "Quire web-archive collection 1.0"

// Type is mets/@TYPE (clause 2.1).
const Type = "Web archives"

// The names in a package folder (clause 1).
const (
	METSName      = "mets.xml"
	DigestName    = "mets.xml.sha512"
	ContainersDir = "containers"
	OriginalsDir  = "original"
	LogsDir       = "logs"
	DocumentsDir  = "documentation"
	IndexesDir    = "indexes"
	METSDir       = "mets"
)

// The file groups, fileGrp/@USE (clause 2.6).
const (
	UseContainers = "DigitalManifestation"
	UseOriginals  = "Original"
	UseLogs       = "Logfile"
	UseDocuments  = "Documentation"
	UseIndexes    = "Index" // CDXJ indexes of containers
	UseMETS       = "METS"  // the METS of the records of a container, or of the pages of a harvest

	// The groups of parts: they list a container again, and hold bytestreams within.
	UseOriginalFiles = "OriginalFiles" // bytestreams of which others were made that render instead
	UseViral         = "ViralFiles"    // infected bytestreams

	// Groups of parts in packages made before clause 2.8.4 put these bytestreams below their
	// containers.
	UseTransformed = "Transformed"  // bytestreams with restored links
	UseCleaned     = "CleanedFiles" // the cleaned versions of infected bytestreams
)

// listsAgain reports whether a group may list a container that another group already lists (clause
// 2.6). In this case the group states neither the size nor the digest of the container.
func listsAgain(use string) bool { return againBit(use) != 0 }

// DigestLine returns the content of mets.xml.sha512 for the SHA-512 of mets.xml, in lower-case
// hexadecimal (clause 1.2).
func DigestLine(sum string) []byte { return []byte(sum + "  " + METSName + "\n") }
