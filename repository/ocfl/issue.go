package ocfl

import (
	"cmp"
	"fmt"
	"slices"
)

// Kind is the kind of damage to a file, for programs that act on it: an audit names the file, a
// repair fetches it from another copy. Issues about rules and not about one file's bytes have
// [KindRule].
type Kind string

// The kinds of issue.
const (
	KindRule            Kind = ""                 // a rule of the layout is broken
	KindMissing         Kind = "missing file"     // listed in the inventory, but missing
	KindExtra           Kind = "extra file"       // exists, but not listed in the inventory
	KindDigestMismatch  Kind = "digest mismatch"  // the bytes differ from the bytes that were stored
	KindSidecarMismatch Kind = "sidecar mismatch" // inventory and sidecar disagree: one of them is damaged
	KindUnreadable      Kind = "unreadable"       // the storage failed to read it
)

// Issue is one broken rule at one place.
type Issue struct {
	Code   string // from the specification, such as "E092"; see [Explain]
	Kind   Kind   // kind of damage, if it is about a file's bytes
	Path   string // the file or folder, below the object root (for a storage root: below that)
	Detail string // the value found and the value expected

	Algorithm, Expected, Found string // for KindDigestMismatch and KindSidecarMismatch: the digests, in lower case
}

// String returns the issue on one line: code, path, detail.
func (i Issue) String() string {
	if i.Path == "" {
		return i.Code + " " + i.Detail
	}
	return i.Code + " " + i.Path + ": " + i.Detail
}

// IsWarning reports whether the code is a warning. Warnings leave an object valid.
func (i Issue) IsWarning() bool { return len(i.Code) > 0 && i.Code[0] == 'W' }

// maxIssues bounds the errors, and also the warnings, kept for a hostile object. The rest is only
// counted.
const maxIssues = 10_000

// issues collects the issues. Errors and warnings are separate, in the order found.
type issues struct {
	Errors, Warnings []Issue
	Omitted          int // number of issues above the 10,000 of each that are kept
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

// append adds the issues of another list unchanged.
func (l *issues) append(other *issues) { l.translate(other, "") }

// translate adds the issues of another list, with the codes of a specification version.
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

// sort sorts the issues by path, code and detail, because blocks are read in random order.
func (l *issues) sort() {
	for _, list := range [][]Issue{l.Errors, l.Warnings} {
		slices.SortStableFunc(list, func(a, b Issue) int {
			return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
		})
	}
}

// dropRepeatedWarnings keeps only the first of equal warnings, because each inventory of an object
// repeats the warnings of earlier inventories.
func (l *issues) dropRepeatedWarnings() {
	seen := map[[2]string]bool{}
	l.Warnings = slices.DeleteFunc(l.Warnings, func(i Issue) bool {
		key := [2]string{i.Code, i.Detail}
		repeated := seen[key]
		seen[key] = true
		return repeated
	})
}
