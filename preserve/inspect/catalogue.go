package inspect

import (
	"quire/model"
	"quire/model/finding"
)

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
		"there is none, keep the file as it is, and run quire salvage: it writes the whole records to a " +
		"new WARC and lists the lost ones."
	foundBySearch = "Compare the record with an index or a log of the crawl before you rely on it. quire salvage " +
		"marks such records in its report."
	tolerate = "No action is needed: the content is complete. Keep the file as it is; if many files have " +
		"this finding, note it in the documentation of the collection."
	askCrawler = "The content is present, but the header states something else or too little. Keep the " +
		"file as it is, and report the problem to the makers of the software that wrote it (see the " +
		"warcinfo)."
	fromTheWeb = "No action is needed: the crawler correctly kept the server's answer. If many records " +
		"have this finding, a proxy or the crawler itself may be the cause."
)

// Damaged reports whether one of the codes is damage of the container itself: records, or parts of
// them, cannot be read as they were written. quire salvage can rescue the rest.
func Damaged(counts map[string]int64) bool {
	for code, n := range counts {
		if e, ok := Catalogue.Explain(code); ok && n > 0 && e.Severity == model.Error && e.Advice == restore {
			return true
		}
	}
	return false
}

// NextStep returns the next step for a damaged container, or "".
func NextStep(c *model.Container) string {
	counts := c.FindingCounts
	if counts == nil { // the container was read from JSON
		counts = map[string]int64{}
		for i := range c.Findings {
			counts[c.Findings[i].Code]++
		}
	}
	if !Damaged(counts) {
		return ""
	}
	return "damaged: look for another copy, or rescue its whole records with quire salvage"
}
