package inspect

import (
	"cmp"
	"slices"

	"quire/format/fault"
	"quire/model"
)

// Entry is what the catalogue says of one kind of finding. docs/findings.md is written from these entries.
type Entry struct {
	Code        fault.Code
	Severity    model.Severity // unless Options.Strict or Options.Policy says otherwise
	Clause      string         // of the standard that has the rule; the practice where there is no rule
	Meaning     string         // one sentence
	Explanation string         // why it matters, and who writes such files
	Advice      string         // what to do
	Example     string         // what such a file holds, in a line or a few words

	// Breaks says that the container breaks a clause of its own standard. Options.Strict makes these errors. What the web
	// sent (HTTP) and what is only worth knowing is not among them.
	Breaks bool
}

// entries is the catalogue, by code. It is only read after it was made.
var entries = catalogueOf(gzipEntries, zstdEntries, arcEntries, arcRecordEntries, warcEntries, warcFieldEntries,
	warcValueEntries, httpHeadEntries, httpBodyEntries, codingEntries, formatEntries, scanEntries, digestEntries, refEntries)

func catalogueOf(families ...[]Entry) map[fault.Code]*Entry {
	all := map[fault.Code]*Entry{}
	for _, family := range families {
		for i := range family {
			all[family[i].Code] = &family[i]
		}
	}
	return all
}

// Explain gives the entry of a code; false when there is no such code.
func Explain(code string) (Entry, bool) {
	e, ok := entries[fault.Code(code)]
	if !ok {
		return Entry{}, false
	}
	return *e, true
}

// Catalogue lists every entry, in the order of the codes.
func Catalogue() []Entry {
	all := make([]Entry, 0, len(entries))
	for _, e := range entries {
		all = append(all, *e)
	}
	slices.SortFunc(all, func(a, b Entry) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// SeverityOf says how bad a finding of this code is, when nothing else was asked for. A code that is not in the catalogue is
// an error, so that a new check cannot be silent.
func SeverityOf(code fault.Code) model.Severity {
	if e, ok := entries[code]; ok {
		return e.Severity
	}
	return model.Error
}

// Advice that many entries share.
const (
	restore = "Compare the file's digest with that of another copy, and restore it from a good one. Without one, keep the " +
		"file as it is: the records that can be read are read, and the report says how many bytes cannot."
	tolerate = "Nothing has to be done: the content is whole. Keep the file as it is; where many files have it, note it in " +
		"the documentation of the collection."
	askCrawler = "The content is there, but the header states something else or too little. Keep the file as it is, and tell " +
		"the makers of the software that wrote it (see the warcinfo)."
	fromTheWeb = "Nothing has to be done: the crawler was right to keep what the server sent. Where many records have it, a " +
		"proxy or the crawler itself may be the cause."
)
