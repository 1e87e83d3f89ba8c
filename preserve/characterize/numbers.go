package characterize

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"quire/metadata/containermd"
	"quire/metadata/xmlstream"
	"quire/model"
)

// Numbers returns the numbers of a container: its containerMD is read, not the container. Rows have no harvest.
// Without [containermd.Captures], which Quire has written since it counts collections, they are only part of
// the numbers, and exact is false.
func Numbers(md *containermd.ContainerMD) (rows []model.Number, exact bool) {
	n := numbers{}
	total := model.Number{Kind: model.ByOutcome, Count: 1}
	if a := md.Container.Assessment; a != nil {
		total.Name = bounded(a.Outcome)
		n.findings(a.Notes)
	}
	if len(md.Container.Fixity) > 0 {
		total.Bytes = value(md.Container.Fixity[0].Size)
	}
	n.rows = append(n.rows, total)
	if i := md.Information; i != nil {
		n.add(model.ByHost, Hosts(i))
		n.add(model.ByMIME, MIMETypes(i))
		n.add(model.ByStatus, Statuses(i))
		n.add(model.ByType, Types(i))
		if exact = i.Captures != nil; exact {
			n.add(model.ByYear, i.Captures.Years)
			n.formats(i.Captures.Formats)
		} else {
			n.earlier(i)
		}
		identified := model.Number{Kind: model.ByIdentified, Name: "no", Count: 1}
		if exact && i.Captures.Formats != nil || !exact && n.has(model.ByFormat) {
			identified.Name = "yes"
		}
		n.rows = append(n.rows, identified)
	}
	n.languages(md)
	year := yearOf(md.Information)
	for i := range n.rows {
		n.rows[i].Year, n.rows[i].Containers = year, 1
	}
	return n.rows, exact
}

type numbers struct{ rows []model.Number }

func (n *numbers) has(kind model.NumberKind) bool {
	return slices.ContainsFunc(n.rows, func(r model.Number) bool { return r.Kind == kind })
}

// add adds a list. A METS of others may have more names than the limit; the rest is summed.
func (n *numbers) add(kind model.NumberKind, all []containermd.Count) {
	other := model.Number{Kind: kind, Name: otherNames}
	for i, c := range all {
		r := model.Number{Kind: kind, Name: c.Value, Count: value(c.Number), Bytes: value(c.GlobalSize)}
		if kind != model.ByFormat { // a format has tabs between its parts, which are bounded
			r.Name = bounded(r.Name)
		}
		if i < MaxNames && r.Name != otherNames {
			n.rows = append(n.rows, r)
			continue
		}
		other.Count, other.Bytes = plus(other.Count, r.Count), plus(other.Bytes, r.Bytes)
	}
	if other.Count > 0 {
		n.rows = append(n.rows, other)
	}
}

// languages adds the languages, and whether they are known: a METS of an earlier version does not state them.
// A file that is no container has none.
func (n *numbers) languages(md *containermd.ContainerMD) {
	known := model.Number{Kind: model.ByLanguagesKnown, Name: "no", Count: 1}
	if a := md.Container.Assessment; a != nil && a.Outcome == string(model.NotContainer) {
		known.Name = model.LanguagesKnown
	}
	if i := md.Information; i != nil && i.Captures != nil && i.Captures.Languages != nil {
		n.add(model.ByLanguage, i.Captures.Languages)
		known.Name = model.LanguagesKnown
	}
	n.rows = append(n.rows, known)
}

func (n *numbers) formats(all []containermd.CapturedFormat) {
	list := make([]containermd.Count, 0, len(all))
	for _, f := range all {
		name := otherNames
		if f.Name != otherNames {
			name = model.FormatKey(bounded(f.Name), bounded(f.PUID), bounded(f.Version))
		}
		list = append(list, containermd.Count{Value: name, Number: xmlstream.IntOf(f.Number), GlobalSize: f.Size})
	}
	n.add(model.ByFormat, list)
}

// earlier adds the formats of all records, with their sizes as stored, and the captures of a single year.
func (n *numbers) earlier(i *containermd.Information) {
	var formats []containermd.CapturedFormat
	for _, f := range i.Formats {
		puid, name, ok := strings.Cut(f.Name, " ")
		if !ok || !strings.Contains(puid, "/") {
			puid, name = "", f.Name
		}
		if puid == "" && name != model.Unidentified && name != otherNames {
			return // the types that servers declared
		}
		formats = append(formats, containermd.CapturedFormat{PUID: puid, Name: name, Version: f.Version,
			Number: f.Number, Size: f.GlobalSize})
	}
	n.formats(formats)
	if i.First.IsZero() || i.WARC == nil || i.First.UTC().Year() != i.Last.UTC().Year() {
		return
	}
	year := model.Number{Kind: model.ByYear, Name: i.First.UTC().Format("2006")}
	for _, r := range []*containermd.Records{i.WARC.Response, i.WARC.Resource, i.WARC.Revisit} {
		if r != nil {
			year.Count, year.Bytes = plus(year.Count, r.Number), plus(year.Bytes, value(r.GlobalSize))
		}
	}
	n.rows = append(n.rows, year)
}

// findingNote matches the note of a kind of finding: see notesOf.
var findingNote = regexp.MustCompile(`^(?:error|warning|info) ([A-Z][A-Z0-9-]*) × ([0-9]+)`)

func (n *numbers) findings(notes []string) {
	var list []containermd.Count
	for _, note := range notes {
		if m := findingNote.FindStringSubmatch(note); m != nil {
			if count, err := strconv.ParseInt(m[2], 10, 64); err == nil {
				list = append(list, containermd.Count{Value: m[1], Number: xmlstream.IntOf(count)})
			}
		}
	}
	n.add(model.ByFinding, list)
}

// yearOf returns the year of the first capture, or 0.
func yearOf(i *containermd.Information) int {
	if i == nil {
		return 0
	}
	if i.Captures != nil && len(i.Captures.Years) > 0 {
		first := 0
		for _, y := range i.Captures.Years {
			if n, err := strconv.Atoi(y.Value); err == nil && n > 0 && n <= 9999 && (first == 0 || n < first) {
				first = n
			}
		}
		return first
	}
	var first time.Time
	if w := i.WARC; w != nil {
		for _, r := range []*containermd.Records{w.Response, w.Resource, w.Request, w.Revisit} {
			if r != nil && !r.First.IsZero() && (first.IsZero() || r.First.Before(first)) {
				first = r.First
			}
		}
	}
	if first.IsZero() {
		first = i.First
	}
	if first.IsZero() {
		return 0
	}
	return max(0, min(first.UTC().Year(), 9999))
}

// value returns a number, or 0 for one that is absent or impossible.
func value(i xmlstream.Int) int64 {
	n, _ := i.Get()
	return max(n, 0)
}

// plus adds two numbers of a METS, which may state impossible ones.
func plus(a, b int64) int64 {
	a, b = max(a, 0), max(b, 0)
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// maxNumberName bounds a name, in bytes; the pass bounds names in the same way.
const maxNumberName = 256

// bounded shortens a name of a METS, and leaves out tabs, which separate the parts of a format.
func bounded(name string) string {
	if len(name) > maxNumberName {
		name = strings.ToValidUTF8(name[:maxNumberName], "") + "…"
	}
	return strings.ReplaceAll(name, "\t", " ")
}
