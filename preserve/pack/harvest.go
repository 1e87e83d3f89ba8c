package pack

import (
	"strings"
	"time"

	"quire/model"
	"quire/preserve/characterize"
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
	abstract    string
	more        int64 // facts beyond maxFacts
	notes       []string
	left        omissions
	formats     map[string]bool // media types of the containers
}

// fact is one thing said about the harvest.
type fact struct {
	kind  string // one of the values of factFields
	value string
	from  string // path of the container in the package
}

// maxFacts bounds what is kept of a package whose containers all say something different.
const maxFacts = 200

// factFields are the fields of a warcinfo block, or of ARC metadata, that say something of the harvest.
var factFields = map[string]string{
	"software": "software", "operator": "operator", "hostname": "hostname", "robots": "robots",
	"http-header-user-agent": "user agent", "http-header-from": "contact", "ip": "ip", "publisher": "publisher",
	"description": "description", "audience": "audience", "wget-arguments": "arguments",
}

func (h *harvest) add(c *model.Container) {
	if c.Outcome == model.NotContainer {
		return
	}
	h.containers++
	if h.formats == nil {
		h.formats = map[string]bool{}
	}
	h.formats[characterize.MediaType(c)] = true
	if c.First != nil && (h.first == nil || c.First.Before(*h.first)) {
		h.first = c.First
	}
	if c.Last != nil && (h.last == nil || c.Last.After(*h.last)) {
		h.last = c.Last
	}
	for _, f := range c.Info {
		name := strings.ToLower(f.Name)
		if name == "description" && h.abstract == "" && f.Value != "" {
			h.abstract = f.Value
			h.note("description", "field "+f.Name+" of "+infoOf(c)+" in "+c.Path)
		}
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
	switch {
	case value == "" || h.seen[key]:
		return
	case len(h.facts) >= maxFacts:
		h.more++
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
