package pages

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/preserve/folder"
)

// account is what a package's METS tells of its making and its content, as far as a harvest's page and the history show it. It is read when
// somebody asks for these pages: to keep it of all packages would take memory for what is seldom read.
type account struct {
	events     []happening
	containers map[int]*held // by the N of their IDs
	left       int64         // events that were left out: a page has no room for them
}

// happening is an event, told by its METS.
type happening struct {
	id, amd  string
	kind     string
	from, to time.Time // to is zero unless it took a span of time
	details  []string
	outcome  string
	notes    []string
	agents   []string
}

// held is a container of a package.
type held struct {
	path    string
	harvest int // 0 when it is of several, or of none
	sums    *containermd.Information
}

// How much of a METS is kept.
const (
	maxHappenings = 5000
	maxNotes      = 300 // of one event
	maxNote       = 1000
)

// metsReader reads an account.
type metsReader struct {
	*account
	ctx     context.Context
	agents  map[string]string // names by identifier
	byFile  map[string]int    // N by the ID of the file element
	logical bool
	harvest int
	deep    []bool // of the divisions that are open: a harvest's
}

// readAccount reads a METS as a stream.
func readAccount(ctx context.Context, in io.Reader) (*account, error) {
	r := &metsReader{account: &account{containers: map[int]*held{}}, ctx: ctx, agents: map[string]string{}, byFile: map[string]int{}}
	err := mets.Read(in, mets.Handler{Section: r.section, File: r.file, StructMap: r.structMap, Div: r.div, EndDiv: r.endDiv, Fptr: r.fptr,
		Problem: func(mets.Problem) {}}) // that is for quire validate to tell
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder.METSName, err)
	}
	for i := range r.events {
		for j, id := range r.events[i].agents {
			r.events[i].agents[j] = cmp.Or(r.agents[id], id)
		}
	}
	return r.account, nil
}

func (r *metsReader) section(s mets.Section, payload *xmlstream.Reader) error {
	if payload == nil || isRestricted(s.AdmID) {
		return r.ctx.Err()
	}
	payload.OnUnknown = func(string) {} // of other standards, or of later versions
	switch e := payload.Element(); {
	case s.Kind == mets.DigiprovMD && e.Local == "event":
		ev, err := premis.ReadEvent(payload)
		if err == nil {
			r.event(&s, &ev)
		}
		return err
	case s.Kind == mets.DigiprovMD && e.Local == "agent":
		a, err := premis.ReadAgent(payload)
		if err == nil {
			r.agent(&a)
		}
		return err
	case s.Kind == mets.TechMD && e.Is(containermd.Namespace, "containerMD"):
		md, err := containermd.Read(payload, containermd.ReadOptions{Entry: func(containermd.Entry) error { return nil }})
		if n, ok := numberIn(s.AmdSec, "AMD-c"); ok && err == nil {
			r.container(n).sums = md.Information
		}
		return err
	}
	return r.ctx.Err()
}

// isRestricted: somebody said why it must not be shown to everyone (docs/package-format.md, 2.4).
func isRestricted(admID []string) bool {
	return slices.ContainsFunc(admID, func(id string) bool { return strings.HasPrefix(id, folder.RestrictionIDPrefix) })
}

func numberIn(id, prefix string) (int, bool) {
	rest, ok := strings.CutPrefix(id, prefix)
	n, err := strconv.Atoi(rest)
	return n, ok && err == nil && n > 0
}

func (r *metsReader) container(n int) *held {
	if r.containers[n] == nil {
		r.containers[n] = &held{}
	}
	return r.containers[n]
}

func (r *metsReader) event(s *mets.Section, e *premis.Event) {
	if len(r.events) == maxHappenings {
		r.left++
		return
	}
	h := happening{id: s.ID, amd: s.AmdSec, kind: e.Type.Text, details: e.Details}
	h.from, h.to = spanOf(e.DateTime)
	for _, o := range e.Outcomes {
		h.outcome = cmp.Or(h.outcome, o.Outcome.Text)
		for _, n := range o.Notes {
			if len(h.notes) < maxNotes {
				h.notes = append(h.notes, cut(n, maxNote))
			}
		}
	}
	for _, a := range e.Agents {
		h.agents = append(h.agents, a.Value)
	}
	r.events = append(r.events, h)
}

// spanOf reads the time of an event, or the two of a span.
func spanOf(text string) (from, to time.Time) {
	first, second, _ := strings.Cut(text, "/")
	from, _ = xmlstream.ParseTime(first) // EDTF has times that are none of ours: the event stands without
	to, _ = xmlstream.ParseTime(second)
	return from, to
}

func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

func (r *metsReader) agent(a *premis.Agent) {
	var names []string
	for _, n := range a.Names {
		names = append(names, n.Text)
	}
	name := strings.Join(names, ", ")
	if a.Version != "" && !strings.Contains(name, a.Version) {
		name += " " + a.Version
	}
	for _, id := range a.Identifiers {
		r.agents[id.Value] = name
	}
}

func (r *metsReader) file(f mets.File, at mets.FilePlace) error {
	n, ok := numberIn(f.ID, "FILE-c")
	if ok && len(at.Files) == 0 && len(f.Locations) > 0 {
		c := r.container(n)
		if path, err := mets.Path(f.Locations[0].Href); err == nil {
			c.path = path
		}
		r.byFile[f.ID] = n
	}
	return r.ctx.Err()
}

func (r *metsReader) structMap(m mets.StructMap) error {
	r.logical, r.deep = m.Type == "logical", nil
	return nil
}

func (r *metsReader) div(d mets.Div, _ int) error {
	is := r.logical && d.Type == "harvest"
	if is {
		r.harvest++
	}
	r.deep = append(r.deep, is)
	return r.ctx.Err()
}

func (r *metsReader) endDiv() error {
	r.deep = r.deep[:len(r.deep)-1]
	return nil
}

func (r *metsReader) fptr(f mets.Fptr) error {
	if n, ok := r.byFile[f.FileID]; ok && slices.Contains(r.deep, true) {
		r.container(n).harvest = r.harvest
	}
	return nil
}

// ofHarvest gives the containers of a harvest, by their numbers.
func (a *account) ofHarvest(n int) (all []int) {
	for i, c := range a.containers {
		if c.harvest == n {
			all = append(all, i)
		}
	}
	slices.Sort(all)
	return all
}

// event gives an event by its ID; nil when there is none.
func (a *account) event(id string) *happening {
	for i := range a.events {
		if a.events[i].id == id {
			return &a.events[i]
		}
	}
	return nil
}
