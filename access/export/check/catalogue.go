package check

import (
	"slices"

	"quire/model"
)

// Entry says what a finding about something handed out means, and what to do.
type Entry struct {
	Code     string         `json:"code"`
	Severity model.Severity `json:"severity"`
	Meaning  string         `json:"meaning"`
	Advice   string         `json:"advice"`
}

// Explain gives the entry of a code; false when there is no such code.
func Explain(code string) (Entry, bool) {
	i := slices.IndexFunc(catalogue, func(e Entry) bool { return e.Code == code })
	if i < 0 {
		return Entry{}, false
	}
	return catalogue[i], true
}

// Catalogue lists every entry.
func Catalogue() []Entry { return slices.Clone(catalogue) }

const (
	fetchAgain = "Fetch it again, or ask whoever handed it out to make it again: nothing here can be repaired from itself."
	tellMaker  = "Tell whoever made it. What it says of its files may be right all the same."
	look       = "Look whether it belongs there; a checksum says nothing of it."
)

var catalogue = []Entry{
	{CodeSource, model.Error, "The folder or archive has something that is not opened: a link, a path that leads out, two files of one name, a bomb; or it is damaged.", fetchAgain},
	{CodeMETS, model.Error, "A METS document cannot be read, or is not as its schema wants it.", tellMaker},
	{CodeMissing, model.Error, "A file is named, and is not there or cannot be read.", fetchAgain},
	{CodeSize, model.Error, "A file has another size than METS states.", fetchAgain},
	{CodeDigest, model.Error, "A file has another digest than is stated.", fetchAgain},
	{CodePath, model.Error, "A name leads out of the package: what is there is not looked at.", tellMaker},
	{CodeUnlisted, model.Warning, "A file is there, and nothing names it.", look},
	{CodeList, model.Error, "A line of the list of a mirror is not the name of a file.", fetchAgain},
	{CodeItem, model.Error, "DSpace would not read an item of a Simple Archive as it is meant, or not at all.", tellMaker},

	{"BAGIT-DECLARATION", model.Error, "bagit.txt is missing, or not two lines of the form required (RFC 8493, 2.1.1).", tellMaker},
	{"BAGIT-VERSION", model.Error, "The bag is of a version that is not known (2.1.1).", tellMaker},
	{"BAGIT-ENCODING", model.Error, "Tag files are in an encoding that is not known, or not in the one that is declared (2.1.1).", tellMaker},
	{"BAGIT-NO-DATA", model.Error, "There is no data folder (2.1.2).", fetchAgain},
	{"BAGIT-NO-MANIFEST", model.Error, "There is no manifest of an algorithm that is known (2.1.3).", tellMaker},
	{"BAGIT-ALGORITHM", model.Warning, "A manifest is of an algorithm that is not known: it was not checked (2.4).", look},
	{"BAGIT-LINE", model.Error, "A line of a manifest, or of fetch.txt, cannot be read (2.1.3).", tellMaker},
	{"BAGIT-PATH", model.Error, "A path is none within the bag (2.1.3).", tellMaker},
	{"BAGIT-PATH-FORM", model.Warning, "A path begins as it should not: with ./ or * (2.1.3).", tellMaker},
	{"BAGIT-TWICE", model.Error, "A manifest lists a file twice (2.1.3).", tellMaker},
	{"BAGIT-NORMALIZATION", model.Warning, "A name is listed in another Unicode form than it has on the disk (5.2).", look},
	{"BAGIT-MISSING", model.Error, "A file is listed, and not there (3).", fetchAgain},
	{"BAGIT-FETCH", model.Error, "A file has to be fetched first: fetch.txt says from where (2.2.3).", "Fetch it, if you trust where from, put it in its place, and check again."},
	{"BAGIT-UNLISTED", model.Error, "A file of the payload is in no manifest, or not in each (3).", look},
	{"BAGIT-DIGEST", model.Error, "A file has another digest than is listed (3).", fetchAgain},
	{"BAGIT-UNREADABLE", model.Error, "A file cannot be read, or is none.", fetchAgain},
	{"BAGIT-INFO", model.Warning, "A line of bag-info.txt is no element (2.2.2).", tellMaker},
	{"BAGIT-OXUM", model.Error, "Payload-Oxum is not what there is (2.2.2).", fetchAgain},
	{"BAGIT-TAG-LISTED", model.Error, "A tag manifest lists a tag manifest (2.2.1).", tellMaker},
	{"BAGIT-SYSTEM-FILE", model.Warning, "A file that an operating system made for itself is in the bag (5.1).", look},
	{"BAGIT-CASE", model.Warning, "Names differ in case alone: not every file system holds both (5.1).", tellMaker},
}
