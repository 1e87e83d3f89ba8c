package convert

import (
	"path"
	"strconv"
	"strings"

	"quire/internal/portable"
)

// names assigns each WARC a path below the folder of results: the path of its source with another
// ending, valid on every file system. All paths are distinct, even if upper and lower case are
// equal.
type names map[string]bool

// warc returns the name of the WARC of an ARC or a mirror: "arcs/a.arc.gz" becomes
// "arcs/a.warc.gz".
func (n names) warc(source string) string {
	dir, base := path.Split(source)
	for _, ending := range []string{".gz", ".zst", ".open", ".arc"} {
		if len(base) > len(ending) && strings.EqualFold(base[len(base)-len(ending):], ending) {
			base = base[:len(base)-len(ending)]
		}
	}
	return n.distinct(dir+base, ".warc.gz")
}

// distinct returns the name, with a number before the ending if the name is used already.
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
