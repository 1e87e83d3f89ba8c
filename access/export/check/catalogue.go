package check

import (
	"quire/model"
	"quire/model/finding"
)

const (
	fetchAgain = "Fetch it again, or ask the sender to create it again: it cannot be repaired from its " +
		"own content."
	tellMaker = "Report it to its creator. Its statements about the files may still be right."
	look      = "Check whether it belongs there; no checksum covers it."
)

// Catalogue explains each code.
var Catalogue = finding.New("something handed out", "", []finding.Entry{
	{Code: CodeSource, Severity: model.Error,
		Meaning: "The folder or archive contains an entry that is not opened: a link, a path that leads " +
			"outside, two files of one name, a decompression bomb; or it is damaged.", Advice: fetchAgain},
	{Code: CodeMETS, Severity: model.Error,
		Meaning: "A METS document cannot be read, or violates its schema.", Advice: tellMaker},
	{Code: CodeMissing, Severity: model.Error, Meaning: "A file is listed, but missing or unreadable.",
		Advice: fetchAgain},
	{Code: CodeSize, Severity: model.Error, Meaning: "The size of a file differs from the size in " +
		"METS.", Advice: fetchAgain},
	{Code: CodeDigest, Severity: model.Error, Meaning: "The digest of a file differs from the stated " +
		"digest.", Advice: fetchAgain},
	{Code: CodePath, Severity: model.Error, Meaning: "A name leads outside the package; the target is " +
		"not checked.",
		Advice: tellMaker},
	{Code: CodeUnlisted, Severity: model.Warning, Meaning: "A file is present, but not listed.", Advice: look},
	{Code: CodeList, Severity: model.Error, Meaning: "A line in the file list of a mirror is not a file name.",
		Advice: fetchAgain},
	{Code: CodeItem, Severity: model.Error,
		Meaning: "DSpace would misread an item of a Simple Archive, or reject it.", Advice: tellMaker},

	{Code: "BAGIT-DECLARATION", Severity: model.Error,
		Meaning: "bagit.txt is missing, or does not have its two required lines (RFC 8493, 2.1.1).", Advice: tellMaker},
	{Code: "BAGIT-VERSION", Severity: model.Error, Meaning: "The version of the bag is unknown (2.1.1).",
		Advice: tellMaker},
	{Code: "BAGIT-ENCODING", Severity: model.Error,
		Meaning: "The encoding of tag files is unknown, or differs from the declared one (2.1.1).",
		Advice:  tellMaker},
	{Code: "BAGIT-NO-DATA", Severity: model.Error, Meaning: "The data folder is missing (2.1.2).", Advice: fetchAgain},
	{Code: "BAGIT-NO-MANIFEST", Severity: model.Error,
		Meaning: "No manifest uses a known algorithm (2.1.3).", Advice: tellMaker},
	{Code: "BAGIT-ALGORITHM", Severity: model.Warning,
		Meaning: "A manifest uses an unknown algorithm: it was not checked (2.4).", Advice: look},
	{Code: "BAGIT-LINE", Severity: model.Error,
		Meaning: "A line of a manifest, or of fetch.txt, cannot be read (2.1.3).", Advice: tellMaker},
	{Code: "BAGIT-PATH", Severity: model.Error, Meaning: "A path is not within the bag, or not within its " +
		"data (2.1.3).", Advice: tellMaker},
	{Code: "BAGIT-PATH-FORM", Severity: model.Warning, Meaning: "A path begins with ./ or *, which is " +
		"not allowed (2.1.3).",
		Advice: tellMaker},
	{Code: "BAGIT-TWICE", Severity: model.Error, Meaning: "A manifest lists a file twice (2.1.3).", Advice: tellMaker},
	{Code: "BAGIT-NORMALIZATION", Severity: model.Warning,
		Meaning: "The Unicode form of a listed name differs from the name on disk (5.2).", Advice: look},
	{Code: "BAGIT-MISSING", Severity: model.Error, Meaning: "A listed file is missing (3).", Advice: fetchAgain},
	{Code: "BAGIT-FETCH", Severity: model.Error,
		Meaning: "A file must be fetched first, from its URL in fetch.txt (2.2.3).",
		Advice:  "Fetch the file if you trust its source, put it in its place, and check again."},
	{Code: "BAGIT-UNLISTED", Severity: model.Error,
		Meaning: "A payload file is missing from some or all manifests (3).", Advice: look},
	{Code: "BAGIT-DIGEST", Severity: model.Error, Meaning: "The digest of a file differs from its " +
		"manifest (3).",
		Advice: fetchAgain},
	{Code: "BAGIT-UNREADABLE", Severity: model.Error, Meaning: "A file cannot be read, or is not a " +
		"regular file.",
		Advice: fetchAgain},
	{Code: "BAGIT-INFO", Severity: model.Warning, Meaning: "A line of bag-info.txt is not an element (2.2.2).",
		Advice: tellMaker},
	{Code: "BAGIT-OXUM", Severity: model.Error, Meaning: "Payload-Oxum differs from the payload (2.2.2).",
		Advice: fetchAgain},
	{Code: "BAGIT-TAG-LISTED", Severity: model.Error, Meaning: "A tag manifest lists a tag manifest (2.2.1).",
		Advice: tellMaker},
	{Code: "BAGIT-SYSTEM-FILE", Severity: model.Warning,
		Meaning: "The bag contains a file that an operating system created for its own use (5.1).", Advice: look},
	{Code: "BAGIT-CASE", Severity: model.Warning,
		Meaning: "Two names differ only in case: some file systems cannot hold both (5.1).", Advice: tellMaker},
})
