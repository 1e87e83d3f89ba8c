package reconcile

import (
	"path"
	"regexp"
	"strings"
	"time"

	"quire/model"
)

// shelf is the containers of a harvest: those that are there, and those that somebody names.
type shelf struct {
	all    []*container
	exact  map[string]int // by name
	names  map[string]int // by name without .gz and .open
	stems  map[string]int // by name without any ending, -1 when several have it
	others int            // what has names beyond maxContainers; -1 when nothing has

	elsewhere map[string]string // bare names of containers of other harvests in the source, and where they lie
}

// maxContainers bounds what is told apart, by name. An index of a broken or hostile file could name
// another container in each line.
const maxContainers = 1 << 20

// container is one of them.
type container struct {
	name     string
	path     string // within the source; "" when it is absent
	present  bool
	size     int64
	within   string // name that the container has for itself, where it is another
	listings []listing
	metadata bool // holds logs and reports, not content

	records     int64
	content     int64 // of these, captures
	first, last time.Time
	lastOffset  int64
	inflated    int64
	outcome     model.Outcome
	broken      int64 // findings that say that something of it is lost
	gzipped     bool
	isWARC      bool

	entries   int64 // of indexes
	lastEntry int64 // offset of the last of them
	lastAt    int64 // second of the latest of them
	lost      int64 // URLs
	cut       string
	renamed   bool   // stands for one that is there under another name
	elsewhere string // where it lies, when it belongs to another harvest of the source
	placed    int64  // entries that are where the index says
}

// listing is what a list says of a container.
type listing struct {
	by        string // path of the list
	size      int64  // -1 when not told
	algorithm string // "md5"; "" when not told
	digest    string // hex
}

func newShelf() *shelf {
	return &shelf{exact: map[string]int{}, names: map[string]int{}, stems: map[string]int{}, others: -1}
}

// bareName is the name of a container without its folder, and without what is put behind it while
// it is written or when it is compressed. Windows paths occur in lists.
func bareName(name string) string {
	name = path.Base(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/"))
	for _, suffix := range []string{".open", ".invalid", ".gz", ".zst", ".open"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// stem is the name without any ending, as the Web Curator Tool writes it in its indexes.
func stem(bare string) (s string, had bool) {
	low := strings.ToLower(bare)
	for _, suffix := range []string{".warc", ".arc"} {
		if strings.HasSuffix(low, suffix) {
			return bare[:len(bare)-len(suffix)], true
		}
	}
	return bare, false
}

// add puts a container on the shelf that is there.
func (s *shelf) add(p string, size int64) *container {
	c := &container{name: path.Base(p), path: p, present: true, size: size, lastOffset: -1, lastEntry: -1}
	c.metadata = isMetadata(c.name)
	s.place(c, c.name)
	return c
}

// metadataName is how the names of containers end that hold what a job of NetarchiveSuite left
// beside its content.
var metadataName = regexp.MustCompile(`(^|-)metadata-[0-9]+$`)

func isMetadata(name string) bool {
	short, _ := stem(bareName(name))
	return metadataName.MatchString(short)
}

func (s *shelf) place(c *container, name string) int {
	id := len(s.all)
	s.all = append(s.all, c)
	s.call(id, name)
	return id
}

// call gives a container a name. A name that another one has stays with that.
func (s *shelf) call(id int, name string) {
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

// find gives the number of the container of that name, and puts it on the shelf as absent when it
// is not there. "" is -1.
func (s *shelf) find(name string) int {
	if name == "" || name == "-" {
		return -1
	}
	if id, ok := s.exact[path.Base(name)]; ok { // x.warc and x.warc.gz may both be there
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
			s.all = append(s.all, &container{name: "(more containers than are told apart)", lastOffset: -1,
				lastEntry: -1})
		}
		return s.others
	}
	c := &container{name: path.Base(strings.ReplaceAll(name, `\`, "/")), lastOffset: -1, lastEntry: -1,
		elsewhere: s.elsewhere[bare]}
	return s.place(c, name)
}

// known says whether a container of that name is on the shelf, and there.
func (s *shelf) known(name string) bool {
	id, ok := s.names[bareName(name)]
	return ok && s.all[id].present
}

// present counts the containers of content that are there.
func (s *shelf) present() (n int) {
	for _, c := range s.all {
		if c.present && !c.metadata {
			n++
		}
	}
	return n
}
