package holdings

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/metadata/mods"
	"quire/model"
	"quire/preserve/statements"
)

// Package describes the newest version of a package, as visible to a reader.
type Package struct {
	ID    string
	Title string

	// Decision on the most open part; [Holdings.Judge] decides on captures.
	Decision

	First, Last time.Time // of its captures; zero if unknown
	Stored      time.Time // of version 1
	Containers  int64
	Records     int64
	Bytes       int64 // of all its files

	// Of the following fields, [Holdings.Packages] sets only Collections.
	Collections  []Membership
	Groups       []string      // named by curators, in the terms of their system
	Descriptions []Description // by curators: of the website first, then of the harvests
	Rights       []Right
	Harvests     []Harvest
	Events       []Event // oldest first
	Files        []File  // logs, documents, originals
	Versions     []Version
}

// Membership is the membership of a package in a collection.
type Membership struct{ ID, Title string }

// Description is a MODS record by curators or their system.
type Description struct {
	ID      string // of the dmdSec
	Harvest int    // its subject; 0 means the website
	Record  mods.Record
}

// Right is a rights statement, as visible to the public.
type Right struct {
	ID         string // of the rightsMD
	Collection string // its source; "" means the package itself
	Basis      statements.Basis
	Authority  string // law, contract, policy
	Status     string // of copyright
	Agent      string // that granted it
	Notes      []string
	Documents  []statements.Document
	From, To   statements.Day
	Harvest    int  // its subject; 0 means all
	Part       bool // it covers only some URLs, not shown to the public: a URL can be the secret
	URLs       []string
	Grants     []statements.Grant
}

// Harvest is one harvest of a package.
type Harvest struct {
	Number     int // from 1
	ID         string
	Label      string
	Start, End time.Time // zero if unknown
	Agents     []string
	Facts      []Fact   // software, operator, limits …
	Missed     []string // URLs not captured, as numbers
	Notes      []string // further notes
}

// Fact is a property of a harvest, with its source.
type Fact struct{ Name, Value, Source string }

// Event is an event of a package.
type Event struct {
	ID, Type, Detail, Outcome string
	Time, End                 time.Time
	Notes, Agents             []string
	Repository                bool // recorded in the log of the repository, not in the METS
}

// File is a log, a document or an original.
type File struct {
	Path, Use, Type string
	Size            int64 // bytes; -1 when unknown
	Harvest         int   // 0 for none
	Decision              // for the reader
}

// Version is one state of a package.
type Version struct {
	Number  int
	Created time.Time
	Message string
	Bytes   int64
}

// Packages yields the packages that are not hidden from a reader, by id, with few details. The
// error is yielded last.
func (h *Holdings) Packages(ctx context.Context, who Reader) iter.Seq2[*Package, error] {
	return h.PackagesAfter(ctx, who, "")
}

// PackagesAfter is Packages for those after an id, which need not exist.
func (h *Holdings) PackagesAfter(ctx context.Context, who Reader, after string) iter.Seq2[*Package, error] {
	return func(yield func(*Package, error) bool) {
		if err := h.current(ctx); err != nil {
			yield(nil, err)
			return
		}
		h.mu.RLock()
		order := h.order
		h.mu.RUnlock()
		if at, has := slices.BinarySearch(order, after); has {
			order = order[at+1:]
		} else {
			order = order[at:]
		}
		j := h.judging()
		for _, id := range order {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			p, d := j.whole(&who, id)
			if p == nil || p.isCollection || d.Hidden {
				continue
			}
			if !yield(h.card(ctx, who, p, d), nil) {
				return
			}
		}
	}
}

// Package returns a package as visible to a reader. The error is [captures.ErrNotFound] if it is
// hidden or missing.
func (h *Holdings) Package(ctx context.Context, who Reader, id string) (*Package, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	j := h.judging()
	p, d := j.whole(&who, id)
	if p == nil || p.isCollection || d.Hidden {
		return nil, fmt.Errorf("package %s: %w", id, captures.ErrNotFound)
	}
	in, err := h.details(ctx, p)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // it is withheld, or has just become so
		p, d = j.whole(&who, id)
		if p == nil || d.Hidden {
			return nil, fmt.Errorf("package %s: %w", id, captures.ErrNotFound)
		}
		return h.card(ctx, who, p, d), nil
	}
	out := h.card(ctx, who, p, d)
	class := who.In(id)
	out.Groups = in.Collections()
	out.Descriptions = descriptions(in.Facts)
	out.Rights = p.statements(class)
	out.Harvests = harvests(in.Facts)
	out.Events = in.events(class)
	files := j.files(&who, p)
	if !files.Allowed {
		out.withoutURLs()
	}
	for i := range in.Files {
		if f := p.fileOf(&in.Files[i], files, class); !f.Hidden {
			out.Files = append(out.Files, f)
		}
	}
	for _, v := range in.history.Versions {
		out.Versions = append(out.Versions, Version{v.Number, v.Created, v.Message, v.Bytes})
	}
	return out, nil
}

// harmless are the facts of a harvest that contain no URL.
var harmless = []string{"software", "operator", "organization", "robots", "user agent", "end reason"}

// withoutURLs removes fields that may contain URLs: seeds, scope, findings, notes of events. It is
// for readers who may not see logs and documents because these contain URLs. The numbers of URLs
// not captured stay.
func (p *Package) withoutURLs() {
	for i := range p.Harvests {
		h := &p.Harvests[i]
		h.Notes = nil
		h.Facts = slices.DeleteFunc(h.Facts, func(f Fact) bool { return !slices.Contains(harmless, f.Name) })
	}
	for i := range p.Events {
		p.Events[i].Notes = nil
	}
}

// card returns the details of a package in lists.
func (h *Holdings) card(ctx context.Context, who Reader, p *pkg, d Decision) *Package {
	out := &Package{
		ID: p.id, Title: h.title(ctx, who, p, d), Decision: d, First: p.first.Time(), Last: p.last.Time(),
		Stored:     p.stored.Time(),
		Containers: p.containerCount, Records: p.records, Bytes: p.bytes}
	for _, m := range p.of() {
		out.Collections = append(out.Collections, Membership{m.id, m.title})
	}
	return out
}

// descriptions returns the curators' descriptions.
func descriptions(f *facts.Facts) (all []Description) {
	add := func(harvest int, ids []string) {
		for _, id := range ids {
			if record, err := facts.ReadMODS(f.Descriptions[id]); err == nil { // facts wrote it
				all = append(all, Description{id, harvest, record})
			}
		}
	}
	add(0, f.Website)
	for i := range f.Harvests {
		add(i+1, f.Harvests[i].Descriptions)
	}
	return all
}

// statements returns the rights statements. Only curators receive personal statements.
func (p *pkg) statements(class Class) (all []Right) {
	for _, s := range p.zones.Said() {
		for i := range s.Set.Statements {
			st := &s.Set.Statements[i]
			if st.Personal && class != Staff {
				continue
			}
			all = append(all, Right{ID: st.ID, Collection: s.Collection, Basis: st.Basis, Authority: st.Authority,
				Status: st.Status, Agent: st.Agent,
				Notes: st.Notes, Documents: st.Documents, From: st.From, To: st.To, Harvest: st.Scope.Harvest,
				URLs: st.Scope.URLs, Grants: st.Grants})
			last := &all[len(all)-1]
			if last.Part = len(st.Scope.URLs)+len(st.Scope.Except) > 0; last.Part && class != Staff {
				last.URLs = nil
			}
		}
	}
	return all
}

// harvests returns the facts of each harvest.
func harvests(f *facts.Facts) (all []Harvest) {
	for i := range f.Harvests {
		from := &f.Harvests[i]
		h := Harvest{Number: i + 1, ID: from.ID, Label: from.Label}
		for j := range f.Events {
			if e := &f.Events[j]; slices.Contains(from.Events, e.ID) {
				h.Start, h.End, h.Agents = e.Time, e.End, e.Agents
				for _, note := range e.Notes {
					h.take(note)
				}
			}
		}
		all = append(all, h)
	}
	return all
}

// take parses one note of the event of a harvest: "software: Heritrix 3 (from field software of
// …)".
func (h *Harvest) take(note string) {
	for _, begin := range []string{"not captured", "the logs tell of", "lines of the logs"} {
		if strings.HasPrefix(note, begin) {
			h.Missed = append(h.Missed, note)
			return
		}
	}
	name, value, ok := strings.Cut(note, ": ")
	if !ok || strings.ContainsAny(name, ".;,") {
		h.Notes = append(h.Notes, note)
		return
	}
	f := Fact{Name: name, Value: value}
	if i := strings.LastIndex(value, " (from "); i >= 0 && strings.HasSuffix(value, ")") {
		f.Value, f.Source = value[:i], strings.TrimSuffix(value[i+len(" (from "):], ")")
	}
	if name == "identifier there" {
		h.ID = value
	}
	h.Facts = append(h.Facts, f)
}

// events returns the events in the METS, and public events in the log of the repository; curators
// see all of these.
func (d *details) events(class Class) (all []Event) {
	for i := range d.Events {
		e := &d.Events[i]
		all = append(all, Event{ID: e.ID, Type: e.Type, Detail: e.Detail, Outcome: e.Outcome, Time: e.Time, End: e.End,
			Notes: e.Notes, Agents: e.Agents})
	}
	for i := range d.history.Events {
		e := &d.history.Events[i]
		if class == Staff || e.Type == string(model.Ingestion) {
			all = append(all, Event{ID: e.ID, Type: e.Type, Detail: e.Detail, Outcome: e.Outcome, Time: e.Time,
				Repository: true})
		}
	}
	slices.SortStableFunc(all, func(a, b Event) int { return a.Time.Compare(b.Time) })
	return all
}
