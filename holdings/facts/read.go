package facts

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/statements"
)

type reader struct {
	*Facts
	rights   *statements.Reader
	byFile   map[string]*Container // by the ID of the file element
	byNumber map[int]*Container    // by the number N in that ID
	files    map[string]int        // index in Files, by the ID of the file element
	events   map[int][]Event       // of container N; 0 means the package
	infected map[int]int64
	scans    map[int]model.ScanOutcome
	agents   map[string]string // names, by identifier
	viralOf  *Container        // container of the current group of infected files
	logical  bool
	harvest  int
	divs     [][]string // DMDIDs of the open divisions

	sums map[int]*containermd.Information // of container N; nil: they are not wanted
}

func (r *reader) root(root mets.Root) error {
	r.Title, r.IsCollection = root.Label, root.Profile == aip.CollectionProfile
	return r.rights.Root(root)
}

// Prefixes of sections that are not by curators, or are personal.
var notCurators = []string{"DMD-page-", "DMD-work-"}

// maxDescription is the maximum length of a stored description, in bytes.
const maxDescription = 1 << 20

func (r *reader) section(s mets.Section, payload *xmlstream.Reader) error {
	r.rights.Section(&s)
	if s.Kind == mets.RightsMD {
		return r.rights.Rights(s, payload)
	}
	if payload == nil {
		return nil
	}
	payload.OnUnknown = func(string) {} // of other standards or later versions
	switch e := payload.Element(); {
	case s.Kind == mets.DmdSec && e.Is(mods.Namespace, "mods"):
		if s.ID == aip.WebsiteDmdID {
			return r.website(payload)
		}
		if slices.ContainsFunc(notCurators, func(p string) bool { return strings.HasPrefix(s.ID, p) }) ||
			restricted(s.AdmID) {
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
		ev, err := aip.ReadEvent(payload)
		if err == nil {
			r.event(&s, &ev)
			r.packageEvent(&s, &ev)
		}
		return err
	case statements.IsAgent(&s, payload):
		return r.agent(&s, payload)
	case r.sums != nil && e.Is(containermd.Namespace, "containerMD") && !restricted(s.AdmID):
		return r.containerSums(&s, payload)
	}
	return nil
}

// containerSums reads the sums of a container.
func (r *reader) containerSums(s *mets.Section, payload *xmlstream.Reader) error {
	rest, ok := strings.CutPrefix(s.AmdSec, "AMD-c")
	n, err := strconv.Atoi(rest)
	if !ok || err != nil {
		return nil //nolint:nilerr // it belongs to no container
	}
	md, err := containermd.Read(payload, containermd.ReadOptions{Entry: func(containermd.Entry) error { return nil }})
	r.sums[n] = md.Information
	return err
}

// agent reads an agent, for the rights that it grants and the events of the package.
func (r *reader) agent(s *mets.Section, payload *xmlstream.Reader) error {
	a, err := premis.ReadAgent(payload)
	if err != nil {
		return err
	}
	r.rights.Agent(&a)
	if s.AmdSec != aip.PackageAmdID || restricted(s.AdmID) || len(a.Names) == 0 {
		return nil
	}
	for _, id := range a.Identifiers {
		r.agents[id.Value] = strings.TrimSpace(a.Names[0].Text + " " + a.Version)
	}
	return nil
}

// website reads the description by quire pack, for the source of the title.
func (r *reader) website(payload *xmlstream.Reader) error {
	record, err := mods.Read(payload)
	r.TitleSource = aip.TitleSourceOf(&record.Content)
	return err
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
	return slices.ContainsFunc(admID, func(id string) bool { return strings.HasPrefix(id, aip.RestrictionIDPrefix) })
}

// finish combines facts from several places.
func (r *reader) finish() {
	r.rights.Finish()
	for i := range r.Events {
		for j, id := range r.Events[i].Agents {
			r.Events[i].Agents[j] = cmp.Or(r.agents[id], id)
		}
	}
	for i := range r.Harvests {
		h := &r.Harvests[i]
		h.Events = slices.DeleteFunc(h.Events, func(id string) bool {
			return !strings.HasPrefix(id, aip.CaptureEventID)
		})
	}
	for n, c := range r.byNumber {
		c.Scan, c.Sums = cmp.Or(r.scans[n], model.ScanNotDone), r.sums[n]
		c.Events = slices.Concat(r.events[0], r.events[n])
		slices.SortStableFunc(c.Events, func(a, b Event) int { return a.Time.Compare(b.Time) })
		if c.Infected = r.infected[n]; c.Infected != int64(len(c.Viral)) && c.Never == "" {
			c.Never = "infected records, not all identified"
		}
	}
}
