package aip

import (
	"quire/model"
	"quire/model/finding"
)

// Catalogue explains each code, in the order of the checks of clause 4.
// docs/reference/505_package-findings.md is written from it.
var Catalogue = finding.New("a package", ", of quire validate (docs/reference/310_package-format.md, clause 4)",
	[]finding.Entry{
		{Code: CodeSidecarMissing, Severity: model.Error, Check: CheckSidecar,
			Meaning: "`mets.xml.sha512` is not there",
			Advice:  "if `mets.xml` is beyond doubt: `sha512sum mets.xml > mets.xml.sha512`"},
		{Code: CodeSidecarForm, Severity: model.Error, Check: CheckSidecar,
			Meaning: "it is not one line of digest, two spaces, name, line feed",
			Advice:  "when the digest in it is right, write it again: `sha512sum mets.xml > mets.xml.sha512`"},
		{Code: CodeSidecarDigest, Severity: model.Error, Check: CheckSidecar,
			Meaning: "`mets.xml` has another SHA-512 than its sidecar says: one of the two was changed",
			Advice:  "take both from another copy"},
		{Code: CodeMETSMissing, Severity: model.Error, Check: CheckMETS,
			Meaning: "the folder has no `mets.xml`, or something else stands in its place: it is no package",
			Advice:  "give the folder that holds it; or make a package with `quire pack`"},
		{Code: CodeMETSRead, Severity: model.Error, Check: CheckMETS,
			Meaning: "`mets.xml` cannot be read on from the place named: it is not well-formed, has a document type " +
				"declaration, or exceeds a limit of the reader; what comes behind was not checked",
			Advice: "take it from another copy"},
		{Code: CodeMETSStructure, Severity: model.Error, Check: CheckMETS,
			Meaning: "it breaks the schema of METS 1.12.1",
			Advice:  "tell who made the package"},
		{Code: CodeMETSID, Severity: model.Error, Check: CheckMETS,
			Meaning: "it has no `OBJID`",
			Advice:  "tell who made the package: without an identifier it cannot be stored"},
		{Code: CodeProfile, Severity: model.Warning, Check: CheckMETS, // a later version may be read well
			Meaning: "`PROFILE` names another profile than the one checked by",
			Advice:  "see whether a later Quire knows it"},
		{Code: CodeMETSSchema, Severity: model.Error, Check: CheckSchemas,
			Meaning: "it breaks one of the XML schemas, of METS or of what METS wraps",
			Advice:  "tell who made the package"},
		{Code: CodeFileMissing, Severity: model.Error, Check: CheckFiles,
			Meaning: "a listed file is not there, or something else stands in its place",
			Advice:  "take it from another copy"},
		{Code: CodeFileRead, Severity: model.Error, Check: CheckFiles,
			Meaning: "it cannot be opened or read: no permission, a failing disk, a folder that is a link out of the " +
				"package",
			Advice: "look at permissions first, then at the disk"},
		{Code: CodeFileSize, Severity: model.Error, Check: CheckFiles,
			Meaning: "it has another size than `mets.xml` says; it was not read",
			Advice:  "take it from another copy"},
		{Code: CodeFileDigest, Severity: model.Error, Check: CheckFiles,
			Meaning: "it has another SHA-512 than `mets.xml` says",
			Advice:  "take it from another copy"},
		{Code: CodeFileFixity, Severity: model.Error, Check: CheckFiles,
			Meaning: "`mets.xml` states no size or no SHA-512 for it, in no group, so nothing proves it unchanged",
			Advice:  "tell who made the package"},
		{Code: CodeExtraFile, Severity: model.Error, Check: CheckExtra,
			Meaning: "a file that `mets.xml` does not list",
			Advice:  "take it out, or make the package again with it"},
		{Code: CodeExtraKind, Severity: model.Error, Check: CheckExtra,
			Meaning: "a symbolic link, pipe, socket or device",
			Advice:  "put a copy of what it stands for in its place, before packing"},
		// a store keeps files only: the folder would be lost without a word
		{Code: CodeExtraFolder, Severity: model.Error, Check: CheckExtra,
			Meaning: "an empty folder, or one that cannot be looked into",
			Advice:  "remove it; look at its permissions"},
		{Code: CodeLocation, Severity: model.Error, Check: CheckPaths,
			Meaning: "a file has not exactly one `FLocat` with `LOCTYPE=\"URL\"`",
			Advice:  "tell who made the package"},
		{Code: CodePath, Severity: model.Error, Check: CheckPaths,
			Meaning: "an `xlink:href` that is no path within the package (absolute, with a scheme, with `..`); it " +
				"was " +
				"not opened",
			Advice: "tell who made the package, and trust nothing in it"},
		{Code: CodePathTwice, Severity: model.Error, Check: CheckPaths,
			Meaning: "two files have one path, and the second is not in a group that lists containers again " +
				"(Transformed," +
				" ViralFiles, CleanedFiles)",
			Advice: "tell who made the package"},
		// the file is there and proved; another system may not be able to hold it
		{Code: CodePathName, Severity: model.Warning, Check: CheckPaths,
			Meaning: "a name has a backslash or control character, which clause 1.4 escapes",
			Advice:  "nothing now; other systems may not be able to hold the file"},
		{Code: CodePathPlace, Severity: model.Warning, Check: CheckPaths,
			Meaning: "the file is not below the folder of its group, or the group is not one of the profile",
			Advice:  "nothing now; readers of the profile may not look there"},
		{Code: CodeIDTwice, Severity: model.Error, Check: CheckReferences,
			Meaning: "two elements have one ID",
			Advice:  "tell who made the package"},
		{Code: CodeIDDangling, Severity: model.Error, Check: CheckReferences,
			Meaning: "an `ADMID`, `DMDID`, `FILEID` or `TRANSFORMBEHAVIOR` names nothing in the document, or another " +
				"kind of element than it should",
			Advice: "tell who made the package"},
		{Code: CodeObjectMissing, Severity: model.Error, Check: CheckObjects,
			Meaning: "no `ADMID` of a container names a `premis:object` of category file",
			Advice:  "tell who made the package"},
		{Code: CodeObjectSize, Severity: model.Error, Check: CheckObjects,
			Meaning: "the `premis:object` states another size than the `file` element",
			Advice:  "see which of the two the file has"},
		{Code: CodeObjectDigest, Severity: model.Error, Check: CheckObjects,
			Meaning: "the `premis:object` states another SHA-512 than the `file` element, or none",
			Advice:  "see which of the two the file has"},
		{Code: CodePartRange, Severity: model.Error, Check: CheckParts,
			Meaning: "`BEGIN` and `END` of a part are no range, or not one within the file that it stands in, its " +
				"transformations undone; where something is damaged, the message says what",
			Advice: "see by the other findings whether the container was changed; if not, tell who made the package"},
		{Code: CodePartSize, Severity: model.Error, Check: CheckParts,
			Meaning: "a part has another size than its `SIZE` says",
			Advice:  "see by the other findings whether the container was changed; if not, tell who made the package"},
		{Code: CodePartDigest, Severity: model.Error, Check: CheckParts,
			Meaning: "a part has another digest than its `CHECKSUM` says",
			Advice:  "see by the other findings whether the container was changed; if not, tell who made the package"},
		{Code: CodePartOverlap, Severity: model.Error, Check: CheckParts,
			Meaning: "a part begins before another part of the same file ends; it was not read",
			Advice:  "tell who made the package"},
		{Code: CodePartTransform, Severity: model.Error, Check: CheckParts,
			Meaning: "a transformation that cannot be undone here, or one container listed with several; what stands " +
				"in " +
				"the file was not read",
			Advice: "see whether a later Quire knows it; else tell who made the package"},
		{Code: CodePartLimit, Severity: model.Error, Check: CheckParts,
			Meaning: "parts stand more than 16 deep in one another, or what lies in a file unpacks to more than 1 " +
				"GiB " +
				"and 200 times its size; it was read no further",
			Advice: "find out where the package is from before anything in it is opened by other means"},
		{Code: CodeIndexLines, Severity: model.Error, Check: CheckIndexes,
			Meaning: "a file in `indexes/` holds no capture lines, or some that no container could have: not sorted, " +
				"another number than it says, a record outside the container, a key that is not that of its URL",
			Advice: "tell who made the package; everything else in it may be sound, and its containers are read " +
				"instead"},
		{Code: CodeIndexContainer, Severity: model.Error, Check: CheckIndexes,
			Meaning: "capture lines are of another container, or of other bytes, than the one whose name they have",
			Advice: "tell who made the package; everything else in it may be sound, and its containers are read " +
				"instead"},
		// a later quire can read them; the container is read instead
		{Code: CodeIndexVersion, Severity: model.Warning, Check: CheckIndexes,
			Meaning: "capture lines of a later version; they were not looked at",
			Advice:  "see whether a later Quire knows them; until then the containers are read instead"},
		{Code: CodeAreaRange, Severity: model.Error, Check: CheckLinks,
			Meaning: "an `area` is no range of bytes, or not one within its file, the transformations of that undone",
			Advice:  "tell who made the package"},
		{Code: CodeLinkLabel, Severity: model.Error, Check: CheckLinks,
			Meaning: "two elements have one `xlink:label`",
			Advice:  "tell who made the package"},
		{Code: CodeLinkEnd, Severity: model.Error, Check: CheckLinks,
			Meaning: "an end of a `smLink` is the label of no `div`",
			Advice:  "tell who made the package"},
	})
