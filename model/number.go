package model

import "strings"

// NumberKind is a criterion by which a collection is counted.
type NumberKind string

// The criteria.
const (
	ByOutcome NumberKind = "outcome" // of the check of a container; Bytes are of the file as stored
	// ByCompleteness counts harvests by the outcome of the comparison of their sources; see [NotCompared].
	ByCompleteness NumberKind = "completeness"
	ByDefinition   NumberKind = "definition" // packages, by the harvest definition or target of their crawls
	ByFinding      NumberKind = "finding"    // by code
	ByFormat       NumberKind = "format"     // identified; see [FormatKey]
	ByIdentified   NumberKind = "identified" // containers: yes or no, whether their formats were identified
	ByHost         NumberKind = "host"
	// ByLanguage counts captured pages and plain texts by their language; see [Container].
	ByLanguage NumberKind = "language"
	// ByLanguagesKnown counts containers: yes or no, whether their METS states their languages; see [LanguagesKnown].
	ByLanguagesKnown NumberKind = "languages"
	ByMIME           NumberKind = "mime"   // declared by the server
	ByStatus         NumberKind = "status" // of HTTP
	ByType           NumberKind = "type"   // of record; Bytes are of the blocks
	ByYear           NumberKind = "year"   // of capture
)

// LanguagesKnown is the name of containers whose languages are known. Numbers of earlier versions have no such row.
const LanguagesKnown = "yes"

// NotCompared is the completeness of a harvest whose sources had nothing to compare.
const NotCompared = "not compared"

// Number is how often a value occurs in the containers of one harvest of a package.
type Number struct {
	Harvest    int // in the order of the package, from 1; 0 for containers outside any harvest
	Year       int // of the first capture of the containers; 0 if it is not known
	Kind       NumberKind
	Name       string
	Count      int64
	Bytes      int64 // of payloads, if the criterion says nothing else
	Containers int64 // that have the value
}

// Numbers are the numbers of a package.
type Numbers struct {
	Exact bool // each container states all of them; else some are missing
	Rows  []Number
}

// FormatKey returns the name of a format in a [Number]: name, PUID and version, separated by tabs. So texts are in
// the order of formats.
func FormatKey(name, puid, version string) string { return name + "\t" + puid + "\t" + version }

// FormatOf returns the format of a [FormatKey]. Another text is the name of a format.
func FormatOf(key string) Format {
	parts := strings.SplitN(key, "\t", 3)
	if len(parts) < 3 {
		return Format{Name: key}
	}
	return Format{Name: parts[0], PUID: parts[1], Version: parts[2]}
}
