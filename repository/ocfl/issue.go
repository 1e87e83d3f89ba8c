package ocfl

import (
	"cmp"
	"fmt"
	"slices"
)

// Kind says in one word what happened to a file, for those who act on it: an audit names the file,
// a repair fetches it from another copy. Issues that are about rules and not about one file's bytes
// have [KindRule].
type Kind string

// The kinds of issue.
const (
	KindRule            Kind = ""                 // a rule of the layout is broken
	KindMissing         Kind = "missing file"     // the inventory lists it, it is not there
	KindExtra           Kind = "extra file"       // it is there, the inventory does not list it
	KindDigestMismatch  Kind = "digest mismatch"  // its bytes are not those that were stored
	KindSidecarMismatch Kind = "sidecar mismatch" // inventory and sidecar contradict each other: one of them is damaged
	KindUnreadable      Kind = "unreadable"       // the storage refused to hand it out
)

// Issue is one broken rule at one place.
type Issue struct {
	Code   string // of the specification, such as "E092"; [Explain] has it in words
	Kind   Kind   // what to do about it, if it is about a file's bytes
	Path   string // the file or folder, below the object root (for a storage root: below that)
	Detail string // what was found, and what was expected

	Algorithm, Expected, Found string // for KindDigestMismatch and KindSidecarMismatch: the digests, in lower case
}

// String writes the issue on one line: code, path, detail.
func (i Issue) String() string {
	if i.Path == "" {
		return i.Code + " " + i.Detail
	}
	return i.Code + " " + i.Path + ": " + i.Detail
}

// IsWarning tells whether the code is one of those that leave an object valid.
func (i Issue) IsWarning() bool { return len(i.Code) > 0 && i.Code[0] == 'W' }

// maxIssues bounds what is kept of a hostile object's issues, of errors and of warnings each. The
// rest is counted.
const maxIssues = 10_000

// issues collects what was found. Errors and warnings are kept apart, in the order in which they
// were met.
type issues struct {
	Errors, Warnings []Issue
	Omitted          int // how many more there were, above the 10,000 of each that are kept
}

func (l *issues) add(i Issue) {
	list := &l.Errors
	if i.IsWarning() {
		list = &l.Warnings
	}
	if len(*list) >= maxIssues {
		l.Omitted++
		return
	}
	*list = append(*list, i)
}

func (l *issues) addf(code, path, format string, args ...any) {
	l.add(Issue{Code: code, Path: path, Detail: fmt.Sprintf(format, args...)})
}

// append takes over the issues of another list as they are.
func (l *issues) append(other *issues) { l.translate(other, "") }

// translate takes over the issues of another list under the codes of a version of the
// specification.
func (l *issues) translate(other *issues, spec string) {
	for _, list := range [][]Issue{other.Errors, other.Warnings} {
		for _, i := range list {
			if code, applies := codeFor(i.Code, spec); applies {
				i.Code = code
				l.add(i)
			}
		}
	}
	l.Omitted += other.Omitted
}

// sort puts the issues in the order of path, code and detail: blocks are read in no order of their
// own.
func (l *issues) sort() {
	for _, list := range [][]Issue{l.Errors, l.Warnings} {
		slices.SortStableFunc(list, func(a, b Issue) int {
			return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
		})
	}
}

// dropRepeatedWarnings keeps the first of warnings that say the same: each inventory of an object
// repeats those before it.
func (l *issues) dropRepeatedWarnings() {
	seen := map[[2]string]bool{}
	l.Warnings = slices.DeleteFunc(l.Warnings, func(i Issue) bool {
		key := [2]string{i.Code, i.Detail}
		repeated := seen[key]
		seen[key] = true
		return repeated
	})
}
