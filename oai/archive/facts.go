package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io/fs"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/oai/resource"
	"quire/preserve/folder"
	"quire/preserve/rights"
)

// facts is what the METS of one version of a package says, as far as it decides what is shown of it, and how.
type facts struct {
	rights       *rights.Set
	title        string
	isCollection bool
	members      map[string]int // of a collection: its packages, each with the number of the harvest that it is of
	containers   map[string]*container
	descriptions map[string][]byte // MODS, by the ID of the dmdSec: what curators say, not what pages do
	website      []string          // the IDs of those of the website
	harvests     [][]string        // and of the harvests
	pages        map[place]string  // and of pages that a sheet has a row for
}

// container is one container of one version.
type container struct {
	path     string
	n        int    // by its ID in the METS, from 1; 0 where others wrote that
	harvest  int    // from 1; 0 when it is of several, or of none
	never    string // why nothing of it is shown to anybody; "" when nothing forbids it
	infected int64  // bytestreams in which the scanner found something
	viral    map[int64]bool
	events   []resource.Event
}

// place is a record in a container of a package.
type place struct {
	path  string
	order int64 // from 1
}

// readFacts reads the METS of a version, twice: for the rights, which checks it against its digest, and for the rest.
func readFacts(fsys fs.FS) (*facts, error) {
	set, err := rights.Load(fsys)
	if err != nil {
		return nil, err
	}
	in, err := folder.Open(fsys, folder.METSName)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r := &factsReader{
		facts:  &facts{rights: set, containers: map[string]*container{}, descriptions: map[string][]byte{}, pages: map[place]string{}, members: map[string]int{}},
		byFile: map[string]*container{}, byNumber: map[int]*container{}, events: map[int][]resource.Event{}, infected: map[int]int64{},
	}
	err = mets.Read(in, mets.Handler{
		Root: r.root, Section: r.section, File: r.file, Div: r.div, EndDiv: r.endDiv, Fptr: r.fptr, Mptr: r.mptr, StructMap: r.structMap,
		Problem: func(mets.Problem) {}, // that is for quire validate to tell
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder.METSName, err)
	}
	r.finish()
	return r.facts, nil
}

type factsReader struct {
	*facts
	byFile   map[string]*container    // by the ID of the file element
	byNumber map[int]*container       // by the N of that
	events   map[int][]resource.Event // of the container N; 0 is the package
	infected map[int]int64
	viralOf  *container // whose part of the group of infected files is at hand
	logical  bool
	harvest  int
	divs     [][]string // DMDIDs of the divisions that are open
}

func (r *factsReader) root(root mets.Root) error {
	r.title, r.isCollection = root.Label, root.Profile == folder.CollectionProfile
	return nil
}

// Sections that no curator wrote, or that are personal.
var notCurators = []string{folder.WebsiteDmdID, "DMD-page-", "DMD-work-"}

// maxDescription is the longest description that is kept, in bytes.
const maxDescription = 1 << 20

func (r *factsReader) section(s mets.Section, payload *xmlstream.Reader) error {
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
			r.descriptions[s.ID] = text
		}
		return err
	case s.Kind == mets.DigiprovMD && e.Local == "event" && !restricted(s.AdmID):
		ev, err := premis.ReadEvent(payload)
		if err == nil {
			r.event(&s, &ev)
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
func (r *factsReader) event(s *mets.Section, e *premis.Event) {
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
	out := resource.Event{Type: e.Type.Text, Detail: strings.Join(e.Details, "; ")}
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
	if len(out.Detail) > maxDetail {
		out.Detail = strings.ToValidUTF8(out.Detail[:maxDetail], "") + " …"
	}
	r.events[n] = append(r.events[n], out)
}

// partID are the IDs of records, and of what is in them (docs/package-format.md, 2.8).
var partID = regexp.MustCompile(`^FILE-c([0-9]+)-[mrbs]([0-9]+)$`)

func (r *factsReader) file(f mets.File, at mets.FilePlace) error {
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
			return nil
		}
		if c := r.containerAt(&f); c != nil {
			r.byFile[f.ID] = c
			if _, err := fmt.Sscanf(f.ID, "FILE-c%d", &c.n); err == nil {
				r.byNumber[c.n] = c
			}
			if restricted(f.AdmID) {
				c.never = "it must not be shown to everyone"
			}
		}
	case use == folder.UseViral && r.viralOf != nil:
		if m := partID.FindStringSubmatch(f.ID); m != nil {
			if order, err := strconv.ParseInt(m[2], 10, 64); err == nil {
				r.viralOf.viral[order] = true
				return nil
			}
		}
		r.viralOf.never = "something in it is infected, and it is not told what"
	case restricted(f.AdmID): // a part of a container: nobody says which of the records in other words
		if c := r.byFile[at.Files[0]]; c != nil {
			c.never = "some of it must not be shown to everyone"
		}
	}
	return nil
}

// containerAt gives the container at the path of a file element; nil when it has none.
func (r *factsReader) containerAt(f *mets.File) *container {
	for _, l := range f.Locations {
		path, err := mets.Path(l.Href)
		if err != nil {
			continue
		}
		c := r.containers[path]
		if c == nil {
			c = &container{path: path, viral: map[int64]bool{}}
			r.containers[path] = c
		}
		return c
	}
	return nil
}

func (r *factsReader) structMap(m mets.StructMap) error {
	r.logical, r.harvest, r.divs = m.Type == "logical", 0, nil
	return nil
}

func (r *factsReader) div(d mets.Div, depth int) error {
	if !r.logical {
		return nil
	}
	var ids []string
	for _, id := range d.DmdID {
		if r.descriptions[id] != nil {
			ids = append(ids, id)
		}
	}
	r.divs = append(r.divs, ids)
	switch {
	case depth == 0:
		r.website = ids
	case depth == 1 && d.Type == "harvest":
		r.harvests = append(r.harvests, ids)
		r.harvest = len(r.harvests)
	case depth == 1:
		r.harvest = 0
	}
	return nil
}

func (r *factsReader) endDiv() error {
	if len(r.divs) > 0 {
		r.divs = r.divs[:len(r.divs)-1]
	}
	return nil
}

func (r *factsReader) fptr(f mets.Fptr) error {
	if !r.logical || len(r.divs) == 0 {
		return nil
	}
	id := f.FileID
	if f.Area != nil {
		id = f.Area.FileID
	}
	if c := r.byFile[id]; c != nil {
		if c.harvest == 0 {
			c.harvest = r.harvest
		}
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
		r.pages[place{c.path, order}] = own[0]
	}
	return nil
}

// mptr takes a package of a collection.
func (r *factsReader) mptr(m mets.Mptr) error {
	if id, err := url.PathUnescape(m.Href); err == nil && r.isCollection && r.harvest > 0 && m.OtherLocType == "OBJID" {
		r.members[id] = r.harvest
	}
	return nil
}

// finish brings together what stands in several places.
func (r *factsReader) finish() {
	for n, c := range r.byNumber {
		c.events = slices.Concat(r.events[0], r.events[n])
		slices.SortStableFunc(c.events, func(a, b resource.Event) int { return a.Time.Compare(b.Time) })
		if c.infected = r.infected[n]; c.infected != int64(len(c.viral)) && c.never == "" {
			c.never = "something in it is infected, and it is not told of all what"
		}
	}
}

// description is the ID of what curators say of a record; "" when they say nothing. What is said of the page goes before what is said of
// the harvest, and that before what is said of the website.
func (f *facts) description(c *container, order int64) string {
	if id := f.pages[place{c.path, order}]; id != "" {
		return id
	}
	var ids []string
	if c.harvest > 0 && c.harvest <= len(f.harvests) {
		ids = append(ids, f.harvests[c.harvest-1]...)
	}
	ids = append(ids, f.website...)
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

// sumOf tells a description from others.
func (f *facts) sumOf(id string) int64 {
	text, ok := f.descriptions[id]
	if !ok {
		return 0
	}
	sum := sha256.Sum256(text)
	return int64(binary.BigEndian.Uint64(sum[:]) >> 1)
}

// collections names those that curators named, as what the website or a harvest belongs to.
func (f *facts) collections() []string {
	var names []string
	for _, id := range slices.Concat(append(f.harvests, f.website)...) {
		record, err := readMODS(f.descriptions[id])
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

func readMODS(text []byte) (mods.Record, error) {
	x := xmlstream.NewReader(strings.NewReader(string(text)), xmlstream.Limits{})
	if _, err := x.Root(); err != nil {
		return mods.Record{}, err
	}
	return mods.Read(x)
}
