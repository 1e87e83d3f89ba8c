package aip

// The codes of findings are stable: scripts may rely on them.
// docs/reference/505_package-findings.md explains each.
const (
	// The sidecar (clause 1.2).
	CodeSidecarMissing = "PKG-SIDECAR-MISSING" // mets.xml.sha512 is missing
	CodeSidecarForm    = "PKG-SIDECAR-FORM"    // not the one line that clause 1.2 requires
	CodeSidecarDigest  = "PKG-SIDECAR-DIGEST"  // mets.xml does not have this digest

	// The description (clause 2).
	CodeMETSMissing   = "PKG-METS-MISSING"   // the folder is not a package
	CodeMETSRead      = "PKG-METS-READ"      // reading stopped: not well-formed, a DOCTYPE, beyond a limit
	CodeMETSStructure = "PKG-METS-STRUCTURE" // violates the METS schema, as far as checked in code
	CodeMETSSchema    = "PKG-METS-SCHEMA"    // violates one of the schemas
	CodeMETSID        = "PKG-METS-ID"        // mets has no OBJID
	CodeProfile       = "PKG-PROFILE"        // written by an unknown profile
	CodeDocument      = "PKG-DOCUMENT"       // a METS document below mets/ describes another thing than mets.xml says

	// References in the description (clauses 2.5 to 2.7).
	CodeIDTwice      = "PKG-ID-TWICE"      // two elements have one ID
	CodeIDDangling   = "PKG-ID-DANGLING"   // a reference names no element of the document
	CodeDocumentLink = "PKG-DOCUMENT-LINK" // a reference to another document leads to no element, or to another

	// Locations of files in the description (clauses 1.1, 1.4 and 2.6).
	CodeLocation  = "PKG-LOCATION"   // a file has not exactly one FLocat of type URL
	CodePath      = "PKG-PATH"       // an xlink:href is not a path within the package
	CodePathName  = "PKG-PATH-NAME"  // a name with bytes that clause 1.4 escapes
	CodePathPlace = "PKG-PATH-PLACE" // not in the folder of its group
	CodePathTwice = "PKG-PATH-TWICE" // two files have one path

	// The files (clauses 1.1 and 2.6).
	CodeFileMissing = "PKG-FILE-MISSING" // listed, but missing
	CodeFileRead    = "PKG-FILE-READ"    // present, but not readable
	CodeFileSize    = "PKG-FILE-SIZE"    // its size differs from the METS
	CodeFileDigest  = "PKG-FILE-DIGEST"  // its SHA-512 differs from the METS
	CodeFileFixity  = "PKG-FILE-FIXITY"  // its METS states no size or no SHA-512

	// The folder (clause 1.1).
	CodeExtraFile   = "PKG-EXTRA-FILE"   // present, but not listed
	CodeExtraKind   = "PKG-EXTRA-KIND"   // a symbolic link, a device, a pipe
	CodeExtraFolder = "PKG-EXTRA-FOLDER" // an empty or unreadable folder

	// The premis:object of a container (clauses 2.5 and 4).
	CodeObjectMissing = "PKG-OBJECT-MISSING" // a container without one
	CodeObjectSize    = "PKG-OBJECT-SIZE"    // its size differs from the file element
	CodeObjectDigest  = "PKG-OBJECT-DIGEST"  // its SHA-512 differs from the file element

	// The entities of PREMIS, in the whole package (clause 4.6).
	CodePremisDangling = "PKG-PREMIS-DANGLING" // an identifier of the package that no entity has
	CodePremisOutside  = "PKG-PREMIS-OUTSIDE"  // an identifier of another place
	CodePremisTwice    = "PKG-PREMIS-TWICE"    // two entities have one identifier
	CodeEventObject    = "PKG-EVENT-OBJECT"    // an event without an object

	// The containerMD of a container (clause 4.7).
	CodeContainerFixity  = "PKG-CONTAINER-FIXITY"  // another size or digest than the file
	CodeContainerCount   = "PKG-CONTAINER-COUNT"   // numbers that do not agree with the records
	CodeContainerOutcome = "PKG-CONTAINER-OUTCOME" // another outcome than the validation event

	// Dates (clause 4.8).
	CodeDateFuture   = "PKG-DATE-FUTURE"   // a date in the future
	CodeDateCaptured = "PKG-DATE-CAPTURED" // dates of capture that the records do not have

	// Parts of files (clause 2.8).
	CodePartRange     = "PKG-PART-RANGE"     // BEGIN and END: not a range, or not in the parent
	CodePartSize      = "PKG-PART-SIZE"      // its size differs from the METS
	CodePartDigest    = "PKG-PART-DIGEST"    // its digest differs from the METS
	CodePartOverlap   = "PKG-PART-OVERLAP"   // overlaps another part of its parent
	CodePartTransform = "PKG-PART-TRANSFORM" // transformations that cannot be undone
	CodePartLimit     = "PKG-PART-LIMIT"     // too deep, or unpacks to too much
	CodePartRecord    = "PKG-PART-RECORD"    // a record without its elements, or elements without it

	// CDXJ indexes (clause 2.17): a file of the group Index has no valid CDXJ lines.
	CodeIndexLines     = "PKG-INDEX-LINES"
	CodeIndexContainer = "PKG-INDEX-CONTAINER" // index of another container than in its name
	CodeIndexVersion   = "PKG-INDEX-VERSION"   // it is of a later version

	// Targets of the structure (clauses 2.7 and 2.8).
	CodeAreaRange = "PKG-AREA-RANGE" // an area that is not within its file
	CodeLinkLabel = "PKG-LINK-LABEL" // two elements have one xlink:label
	CodeLinkEnd   = "PKG-LINK-END"   // an end of a smLink is not a label
	CodeLinkCount = "PKG-LINK-COUNT" // smLinks are missing, or too many
)

// The checks of clause 4, in its order.
const (
	CheckSidecar    = "sidecar"    // mets.xml.sha512 matches mets.xml
	CheckMETS       = "mets"       // mets.xml is well-formed, and METS as far as checked in code
	CheckSchemas    = "schemas"    // mets.xml is valid against the XML schemas
	CheckFiles      = "files"      // every listed file exists with its size and SHA-512
	CheckExtra      = "extra"      // no other file exists
	CheckPaths      = "paths"      // no path leaves the folder
	CheckReferences = "references" // every ID is unique, every reference names an element
	CheckObjects    = "objects"    // a premis:object states the same as its file element
	CheckEntities   = "entities"   // identifiers of PREMIS are unique, links lead to an entity
	CheckContainers = "containers" // containerMD agrees with the container and its CDXJ lines
	CheckDates      = "dates"      // no date is in the future, captures have the dates of their records
	CheckParts      = "parts"      // every part is in its file, with its size and digest
	CheckIndexes    = "indexes"    // CDXJ indexes belong to their containers
	CheckLinks      = "links"      // areas are within their files, labels unique, links lead to labels
)

var checkOrder = []string{
	CheckSidecar, CheckMETS, CheckSchemas, CheckFiles, CheckExtra, CheckPaths, CheckReferences, CheckObjects,
	CheckEntities, CheckContainers, CheckDates, CheckParts, CheckIndexes, CheckLinks,
}
