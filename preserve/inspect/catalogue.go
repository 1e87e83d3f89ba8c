package inspect

import "quire/model/finding"

// Catalogue explains each code, in the order of the codes. A severity is that without
// Options.Strict and Options.Policy. What the web sent (HTTP) and what is only worth knowing does
// not break a clause. docs/reference/500_findings.md is written from it.
var Catalogue = finding.Sorted("", "", gzipEntries, zstdEntries, arcEntries, arcRecordEntries, warcEntries,
	warcFieldEntries,
	warcValueEntries, httpHeadEntries, httpBodyEntries, codingEntries, formatEntries, scanEntries, digestEntries,
	refEntries)

// Advice that many entries share.
const (
	restore = "Compare the file's digest with that of another copy, and restore it from a good one. Without one, " +
		"keep the " +
		"file as it is: the records that can be read are read, and the report says how many bytes cannot."
	tolerate = "Nothing has to be done: the content is whole. Keep the file as it is; where many files have it, note " +
		"it in " +
		"the documentation of the collection."
	askCrawler = "The content is there, but the header states something else or too little. Keep the file as it is, " +
		"and tell " +
		"the makers of the software that wrote it (see the warcinfo)."
	fromTheWeb = "Nothing has to be done: the crawler was right to keep what the server sent. Where many records " +
		"have it, a " +
		"proxy or the crawler itself may be the cause."
)
