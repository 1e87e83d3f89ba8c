// Package facts reads the METS of one version of a package, or of a collection, for those who hand out what is in it: what may be
// shown, in which containers something is infected, and what curators say of it.
//
//	f, err := facts.Load(ctx, store, "blackbook-20080430-1f3c0a97", 0) // the newest version
//	c := f.Containers["containers/crawl.warc.gz"]
//	if c.Never == "" && !c.Viral[7] && f.Rights.Decide(q).Zone == model.Open { … } // its seventh record may be shown
package facts

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/preserve/folder"
	"quire/preserve/rights"
	"quire/repository/store"
)

// Facts is what the METS of one version of a package says, as far as it decides what is shown of it, and how.
type Facts struct {
	Rights       *rights.Set
	Title        string
	IsCollection bool
	Members      map[string]int // of a collection: its packages, each with the number of the harvest that it is of
	Containers   map[string]*Container
	Descriptions map[string][]byte // MODS, by the ID of the dmdSec: what curators say, not what pages do
	Website      []string          // the IDs of those of the website
	Harvests     [][]string        // and of the harvests
	Pages        map[Place]string  // and of pages that a sheet has a row for
}

// Container is one container of one version.
type Container struct {
	Path     string
	Number   int    // by its ID in the METS, from 1; 0 where others wrote that
	Harvest  int    // from 1; 0 when it is of several, or of none
	Never    string // why nothing of it is shown to anybody; "" when nothing forbids it
	Infected int64  // bytestreams in which the scanner found something
	Viral    map[int64]bool
	Events   []Event
}

// Event is something that happened to a container, or to the package it is in.
type Event struct {
	Type, Detail, Outcome string
	Time                  time.Time
}

// Place is a record in a container of a package.
type Place struct {
	Container string
	Order     int64 // from 1
}

// Load reads the METS of a version (0 is the newest) from the first copy that has it as it was stored.
func Load(ctx context.Context, s *store.Store, id string, version int) (*Facts, error) {
	var failed error
	for fsys, err := range s.Views(ctx, id, version) {
		if err != nil {
			return nil, errors.Join(failed, err)
		}
		f, err := Read(fsys)
		if err == nil {
			return f, nil
		}
		failed = errors.Join(failed, err)
	}
	return nil, failed
}

// Read reads the METS of a package folder, twice: for the rights, which checks it against its digest, and for the rest.
func Read(fsys fs.FS) (*Facts, error) {
	set, err := rights.Load(fsys)
	if err != nil {
		return nil, err
	}
	in, err := folder.Open(fsys, folder.METSName)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r := &reader{
		Facts:  &Facts{Rights: set, Containers: map[string]*Container{}, Descriptions: map[string][]byte{}, Pages: map[Place]string{}, Members: map[string]int{}},
		byFile: map[string]*Container{}, byNumber: map[int]*Container{}, events: map[int][]Event{}, infected: map[int]int64{},
	}
	err = mets.Read(in, mets.Handler{
		Root: r.root, Section: r.section, File: r.file, Div: r.div, EndDiv: r.endDiv, Fptr: r.fptr, Mptr: r.mptr, StructMap: r.structMap,
		Problem: func(mets.Problem) {}, // that is for quire validate to tell
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder.METSName, err)
	}
	r.finish()
	return r.Facts, nil
}

type reader struct {
	*Facts
	byFile   map[string]*Container // by the ID of the file element
	byNumber map[int]*Container    // by the N of that
	events   map[int][]Event       // of the container N; 0 is the package
	infected map[int]int64
	viralOf  *Container // whose part of the group of infected files is at hand
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
	if len(out.Detail) > maxDetail {
		out.Detail = strings.ToValidUTF8(out.Detail[:maxDetail], "") + " …"
	}
	r.events[n] = append(r.events[n], out)
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
			return nil
		}
		if c := r.containerAt(&f); c != nil {
			r.byFile[f.ID] = c
			if _, err := fmt.Sscanf(f.ID, "FILE-c%d", &c.Number); err == nil {
				r.byNumber[c.Number] = c
			}
			if restricted(f.AdmID) {
				c.Never = "it must not be shown to everyone"
			}
		}
	case use == folder.UseViral && r.viralOf != nil:
		if m := partID.FindStringSubmatch(f.ID); m != nil {
			if order, err := strconv.ParseInt(m[2], 10, 64); err == nil {
				r.viralOf.Viral[order] = true
				return nil
			}
		}
		r.viralOf.Never = "something in it is infected, and it is not told what"
	case restricted(f.AdmID): // a part of a container: nobody says which of the records in other words
		if c := r.byFile[at.Files[0]]; c != nil {
			c.Never = "some of it must not be shown to everyone"
		}
	}
	return nil
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
		r.Harvests = append(r.Harvests, ids)
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
	for n, c := range r.byNumber {
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
		ids = append(ids, f.Harvests[c.Harvest-1]...)
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
	for _, id := range slices.Concat(append(f.Harvests, f.Website)...) {
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
