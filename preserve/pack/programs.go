package pack

import (
	"slices"
	"strings"

	"quire/source"
)

// program is a program that ran in harvests. Sources spell it differently: "Heritrix 1.14.4",
// "Heritrix/1.14.4 http://crawler.archive.org".
type program struct {
	name      string   // in the first source
	spellings []string // all names
}

// programs lists the programs of all harvests, those from the documentation first.
func (f *facts) programs() []program {
	var all []program
	for i := range f.harvests {
		for _, name := range f.harvests[i].software() {
			at := slices.IndexFunc(all, func(p program) bool {
				return slices.Contains(p.spellings, name) || sameProgram(p.name, name)
			})
			switch {
			case at < 0:
				all = append(all, program{name, []string{name}})
			case !slices.Contains(all[at].spellings, name):
				all[at].spellings = append(all[at].spellings, name)
			}
		}
	}
	return all
}

// software lists the programs of a harvest. A name from the user agent of a template is no evidence
// if another source names the program: the template may be of an earlier version.
func (h *harvest) software() []string {
	var certain, doubtful []string
	for _, f := range h.facts {
		switch {
		case f.kind != "software":
		case strings.HasPrefix(f.from, source.FromUserAgent):
			doubtful = append(doubtful, f.value)
		default:
			certain = append(certain, f.value)
		}
	}
	if len(certain) == 0 {
		return doubtful
	}
	return certain
}

// sameProgram reports whether two names are of one program in one version.
func sameProgram(a, b string) bool {
	ma, mb := version.FindStringSubmatchIndex(a), version.FindStringSubmatchIndex(b)
	if ma == nil || mb == nil {
		return false
	}
	nameA, nameB := strings.TrimRight(a[:ma[2]], " /vV"), strings.TrimRight(b[:mb[2]], " /vV")
	return strings.EqualFold(nameA, nameB) && a[ma[2]:ma[3]] == b[mb[2]:mb[3]]
}

// ranIn reports whether a harvest names the program.
func (p program) ranIn(h *harvest) bool {
	return slices.ContainsFunc(h.software(), func(name string) bool { return slices.Contains(p.spellings, name) })
}

// notes lists the other spellings.
func (p program) notes() []string {
	var notes []string
	for _, s := range p.spellings[1:] {
		notes = append(notes, "also written: "+s)
	}
	return notes
}
