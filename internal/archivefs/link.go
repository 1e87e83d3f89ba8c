package archivefs

import (
	"path"
	"sort"
	"strings"
)

// link is a symbolic link in a source. It is never followed.
type link struct {
	name, target string
	at           int64
	refusal      string // why it is refused, unless the target is in the source
}

// link adds a symbolic link. All files must be listed before it is decided whether it is refused.
func (t *Tree) link(l link) {
	if len(t.links) == maxFaults {
		t.refuse(FaultLink, l.at, "%s", l.refusal)
		return
	}
	t.links = append(t.links, l)
}

// settleLinks reports each link: as an alias if it leads to a file or folder of the source, which is
// read at its own place, and else as refused.
func (t *Tree) settleLinks() {
	for _, l := range t.links {
		if to := path.Join(path.Dir(l.name), l.target); !path.IsAbs(l.target) && t.holds(to) {
			t.refuse(FaultAlias, l.at, "%q is a link to %q, which is read at its own place", l.name, to)
			continue
		}
		t.refuse(FaultLink, l.at, "%s", l.refusal)
	}
	t.links = nil
}

// holds reports whether a path is a file, or a folder with files.
func (t *Tree) holds(p string) bool {
	if p == "." {
		return len(t.files) > 0
	}
	begins := func(prefix string) bool {
		i := sort.Search(len(t.files), func(i int) bool { return t.files[i].Path >= prefix })
		return i < len(t.files) && strings.HasPrefix(t.files[i].Path, prefix)
	}
	return t.Find(p) != nil || begins(p+"/")
}
