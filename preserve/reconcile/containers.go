package reconcile

import (
	"path"
	"regexp"
	"strings"
	"time"

	"quire/model"
)

// containerSet holds the containers of a harvest: the existing containers, and containers that are
// only named.
type containerSet struct {
	all    []*container
	exact  map[string]int // by name
	names  map[string]int // by name without .gz and .open
	stems  map[string]int // by name without any ending, -1 if ambiguous
	others int            // the entry for names beyond maxContainers; -1 for none

	elsewhere others // containers of other harvests in the source
}

// maxContainers limits the containers by name. An index of a broken or hostile file could name
// another container in each line.
const maxContainers = 1 << 20

// container is one container of the shelf.
type container struct {
	name     string
	path     string // in the source; "" if absent
	present  bool
	size     int64
	within   string // the name it states for itself, if different
	listings []listing
	metadata bool // holds logs and reports, not content

	records     int64
	content     int64 // of these, captures
	first, last time.Time
	lastOffset  int64
	inflated    int64
	outcome     model.Outcome
	broken      int64 // findings that part of it is lost
	gzipped     bool
	isWARC      bool

	entries   int64 // in indexes
	lastEntry int64 // offset of the last entry
	lastAt    int64 // second of the latest entry
	lost      int64 // URLs
	lines     int64 // of the log that name it; only for Completeness
	cut       string
	renamed   bool   // is an existing container under another name
	elsewhere string // its path, if it belongs to another harvest of the source
	placed    int64  // entries at their stated place
}

// listing is a list's statement about a container.
type listing struct {
	by        string // path of the list
	size      int64  // -1 if unknown
	algorithm string // "md5"; "" if unknown
	digest    string // hex
}

func newShelf() *containerSet {
	return &containerSet{exact: map[string]int{}, names: map[string]int{}, stems: map[string]int{}, others: -1}
}

// bareName returns the name of a container without its folder, and without the suffixes for
// unfinished or compressed files. Windows paths occur in lists.
func bareName(name string) string {
	name = path.Base(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/"))
	for _, suffix := range []string{".open", ".invalid", ".gz", ".zst", ".open"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// stem returns the name without any ending, as the Web Curator Tool writes it in its indexes.
func stem(bare string) (s string, had bool) {
	low := strings.ToLower(bare)
	for _, suffix := range []string{".warc", ".arc"} {
		if strings.HasSuffix(low, suffix) {
			return bare[:len(bare)-len(suffix)], true
		}
	}
	return bare, false
}

// add adds an existing container to the shelf.
func (s *containerSet) add(p string, size int64) *container {
	c := &container{name: path.Base(p), path: p, present: true, size: size, lastOffset: -1, lastEntry: -1}
	c.metadata = isMetadata(c.name)
	s.place(c, c.name)
	return c
}

// metadataName matches the end of names of containers with a NetarchiveSuite job's logs and
// reports.
var metadataName = regexp.MustCompile(`(^|-)metadata-[0-9]+$`)

func isMetadata(name string) bool {
	short, _ := stem(bareName(name))
	return metadataName.MatchString(short)
}

func (s *containerSet) place(c *container, name string) int {
	id := len(s.all)
	s.all = append(s.all, c)
	s.call(id, name)
	return id
}

// call assigns a name to a container, unless another one has that name.
func (s *containerSet) call(id int, name string) {
	if _, taken := s.exact[path.Base(name)]; !taken {
		s.exact[path.Base(name)] = id
	}
	bare := bareName(name)
	if _, taken := s.names[bare]; !taken {
		s.names[bare] = id
	}
	short, _ := stem(bare)
	if other, taken := s.stems[short]; taken && other != id {
		id = -1
	}
	s.stems[short] = id
}

// find returns the number of the container with that name; a missing one is added as absent. It
// returns -1 for "".
func (s *containerSet) find(name string) int {
	if name == "" || name == "-" {
		return -1
	}
	if id, ok := s.exact[path.Base(name)]; ok { // x.warc and x.warc.gz may both exist
		return id
	}
	bare := bareName(name)
	if id, ok := s.names[bare]; ok {
		return id
	}
	short, had := stem(bare)
	if id, ok := s.stems[short]; ok && id >= 0 && !had {
		return id
	}
	if len(s.all) >= maxContainers {
		if s.others < 0 {
			s.others = len(s.all)
			s.all = append(s.all, &container{name: "(containers beyond the limit)", lastOffset: -1,
				lastEntry: -1})
		}
		return s.others
	}
	c := &container{name: path.Base(strings.ReplaceAll(name, `\`, "/")), lastOffset: -1, lastEntry: -1,
		elsewhere: s.elsewhere.at(bare)}
	return s.place(c, name)
}

// known reports whether a container of that name exists.
func (s *containerSet) known(name string) bool {
	id, ok := s.names[bareName(name)]
	return ok && s.all[id].present
}

// present returns the number of existing containers with content.
func (s *containerSet) present() (n int) {
	for _, c := range s.all {
		if c.present && !c.metadata {
			n++
		}
	}
	return n
}
