package facts

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/folder"
)

type reader struct {
	*Facts
	byFile   map[string]*Container // by the ID of the file element
	byNumber map[int]*Container    // by the N of that
	files    map[string]int        // place in Files, by the ID of the file element
	events   map[int][]Event       // of the container N; 0 is the package
	infected map[int]int64
	scans    map[int]model.ScanOutcome
	agents   map[string]string // names, by identifier
	viralOf  *Container        // whose part of the group of infected files is at hand
	logical  bool
	harvest  int
	divs     [][]string // DMDIDs of the divisions that are open
}

func (r *reader) root(root mets.Root) error {
	r.Title, r.IsCollection = root.Label, root.Profile == folder.CollectionProfile
	return nil
}

// Sections that no curator wrote, or that are personal.
var notCurators = []string{folder.WebsiteDmdID, "DMD-page-", "DMD-work-"}

// maxDescription is the longest description that is kept, in bytes.
const maxDescription = 1 << 20

func (r *reader) section(s mets.Section, payload *xmlstream.Reader) error {
	if payload == nil {
		return nil
	}
	payload.OnUnknown = func(string) {} // of other standards, or of later versions
	switch e := payload.Element(); {
	case s.Kind == mets.DmdSec && e.Is(mods.Namespace, "mods"):
		if slices.ContainsFunc(notCurators, func(p string) bool { return strings.HasPrefix(s.ID, p) }) || restricted(s.AdmID) {
			return nil
		}
		record, err := mods.Read(payload)
		if err != nil {
			return err
		}
		text, err := modsText(record)
		if err == nil && len(text) <= maxDescription {
			r.Descriptions[s.ID] = text
		}
		return err
	case s.Kind == mets.DigiprovMD && e.Local == "event" && !restricted(s.AdmID):
		ev, err := premis.ReadEvent(payload)
		if err == nil {
			r.event(&s, &ev)
			r.packageEvent(&s, &ev)
		}
		return err
	case s.Kind == mets.DigiprovMD && e.Local == "agent" && s.AmdSec == folder.PackageAmdID && !restricted(s.AdmID):
		a, err := premis.ReadAgent(payload)
		if err == nil && len(a.Names) > 0 {
			for _, id := range a.Identifiers {
				r.agents[id.Value] = strings.TrimSpace(a.Names[0].Text + " " + a.Version)
			}
		}
		return err
	}
	return nil
}

func modsText(record mods.Record) ([]byte, error) {
	var b strings.Builder
	x := xmlstream.NewWriter(&b, xmlstream.Options{})
	x.Declare("mods", mods.Namespace)
	if err := mods.Write(x, record); err != nil {
		return nil, err
	}
	err := x.Close()
	return []byte(b.String()), err
}

func restricted(admID []string) bool {
	return slices.ContainsFunc(admID, func(id string) bool { return strings.HasPrefix(id, folder.RestrictionIDPrefix) })
}

// found is how the notes of a virus check begin when something was found (docs/package-format.md, 3.5).
var found = regexp.MustCompile(`^viral, [a-z ]+: ([0-9,]+) bytestream`)

// maxDetail is how much is kept of what an event says, in bytes.
const maxDetail = 500

// event keeps the events that are about a container or the package as a whole.
func (r *reader) event(s *mets.Section, e *premis.Event) {
	n := 0
	switch {
	case s.AmdSec == folder.PackageAmdID && (s.ID == folder.CaptureEventID || s.ID == folder.IngestEventID):
	case s.AmdSec == folder.PackageAmdID:
		return // of the package's making, or of one harvest among several
	default:
		if _, err := fmt.Sscanf(s.AmdSec, "AMD-c%d", &n); err != nil || strings.Contains(s.ID, "-f") {
			return
		}
	}
	out := Event{Type: e.Type.Text, Detail: strings.Join(e.Details, "; ")}
	out.Time, _ = xmlstream.ParseTime(e.DateTime) // a span has none: it is left out
	for i, o := range e.Outcomes {
		if i == 0 {
			out.Outcome = o.Outcome.Text
		}
		for _, note := range o.Notes {
			if m := found.FindStringSubmatch(note); m != nil {
				count, err := strconv.ParseInt(strings.ReplaceAll(m[1], ",", ""), 10, 64)
				if err != nil {
					count = -1
				}
				r.infected[n] = count
			}
		}
	}
	if e.Type.Text == string(model.VirusCheck) {
		r.scans[n] = scanned(e)
	}
	if len(out.Detail) > maxDetail {
		out.Detail = strings.ToValidUTF8(out.Detail[:maxDetail], "") + " …"
	}
	r.events[n] = append(r.events[n], out)
}

// scanned is what a virus check came to, by the words of its first note (docs/package-format.md, 3.5).
func scanned(e *premis.Event) model.ScanOutcome {
	for _, o := range e.Outcomes {
		for _, note := range o.Notes {
			switch {
			case strings.HasPrefix(note, "viral, "):
				return model.ScanInfected
			case strings.HasPrefix(note, "no virus detected in "):
				return model.ScanIncomplete
			case strings.HasPrefix(note, "no virus detected"):
				return model.ScanClean
			}
		}
	}
	return model.ScanNotDone
}

// The most notes, and agents, that are kept of an event.
const maxNotes = 1000

// packageEvent keeps what was done to the package as a whole, and of its harvests.
func (r *reader) packageEvent(s *mets.Section, e *premis.Event) {
	if s.AmdSec != folder.PackageAmdID {
		return
	}
	p := PackageEvent{Event: Event{Type: e.Type.Text, Detail: strings.Join(e.Details, "; ")}, ID: s.ID}
	start, end, span := strings.Cut(e.DateTime, "/")
	p.Time, _ = xmlstream.ParseTime(start) // what is no time is left out
	if span {
		p.End, _ = xmlstream.ParseTime(end)
	}
	for i, o := range e.Outcomes {
		if i == 0 {
			p.Outcome = o.Outcome.Text
		}
		p.Notes = append(p.Notes, o.Notes[:min(len(o.Notes), maxNotes-len(p.Notes))]...)
	}
	for _, a := range e.Agents[:min(len(e.Agents), maxNotes)] {
		p.Agents = append(p.Agents, a.Value)
	}
	r.Events = append(r.Events, p)
}

// partID are the IDs of records, and of what is in them (docs/package-format.md, 2.8).
var partID = regexp.MustCompile(`^FILE-c([0-9]+)-[mrbs]([0-9]+)$`)

func (r *reader) file(f mets.File, at mets.FilePlace) error {
	use := f.Use
	if len(at.Groups) > 0 {
		use = at.Groups[0].Use
	}
	switch {
	case len(at.Files) == 0 && use == folder.UseViral:
		r.viralOf = r.containerAt(&f)
	case len(at.Files) == 0:
		r.viralOf = nil
		if use != folder.UseContainers {
			r.otherFile(&f, use)
			return nil
		}
		if c := r.containerAt(&f); c != nil {
			r.byFile[f.ID] = c
			if _, err := fmt.Sscanf(f.ID, "FILE-c%d", &c.Number); err == nil {
				r.byNumber[c.Number] = c
			}
			if restricted(f.AdmID) {
				c.Never, c.Restricted = "it must not be shown to everyone", true
			}
		}
	case use == folder.UseViral && r.viralOf != nil:
		if m := partID.FindStringSubmatch(f.ID); m != nil {
			if order, err := strconv.ParseInt(m[2], 10, 64); err == nil {
				r.viralOf.Viral[order] = true
				if f.ChecksumType == string(model.SHA256) {
					r.viralOf.ViralSums = append(r.viralOf.ViralSums, strings.ToLower(f.Checksum))
				}
				return nil
			}
		}
		r.viralOf.Never = "something in it is infected, and it is not told what"
	case restricted(f.AdmID): // a part of a container: nobody says which of the records in other words
		if c := r.byFile[at.Files[0]]; c != nil {
			c.Never, c.Restricted = "some of it must not be shown to everyone", true
		}
	}
	return nil
}

// otherFile keeps a file that is no container, and none of the groups that list containers once more.
func (r *reader) otherFile(f *mets.File, use string) {
	if use != folder.UseLogs && use != folder.UseDocuments && use != folder.UseOriginals {
		return
	}
	for _, l := range f.Locations {
		path, err := mets.Path(l.Href)
		if err != nil {
			continue
		}
		out := File{Path: path, Use: use, Type: f.MIMEType, Size: -1, Restricted: restricted(f.AdmID)}
		if size, ok := f.Size.Get(); ok {
			out.Size = size
		}
		for _, why := range r.Rights.Files {
			if slices.Contains(f.AdmID, why.ID) {
				out.Why = strings.Join(append(notEmpty(out.Why), why.Why...), "; ")
			}
		}
		r.files[f.ID] = len(r.Files)
		r.Files = append(r.Files, out)
		return
	}
}

func notEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// containerAt gives the container at the path of a file element; nil when it has none.
func (r *reader) containerAt(f *mets.File) *Container {
	for _, l := range f.Locations {
		path, err := mets.Path(l.Href)
		if err != nil {
			continue
		}
		c := r.Containers[path]
		if c == nil {
			c = &Container{Path: path, Viral: map[int64]bool{}}
			r.Containers[path] = c
		}
		return c
	}
	return nil
}

func (r *reader) structMap(m mets.StructMap) error {
	r.logical, r.harvest, r.divs = m.Type == "logical", 0, nil
	return nil
}

func (r *reader) div(d mets.Div, depth int) error {
	if !r.logical {
		return nil
	}
	var ids []string
	for _, id := range d.DmdID {
		if r.Descriptions[id] != nil {
			ids = append(ids, id)
		}
	}
	r.divs = append(r.divs, ids)
	switch {
	case depth == 0:
		r.Website = ids
	case depth == 1 && d.Type == "harvest":
		r.Harvests = append(r.Harvests, Harvest{ID: d.OrderLabel, Label: d.Label, Descriptions: ids, Events: slices.Clone(d.AdmID)})
		r.harvest = len(r.Harvests)
	case depth == 1:
		r.harvest = 0
	}
	return nil
}

func (r *reader) endDiv() error {
	if len(r.divs) > 0 {
		r.divs = r.divs[:len(r.divs)-1]
	}
	return nil
}

func (r *reader) fptr(f mets.Fptr) error {
	if !r.logical || len(r.divs) == 0 {
		return nil
	}
	id := f.FileID
	if f.Area != nil {
		id = f.Area.FileID
	}
	if c := r.byFile[id]; c != nil {
		if c.Harvest == 0 {
			c.Harvest = r.harvest
		}
		return nil
	}
	if i, ok := r.files[id]; ok {
		r.Files[i].Harvest = r.harvest
		return nil
	}
	own := r.divs[len(r.divs)-1]
	m := partID.FindStringSubmatch(id)
	if len(r.divs) < 3 || len(own) == 0 || m == nil {
		return nil
	}
	n, err := strconv.Atoi(m[1])
	order, bad := strconv.ParseInt(m[2], 10, 64)
	if c := r.byNumber[n]; c != nil && err == nil && bad == nil {
		r.Pages[Place{c.Path, order}] = own[0]
	}
	return nil
}

// mptr takes a package of a collection.
func (r *reader) mptr(m mets.Mptr) error {
	if id, err := url.PathUnescape(m.Href); err == nil && r.IsCollection && r.harvest > 0 && m.OtherLocType == "OBJID" {
		r.Members[id] = r.harvest
	}
	return nil
}

// finish brings together what stands in several places.
func (r *reader) finish() {
	for i := range r.Events {
		for j, id := range r.Events[i].Agents {
			r.Events[i].Agents[j] = cmp.Or(r.agents[id], id)
		}
	}
	for i := range r.Harvests {
		h := &r.Harvests[i]
		h.Events = slices.DeleteFunc(h.Events, func(id string) bool { return !strings.HasPrefix(id, folder.CaptureEventID) })
	}
	for n, c := range r.byNumber {
		c.Scan = cmp.Or(r.scans[n], model.ScanNotDone)
		c.Events = slices.Concat(r.events[0], r.events[n])
		slices.SortStableFunc(c.Events, func(a, b Event) int { return a.Time.Compare(b.Time) })
		if c.Infected = r.infected[n]; c.Infected != int64(len(c.Viral)) && c.Never == "" {
			c.Never = "something in it is infected, and it is not told of all what"
		}
	}
}

// Description is the ID of what curators say of a record; "" when they say nothing. What is said of the page goes before what is said of
// the harvest, and that before what is said of the website.
func (f *Facts) Description(c *Container, order int64) string {
	if id := f.Pages[Place{c.Path, order}]; id != "" {
		return id
	}
	var ids []string
	if c.Harvest > 0 && c.Harvest <= len(f.Harvests) {
		ids = append(ids, f.Harvests[c.Harvest-1].Descriptions...)
	}
	ids = append(ids, f.Website...)
	for _, id := range ids {
		if strings.HasPrefix(id, "DMD-sheet-") { // a row that somebody wrote for this website
			return id
		}
	}
	if len(ids) > 0 {
		return ids[0]
	}
	return ""
}

// SumOf tells a description from others.
func (f *Facts) SumOf(id string) int64 {
	text, ok := f.Descriptions[id]
	if !ok {
		return 0
	}
	sum := sha256.Sum256(text)
	return int64(binary.BigEndian.Uint64(sum[:]) >> 1)
}

// Collections names those that curators named, as what the website or a harvest belongs to.
func (f *Facts) Collections() []string {
	var names []string
	ids := slices.Clone(f.Website)
	for i := range f.Harvests {
		ids = append(ids, f.Harvests[i].Descriptions...)
	}
	for _, id := range ids {
		record, err := ReadMODS(f.Descriptions[id])
		if err != nil {
			continue // it was written by this package
		}
		for i := range record.Related {
			if item := &record.Related[i]; item.Type == "host" && len(item.Titles) > 0 && item.Titles[0].Title != "" {
				names = append(names, item.Titles[0].Title)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// ReadMODS reads one of the Descriptions.
func ReadMODS(text []byte) (mods.Record, error) {
	x := xmlstream.NewReader(strings.NewReader(string(text)), xmlstream.Limits{})
	if _, err := x.Root(); err != nil {
		return mods.Record{}, err
	}
	return mods.Read(x)
}
