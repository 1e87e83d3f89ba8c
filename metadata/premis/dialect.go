package premis

import (
	"regexp"
	"strings"
	"time"

	"quire/metadata/xmlstream"
)

// Dialect is the version of PREMIS in which entities are written. The zero value is 3.0. Reading
// accepts all versions 2 and 3.
//
// Version 2.2 names some things differently and lacks others (docs/reference/310_package-format.md,
// 2.15). Differently named things are converted: several event details are joined by line feeds,
// the version of an agent becomes a note, and a span of time is widened to whole seconds. The
// authority and URI of a term are omitted; its text stays. Things that 2.2 lacks are errors: an
// intellectualEntity, an environment, a preservationLevelType, storage of a representation.
type Dialect int

// The dialects.
const (
	V3  Dialect = iota // 3.0, of January 2016
	V22                // 2.2, of May 2012, for repositories that still require it
)

// Version returns the dialect's value in METS's MDTYPEVERSION.
func (d Dialect) Version() string {
	if d == V22 {
		return Version22
	}
	return Version
}

func (d Dialect) namespace() string {
	if d == V22 {
		return Namespace2
	}
	return Namespace
}

// IsEntity reports whether an element is a premis:object, event, agent or rights (local), of any
// supported version.
func IsEntity(e xmlstream.Element, local string) bool {
	return e.Local == local && (e.Space == Namespace || e.Space == Namespace2)
}

// edtf22 matches edtfRegularExpressions in the schema of 2.2, a part of EDTF as of 2012.
var edtf22 = regexp.MustCompile(`^(` + strings.Join([]string{
	`\d{2}(\d{2}|\?\?|\d(\d|\?))(-(\d{2}|\?\?))?~?\??`,
	`\d{6}(\d{2}|\?\?)~?\??`,
	`\d{8}T\d{6}`,
	`((\d{4}(-\d{2})?)|UNKNOWN)/((\d{4}(-\d{2})?)|UNKNOWN|OPEN)`,
	`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}((Z|(\+|-)\d{2}:\d{2}))?/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}((Z|(\+|-)` +
		`\d{2}:\d{2}))?`,
	`OPEN`,
}, "|") + `)$`)

// date22 returns a date in the form of 2.2, if possible. Intervals in 2.2 have no fractions of a
// second, so it widens them to whole seconds, and the event stays within.
func date22(s string) (string, bool) {
	if edtf22.MatchString(s) {
		return s, true
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02Z07:00", time.RFC3339Nano,
		"2006-01-02T15:04:05.999999999"} {
		if _, err := time.Parse(layout, s); err == nil {
			return s, true
		}
	}
	from, to, span := strings.Cut(s, "/")
	start, err := time.Parse(time.RFC3339Nano, from)
	if !span || err != nil {
		return "", false
	}
	end, err := time.Parse(time.RFC3339Nano, to)
	if err != nil {
		return "", false
	}
	whole := end.Truncate(time.Second)
	if whole.Before(end) {
		whole = whole.Add(time.Second)
	}
	return start.Truncate(time.Second).Format(time.RFC3339) + "/" + whole.Format(time.RFC3339), true
}
