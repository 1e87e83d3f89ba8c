package pack

import (
	"strings"
	"time"

	"quire/model"
)

// harvest gathers what the containers say of the crawl that made them (docs/package-format.md, 3.2 and 3.3). Each fact is
// kept once, with the container that said it first.
type harvest struct {
	containers  int64 // files that really are containers
	first, last *time.Time
	title       string
	titleSource string
	facts       []fact
	seen        map[string]bool
	notes       []string
	formats     map[string]bool // media types of the containers
}

// fact is one thing said about the harvest.
type fact struct {
	kind  string // "software", "operator", "hostname", "user agent", "robots"
	value string
	from  string // path of the container in the package
}

// maxFacts bounds what is kept of a package whose containers all say something different.
const maxFacts = 200

// factFields are the fields of a warcinfo block, or of ARC metadata, that say something of the harvest.
var factFields = map[string]string{
	"software": "software", "operator": "operator", "hostname": "hostname", "robots": "robots",
	"http-header-user-agent": "user agent", "publisher": "publisher",
}

func (h *harvest) add(c *model.Container) {
	if c.Outcome == model.NotContainer {
		return
	}
	h.containers++
	if h.formats == nil {
		h.formats = map[string]bool{}
	}
	h.formats[containerType(c)] = true
	if c.First != nil && (h.first == nil || c.First.Before(*h.first)) {
		h.first = c.First
	}
	if c.Last != nil && (h.last == nil || c.Last.After(*h.last)) {
		h.last = c.Last
	}
	for _, f := range c.Info {
		name := strings.ToLower(f.Name)
		if kind, ok := factFields[name]; ok {
			h.addFact(kind, f.Value, c.Path)
		}
		if name == "ispartof" && h.title == "" && f.Value != "" {
			h.title, h.titleSource = f.Value, "field "+f.Name+" of "+infoOf(c)+" in "+c.Path
		}
	}
}

func (h *harvest) addFact(kind, value, from string) {
	if h.seen == nil {
		h.seen = map[string]bool{}
	}
	key := kind + "\x00" + value
	if value == "" || h.seen[key] || len(h.facts) >= maxFacts {
		return
	}
	h.seen[key] = true
	h.facts = append(h.facts, fact{kind, value, from})
}

// note keeps where a conclusion came from.
func (h *harvest) note(what, source string) { h.notes = append(h.notes, what+": "+source) }

func infoOf(c *model.Container) string {
	if c.Format == "ARC" {
		return "the version block"
	}
	return "the warcinfo record"
}

// values lists what was said of one kind.
func (h *harvest) values(kind string) []string {
	var all []string
	for _, f := range h.facts {
		if f.kind == kind {
			all = append(all, f.value)
		}
	}
	return all
}
