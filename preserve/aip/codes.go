package aip

// The codes of findings. They are stable: scripts may rely on them.
// docs/reference/505_package-findings.md explains each to the person who meets it.
const (
	// The sidecar (clause 1.2).
	CodeSidecarMissing = "PKG-SIDECAR-MISSING" // mets.xml.sha512 is not there
	CodeSidecarForm    = "PKG-SIDECAR-FORM"    // it is not the one line that clause 1.2 asks for
	CodeSidecarDigest  = "PKG-SIDECAR-DIGEST"  // mets.xml does not have the digest it states

	// The description (clause 2).
	CodeMETSMissing   = "PKG-METS-MISSING"   // the folder is no package
	CodeMETSRead      = "PKG-METS-READ"      // reading had to end: not well-formed, a DOCTYPE, beyond a limit
	CodeMETSStructure = "PKG-METS-STRUCTURE" // breaks the schema of METS, as far as that is checked in code
	CodeMETSSchema    = "PKG-METS-SCHEMA"    // breaks one of the schemas
	CodeMETSID        = "PKG-METS-ID"        // mets has no OBJID
	CodeProfile       = "PKG-PROFILE"        // written by a profile that is not known here

	// What the description refers to (clauses 2.5 to 2.7).
	CodeIDTwice    = "PKG-ID-TWICE"    // two elements have one ID
	CodeIDDangling = "PKG-ID-DANGLING" // a reference names nothing in the document

	// Where the description says files are (clauses 1.1, 1.4 and 2.6).
	CodeLocation  = "PKG-LOCATION"   // a file has not exactly one FLocat of type URL
	CodePath      = "PKG-PATH"       // an xlink:href that is no path within the package
	CodePathName  = "PKG-PATH-NAME"  // a name with bytes that clause 1.4 has escaped
	CodePathPlace = "PKG-PATH-PLACE" // the folder is not the one of the file's group
	CodePathTwice = "PKG-PATH-TWICE" // two files have one path

	// The files (clauses 1.1 and 2.6).
	CodeFileMissing = "PKG-FILE-MISSING" // listed, and not there
	CodeFileRead    = "PKG-FILE-READ"    // there, and cannot be read
	CodeFileSize    = "PKG-FILE-SIZE"    // has another size than its METS says
	CodeFileDigest  = "PKG-FILE-DIGEST"  // has another SHA-512 than its METS says
	CodeFileFixity  = "PKG-FILE-FIXITY"  // its METS states no size or no SHA-512

	// The folder (clause 1.1).
	CodeExtraFile   = "PKG-EXTRA-FILE"   // there, and not listed
	CodeExtraKind   = "PKG-EXTRA-KIND"   // a symbolic link, a device, a pipe
	CodeExtraFolder = "PKG-EXTRA-FOLDER" // an empty folder, or one that cannot be looked into

	// The premis:object of a container (clauses 2.5 and 4).
	CodeObjectMissing = "PKG-OBJECT-MISSING" // a container without one
	CodeObjectSize    = "PKG-OBJECT-SIZE"    // states another size than the file element
	CodeObjectDigest  = "PKG-OBJECT-DIGEST"  // states another SHA-512 than the file element

	// Parts of files (clause 2.8).
	CodePartRange     = "PKG-PART-RANGE"     // BEGIN and END are no range, or not one in the parent
	CodePartSize      = "PKG-PART-SIZE"      // has another size than is stated
	CodePartDigest    = "PKG-PART-DIGEST"    // has another digest than is stated
	CodePartOverlap   = "PKG-PART-OVERLAP"   // lies where another part of its parent lies
	CodePartTransform = "PKG-PART-TRANSFORM" // transformations that cannot be undone
	CodePartLimit     = "PKG-PART-LIMIT"     // too deep, or unpacks to too much

	// Capture lines (clause 2.17).
	// a file of the group Index holds none, or none that a reading could have given
	CodeIndexLines     = "PKG-INDEX-LINES"
	CodeIndexContainer = "PKG-INDEX-CONTAINER" // they are of another container than that whose name they have
	CodeIndexVersion   = "PKG-INDEX-VERSION"   // they are of a later version

	// What the structure leads to (clauses 2.7 and 2.8).
	CodeAreaRange = "PKG-AREA-RANGE" // an area that is not within its file
	CodeLinkLabel = "PKG-LINK-LABEL" // two elements have one xlink:label
	CodeLinkEnd   = "PKG-LINK-END"   // an end of a smLink is no label
)

// The checks of clause 4, in its order.
const (
	CheckSidecar    = "sidecar"    // mets.xml.sha512 fits
	CheckMETS       = "mets"       // mets.xml is well-formed, and METS as far as that is checked in code
	CheckSchemas    = "schemas"    // mets.xml is valid against the XML schemas
	CheckFiles      = "files"      // every listed file is there with its size and SHA-512
	CheckExtra      = "extra"      // nothing else is there
	CheckPaths      = "paths"      // no path leaves the folder
	CheckReferences = "references" // every ID is unique, every reference names something
	CheckObjects    = "objects"    // the premis:object of a file states what its file element states
	CheckParts      = "parts"      // every part lies in its file, with its size and digest
	CheckIndexes    = "indexes"    // capture lines are of their containers
	CheckLinks      = "links"      // areas lie within their files, labels are unique, links lead to labels
)

var checkOrder = []string{
	CheckSidecar, CheckMETS, CheckSchemas, CheckFiles, CheckExtra, CheckPaths, CheckReferences, CheckObjects,
	CheckParts,
	CheckIndexes, CheckLinks,
}
