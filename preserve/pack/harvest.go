package pack

import (
	"slices"
	"strings"
	"time"

	"quire/format/warc"
	"quire/internal/secret"
	"quire/metadata/harvestmd"
	"quire/model"
	"quire/preserve/characterize"
	"quire/preserve/inspect"
)

// harvest collects the facts of a crawl from its files and its containers
// (docs/reference/310_package-format.md, 3.2 and 3.3). Each fact is kept once, with its first
// source.
type harvest struct {
	about       *model.Harvest // results of its reader; nil for the package as a whole
	missed      missed
	containers  int64 // files that are containers
	records     int64
	first, last *time.Time
	captures    bool  // first and last are dates of captures
	title       named // from a curator's records
	collection  named // the wider work, or the crawler's job
	facts       []fact
	seen        map[string]bool
	more        int64 // facts beyond maxFacts
	notes       []string
	formats     map[string]bool // media types of the containers
	tables      []harvestmd.Part
	totals      []harvestmd.Fact // of the crawler's report
}

// fact is one fact of the harvest.
type fact struct {
	kind  string // one of the values of factFields
	value string
	from  string // its source: the path of a container in the package, or a place in the source
}

// maxFacts bounds the facts of a package with different facts in all its containers.
const maxFacts = 200

// factFields maps fields of a warcinfo block, or of ARC metadata, to the names that the readers of
// harvests use.
var factFields = map[string]string{
	"software": "software", "operator": "operator", "hostname": "host", "robots": "robots policy",
	"http-header-user-agent": "user agent", "http-header-from": "contact", "ip": "ip", "publisher": "organization",
	"description": "note", "audience": "audience", "wget-arguments": "arguments", "ispartof": "collection",
}

// add adds the contents of a container, and its facts of the crawl. In a container made from an
// ARC, these are in separate fields, because its usual fields describe the conversion.
func (h *harvest) add(c *model.Container, made bool) {
	if !h.count(c) {
		return
	}
	h.spread(c)
	for _, f := range c.Info {
		name := strings.ToLower(f.Name)
		if made {
			var ofARC bool
			if name, ofARC = strings.CutPrefix(name, "arc-"); !ofARC {
				continue
			}
		}
		if kind, ok := factFields[name]; ok {
			h.addFact(kind, f.Value, c.Path)
		}
		if name == "ispartof" && h.collection.name == "" && f.Value != "" {
			h.collection = named{f.Value, "field " + f.Name + " of " + infoOf(c) + " in " + c.Path}
		}
	}
}

// count counts a container and its records. It returns false for files that are not containers.
func (h *harvest) count(c *model.Container) bool {
	if c.Outcome == model.NotContainer {
		return false
	}
	h.containers++
	h.records += c.Records.Total
	if h.formats == nil {
		h.formats = map[string]bool{}
	}
	h.formats[characterize.MediaType(c)] = true
	return true
}

// spread extends the capture dates of the harvest by the dates of a container. A container without
// captures has only the date of its creation; an example is the container with cleaned bytestreams.
// This date is used only if no container has captures.
func (h *harvest) spread(c *model.Container) {
	captures := slices.ContainsFunc(c.Types, func(t model.TypeSum) bool {
		return slices.Contains([]string{warc.TypeResponse, warc.TypeResource, warc.TypeRequest, warc.TypeRevisit},
			t.Type)
	})
	switch {
	case captures && !h.captures:
		h.captures, h.first, h.last = true, nil, nil
	case !captures && h.captures:
		return
	}
	if c.First != nil && (h.first == nil || c.First.Before(*h.first)) {
		h.first = c.First
	}
	if c.Last != nil && (h.last == nil || c.Last.After(*h.last)) {
		h.last = c.Last
	}
}

// maxFact bounds the value of a fact, in bytes. A list of seeds can have megabytes; its file is in
// the package.
const maxFact = 2000

func (h *harvest) addFact(kind, value, from string) {
	value = inspect.Shorten(secret.Conceal(value), maxFact)
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

// addDocumented adds the results of a harvest's reader, with their evidence.
func (h *harvest) addDocumented(about *model.Harvest) {
	h.about = about
	for _, e := range about.Evidence {
		h.addFact(e.Fact, e.Value, e.Source)
		switch {
		case e.Fact == "title" && e.Value == about.Title && h.title.name == "":
			h.title = named{e.Value, e.Source}
		case e.Fact == "collection" && e.Value == about.Collection && h.collection.name == "":
			h.collection = named{e.Value, e.Source}
		}
	}
	for _, f := range about.Findings {
		from := f.Path
		if from == "" {
			from = "the source as a whole"
		}
		h.addFact("finding "+f.Code, f.Message, from)
	}
}

// span returns the time of the crawl: from its documentation, or else from the first to the last
// capture. ok is false if neither is known.
func (h *harvest) span() (first, last time.Time, ok bool) {
	if first, last, ok = h.documented(); !ok && h.first != nil {
		return *h.first, *h.last, true
	}
	return first, last, ok
}

// documented returns the time of the run from the documentation, if this states both start and end.
func (h *harvest) documented() (first, last time.Time, ok bool) {
	if a := h.about; a != nil && !a.Start.IsZero() && !a.End.Before(a.Start) {
		return a.Start, a.End, true
	}
	return first, last, false
}

// note keeps the source of a conclusion.
func (h *harvest) note(what, source string) { h.notes = append(h.notes, what+": "+source) }

func infoOf(c *model.Container) string {
	if c.Format == "ARC" {
		return "the version block"
	}
	return "the warcinfo record"
}

// values lists the values of one kind.
func (h *harvest) values(kind string) []string {
	var all []string
	for _, f := range h.facts {
		if f.kind == kind {
			all = append(all, f.value)
		}
	}
	return all
}
