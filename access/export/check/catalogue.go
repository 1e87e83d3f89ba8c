package check

import (
	"quire/model"
	"quire/model/finding"
)

const (
	fetchAgain = "Fetch it again, or ask whoever handed it out to make it again: nothing here can be repaired from " +
		"itself."
	tellMaker = "Tell whoever made it. What it says of its files may be right all the same."
	look      = "Look whether it belongs there; a checksum says nothing of it."
)

// Catalogue explains each code.
var Catalogue = finding.New("something handed out", "", []finding.Entry{
	{Code: CodeSource, Severity: model.Error,
		Meaning: "The folder or archive has something that is not opened: a link, a path that leads out, two files " +
			"of one name, a bomb; or it is damaged.", Advice: fetchAgain},
	{Code: CodeMETS, Severity: model.Error,
		Meaning: "A METS document cannot be read, or is not as its schema wants it.", Advice: tellMaker},
	{Code: CodeMissing, Severity: model.Error, Meaning: "A file is named, and is not there or cannot be read.",
		Advice: fetchAgain},
	{Code: CodeSize, Severity: model.Error, Meaning: "A file has another size than METS states.", Advice: fetchAgain},
	{Code: CodeDigest, Severity: model.Error, Meaning: "A file has another digest than is stated.", Advice: fetchAgain},
	{Code: CodePath, Severity: model.Error, Meaning: "A name leads out of the package: what is there is not looked at.",
		Advice: tellMaker},
	{Code: CodeUnlisted, Severity: model.Warning, Meaning: "A file is there, and nothing names it.", Advice: look},
	{Code: CodeList, Severity: model.Error, Meaning: "A line of the list of a mirror is not the name of a file.",
		Advice: fetchAgain},
	{Code: CodeItem, Severity: model.Error,
		Meaning: "DSpace would not read an item of a Simple Archive as it is meant, or not at all.", Advice: tellMaker},

	{Code: "BAGIT-DECLARATION", Severity: model.Error,
		Meaning: "bagit.txt is missing, or not two lines of the form required (RFC 8493, 2.1.1).", Advice: tellMaker},
	{Code: "BAGIT-VERSION", Severity: model.Error, Meaning: "The bag is of a version that is not known (2.1.1).",
		Advice: tellMaker},
	{Code: "BAGIT-ENCODING", Severity: model.Error,
		Meaning: "Tag files are in an encoding that is not known, or not in the one that is declared (2.1.1).",
		Advice:  tellMaker},
	{Code: "BAGIT-NO-DATA", Severity: model.Error, Meaning: "There is no data folder (2.1.2).", Advice: fetchAgain},
	{Code: "BAGIT-NO-MANIFEST", Severity: model.Error,
		Meaning: "There is no manifest of an algorithm that is known (2.1.3).", Advice: tellMaker},
	{Code: "BAGIT-ALGORITHM", Severity: model.Warning,
		Meaning: "A manifest is of an algorithm that is not known: it was not checked (2.4).", Advice: look},
	{Code: "BAGIT-LINE", Severity: model.Error,
		Meaning: "A line of a manifest, or of fetch.txt, cannot be read (2.1.3).", Advice: tellMaker},
	{Code: "BAGIT-PATH", Severity: model.Error, Meaning: "A path is none within the bag (2.1.3).", Advice: tellMaker},
	{Code: "BAGIT-PATH-FORM", Severity: model.Warning, Meaning: "A path begins as it should not: with ./ or * (2.1.3).",
		Advice: tellMaker},
	{Code: "BAGIT-TWICE", Severity: model.Error, Meaning: "A manifest lists a file twice (2.1.3).", Advice: tellMaker},
	{Code: "BAGIT-NORMALIZATION", Severity: model.Warning,
		Meaning: "A name is listed in another Unicode form than it has on the disk (5.2).", Advice: look},
	{Code: "BAGIT-MISSING", Severity: model.Error, Meaning: "A file is listed, and not there (3).", Advice: fetchAgain},
	{Code: "BAGIT-FETCH", Severity: model.Error,
		Meaning: "A file has to be fetched first: fetch.txt says from where (2.2.3).",
		Advice:  "Fetch it, if you trust where from, put it in its place, and check again."},
	{Code: "BAGIT-UNLISTED", Severity: model.Error,
		Meaning: "A file of the payload is in no manifest, or not in each (3).", Advice: look},
	{Code: "BAGIT-DIGEST", Severity: model.Error, Meaning: "A file has another digest than is listed (3).",
		Advice: fetchAgain},
	{Code: "BAGIT-UNREADABLE", Severity: model.Error, Meaning: "A file cannot be read, or is none.",
		Advice: fetchAgain},
	{Code: "BAGIT-INFO", Severity: model.Warning, Meaning: "A line of bag-info.txt is no element (2.2.2).",
		Advice: tellMaker},
	{Code: "BAGIT-OXUM", Severity: model.Error, Meaning: "Payload-Oxum is not what there is (2.2.2).",
		Advice: fetchAgain},
	{Code: "BAGIT-TAG-LISTED", Severity: model.Error, Meaning: "A tag manifest lists a tag manifest (2.2.1).",
		Advice: tellMaker},
	{Code: "BAGIT-SYSTEM-FILE", Severity: model.Warning,
		Meaning: "A file that an operating system made for itself is in the bag (5.1).", Advice: look},
	{Code: "BAGIT-CASE", Severity: model.Warning,
		Meaning: "Names differ in case alone: not every file system holds both (5.1).", Advice: tellMaker},
})
