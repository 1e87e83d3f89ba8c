package inspect

import "quire/model/finding"

// Catalogue explains each code, in the order of the codes. Severities are those without
// Options.Strict and Options.Policy. Findings about the server's answer (HTTP), and mere
// information, do not break a clause. docs/reference/500_findings.md is generated from it.
var Catalogue = finding.Sorted("", "", gzipEntries, zstdEntries, arcEntries, arcRecordEntries, warcEntries,
	warcFieldEntries,
	warcValueEntries, httpHeadEntries, httpBodyEntries, codingEntries, formatEntries, scanEntries, digestEntries,
	refEntries)

// Advice for several entries.
const (
	restore = "Compare the file's digest with that of another copy, and restore it from a good copy. If " +
		"there is none, keep the file as it is: readable records are read, and the report states how " +
		"many bytes are not readable."
	tolerate = "No action is needed: the content is complete. Keep the file as it is; if many files have " +
		"this finding, note it in the documentation of the collection."
	askCrawler = "The content is present, but the header states something else or too little. Keep the " +
		"file as it is, and report the problem to the makers of the software that wrote it (see the " +
		"warcinfo)."
	fromTheWeb = "No action is needed: the crawler correctly kept the server's answer. If many records " +
		"have this finding, a proxy or the crawler itself may be the cause."
)
