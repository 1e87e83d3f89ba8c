package convert

import (
	"path"
	"strconv"
	"strings"

	"quire/internal/portable"
)

// names gives each WARC a path below the folder of results: that of what it was made of, with
// another ending, written so that every file system holds it. No two are alike, also where upper
// and lower case are one.
type names map[string]bool

// warc names the WARC that an ARC, or a mirror, becomes: "arcs/a.arc.gz" becomes "arcs/a.warc.gz".
func (n names) warc(source string) string {
	dir, base := path.Split(source)
	for _, ending := range []string{".gz", ".zst", ".open", ".arc"} {
		if len(base) > len(ending) && strings.EqualFold(base[len(base)-len(ending):], ending) {
			base = base[:len(base)-len(ending)]
		}
	}
	return n.distinct(dir+base, ".warc.gz")
}

// distinct takes the name, with a number before the ending when it is taken.
func (n names) distinct(stem, ending string) string {
	stem = portable.Name(stem + ending)
	stem = strings.TrimSuffix(stem, ending)
	name := stem + ending
	for i := 2; n[strings.ToLower(name)]; i++ {
		name = stem + "-" + strconv.Itoa(i) + ending
	}
	n[strings.ToLower(name)] = true
	return name
}
