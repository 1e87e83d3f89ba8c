package aip

import (
	"slices"
	"strings"

	"quire/model"
)

// Entry says what a finding about a package means, and what to do.
type Entry struct {
	Code     string         `json:"code"`
	Severity model.Severity `json:"severity"`
	Check    string         `json:"check"` // of clause 4
	Meaning  string         `json:"meaning"`
	Advice   string         `json:"advice"`
}

// Explain gives the entry of a code; false when there is no such code.
func Explain(code string) (Entry, bool) {
	i := slices.IndexFunc(catalogue, func(e explained) bool { return e.code == code })
	if i < 0 {
		return Entry{}, false
	}
	e := catalogue[i]
	plain := strings.NewReplacer("`", "")
	return Entry{e.code, rules[e.code].severity, rules[e.code].check, plain.Replace(e.meaning), plain.Replace(e.advice)}, true
}

// Catalogue lists every entry, in the order of the checks.
func Catalogue() []Entry {
	all := make([]Entry, len(catalogue))
	for i, e := range catalogue {
		all[i], _ = Explain(e.code)
	}
	return all
}

type explained struct{ code, meaning, advice string }

// catalogue is what docs/package-findings.md has too, word for word: a test holds them together.
var catalogue = []explained{
	{CodeSidecarMissing, "`mets.xml.sha512` is not there",
		"if `mets.xml` is beyond doubt: `sha512sum mets.xml > mets.xml.sha512`"},
	{CodeSidecarForm, "it is not one line of digest, two spaces, name, line feed",
		"when the digest in it is right, write it again: `sha512sum mets.xml > mets.xml.sha512`"},
	{CodeSidecarDigest, "`mets.xml` has another SHA-512 than its sidecar says: one of the two was changed",
		"take both from another copy"},
	{CodeMETSMissing, "the folder has no `mets.xml`, or something else stands in its place: it is no package",
		"give the folder that holds it; or make a package with `quire pack`"},
	{CodeMETSRead, "`mets.xml` cannot be read on from the place named: it is not well-formed, has a document type declaration, or exceeds a limit of the reader; what comes behind was not checked",
		"take it from another copy"},
	{CodeMETSStructure, "it breaks the schema of METS 1.12.1",
		"tell who made the package"},
	{CodeMETSID, "it has no `OBJID`",
		"tell who made the package: without an identifier it cannot be stored"},
	{CodeProfile, "`PROFILE` names another profile than the one checked by",
		"see whether a later Quire knows it"},
	{CodeMETSSchema, "it breaks one of the XML schemas, of METS or of what METS wraps",
		"tell who made the package"},
	{CodeFileMissing, "a listed file is not there, or something else stands in its place",
		"take it from another copy"},
	{CodeFileRead, "it cannot be opened or read: no permission, a failing disk, a folder that is a link out of the package",
		"look at permissions first, then at the disk"},
	{CodeFileSize, "it has another size than `mets.xml` says; it was not read",
		"take it from another copy"},
	{CodeFileDigest, "it has another SHA-512 than `mets.xml` says",
		"take it from another copy"},
	{CodeFileFixity, "`mets.xml` states no size or no SHA-512 for it, in no group, so nothing proves it unchanged",
		"tell who made the package"},
	{CodeExtraFile, "a file that `mets.xml` does not list",
		"take it out, or make the package again with it"},
	{CodeExtraKind, "a symbolic link, pipe, socket or device",
		"put a copy of what it stands for in its place, before packing"},
	{CodeExtraFolder, "an empty folder, or one that cannot be looked into",
		"remove it; look at its permissions"},
	{CodeLocation, "a file has not exactly one `FLocat` with `LOCTYPE=\"URL\"`",
		"tell who made the package"},
	{CodePath, "an `xlink:href` that is no path within the package (absolute, with a scheme, with `..`); it was not opened",
		"tell who made the package, and trust nothing in it"},
	{CodePathTwice, "two files have one path, and the second is not in a group that lists containers again (Transformed, ViralFiles, CleanedFiles)",
		"tell who made the package"},
	{CodePathName, "a name has a backslash or control character, which clause 1.4 escapes",
		"nothing now; other systems may not be able to hold the file"},
	{CodePathPlace, "the file is not below the folder of its group, or the group is not one of the profile",
		"nothing now; readers of the profile may not look there"},
	{CodeIDTwice, "two elements have one ID",
		"tell who made the package"},
	{CodeIDDangling, "an `ADMID`, `DMDID`, `FILEID` or `TRANSFORMBEHAVIOR` names nothing in the document, or another kind of element than it should",
		"tell who made the package"},
	{CodeObjectMissing, "no `ADMID` of a container names a `premis:object` of category file",
		"tell who made the package"},
	{CodeObjectSize, "the `premis:object` states another size than the `file` element",
		"see which of the two the file has"},
	{CodeObjectDigest, "the `premis:object` states another SHA-512 than the `file` element, or none",
		"see which of the two the file has"},
	{CodePartRange, "`BEGIN` and `END` of a part are no range, or not one within the file that it stands in, its transformations undone; where something is damaged, the message says what",
		"see by the other findings whether the container was changed; if not, tell who made the package"},
	{CodePartSize, "a part has another size than its `SIZE` says",
		"see by the other findings whether the container was changed; if not, tell who made the package"},
	{CodePartDigest, "a part has another digest than its `CHECKSUM` says",
		"see by the other findings whether the container was changed; if not, tell who made the package"},
	{CodePartOverlap, "a part begins before another part of the same file ends; it was not read",
		"tell who made the package"},
	{CodePartTransform, "a transformation that cannot be undone here, or one container listed with several; what stands in the file was not read",
		"see whether a later Quire knows it; else tell who made the package"},
	{CodePartLimit, "parts stand more than 16 deep in one another, or what lies in a file unpacks to more than 1 GiB and 200 times its size; it was read no further",
		"find out where the package is from before anything in it is opened by other means"},
	{CodeIndexLines, "a file in `indexes/` holds no capture lines, or some that no container could have: not sorted, another number than it says, a record outside the container, a key that is not that of its URL",
		"tell who made the package; everything else in it may be sound, and its containers are read instead"},
	{CodeIndexContainer, "capture lines are of another container, or of other bytes, than the one whose name they have",
		"tell who made the package; everything else in it may be sound, and its containers are read instead"},
	{CodeIndexVersion, "capture lines of a later version; they were not looked at",
		"see whether a later Quire knows them; until then the containers are read instead"},
	{CodeAreaRange, "an `area` is no range of bytes, or not one within its file, the transformations of that undone",
		"tell who made the package"},
	{CodeLinkLabel, "two elements have one `xlink:label`",
		"tell who made the package"},
	{CodeLinkEnd, "an end of a `smLink` is the label of no `div`",
		"tell who made the package"},
}
