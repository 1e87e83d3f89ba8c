package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/service/role"
)

// ID names a thing in the path of a request.
type ID struct {
	ID string `path:"id" minLength:"1" maxLength:"1000" doc:"Identifier, with a slash as %2F."`
}

// Page chooses a part of a long list.
type Page struct {
	After string `query:"after" minLength:"1" maxLength:"1000" doc:"Begin after this entry: next of the answer before."`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"At most so many entries."`
}

// Listed is a list.
type Listed[T any] struct {
	Body struct {
		Items []T    `json:"items"`
		Next  string `json:"next,omitempty" doc:"For the parameter after, if there may be more entries."`
	}
}

// listOf returns a list, and the place of the next one if it is full.
func listOf[T any](all []T, limit int, place func(*T) string) *Listed[T] {
	out := &Listed[T]{}
	out.Body.Items = all
	if all == nil {
		out.Body.Items = []T{}
	}
	if limit > 0 && len(all) == limit {
		out.Body.Next = place(&all[len(all)-1])
	}
	return out
}

// Answer is one thing.
type Answer[T any] struct{ Body T }

// PackageRow is a package in a list.
type PackageRow struct {
	ID         string    `json:"id"`
	Title      string    `json:"title"`
	Kind       string    `json:"kind" enum:"package,collection"`
	First      time.Time `json:"first,omitzero" doc:"The earliest capture."`
	Last       time.Time `json:"last,omitzero"`
	Stored     time.Time `json:"stored,omitzero"`
	Version    int       `json:"version,omitempty"`
	Containers int64     `json:"containers"`
	Records    int64     `json:"records"`
	Bytes      int64     `json:"bytes"`
	Status     string    `json:"status,omitempty" doc:"The worst last known state of its copies, for staff."`
}

// Person is the person that asks.
type Person struct {
	Name  string      `json:"name"`
	Roles []role.Role `json:"roles"`
	May   []string    `json:"may" doc:"The operations that these roles may use."`
}

func (a *API) packages() {
	add(a, call{"whoami", http.MethodGet, "/whoami", 200, "service"},
		func(_ context.Context, who *role.Person, _ *struct{}) (*Answer[Person], error) {
			out := &Answer[Person]{Person{Name: who.Name, Roles: who.Roles, May: []string{}}}
			for _, o := range role.Operations() {
				if who.Has(o.Roles) {
					out.Body.May = append(out.Body.May, o.ID)
				}
			}
			return out, nil
		})
	add(a, call{"packages-list", http.MethodGet, "/packages", 200, "packages"}, a.listPackages)
	add(a, call{"package-show", http.MethodGet, "/packages/{id}", 200, "packages"}, a.showPackage)
	add(a, call{"package-versions", http.MethodGet, "/packages/{id}/versions", 200, "packages"}, a.listVersions)
	add(a, call{"package-files", http.MethodGet, "/packages/{id}/files", 200, "packages"}, a.listFiles)
	add(a, call{"package-copies", http.MethodGet, "/packages/{id}/copies", 200, "packages"}, a.showCopies)
	add(a, call{"package-rights", http.MethodGet, "/packages/{id}/rights", 200, "packages"}, a.showRights)
}

func (a *API) listPackages(ctx context.Context, who *role.Person, in *Page) (*Listed[PackageRow], error) {
	all, err := a.desk.Packages(ctx, who, in.After, in.Limit)
	if err != nil {
		return nil, err
	}
	var rows []PackageRow
	for _, p := range all {
		rows = append(rows, PackageRow{p.ID, p.Title, p.Kind, p.First, p.Last, p.Stored, p.Version, p.Containers,
			p.Records, p.Bytes, string(p.Status)})
	}
	return listOf(rows, in.Limit, func(p *PackageRow) string { return p.ID }), nil
}

// Decision is a decision on access.
type Decision struct {
	Class   string `json:"class,omitempty" doc:"Of readers: public, onsite or staff."`
	Verdict string `json:"verdict" doc:"open, onsite, restricted or blocked."`
	Allowed bool   `json:"allowed"`
	Hidden  bool   `json:"hidden,omitempty" doc:"Its existence is hidden from these readers."`
	Message string `json:"message,omitempty"`
	Why     string `json:"why,omitempty" doc:"The evidence, for staff."`
	Until   string `json:"until,omitempty" doc:"The day on which the decision changes."`
}

func decisionOf(d holdings.Decision, class holdings.Class) Decision {
	return Decision{string(class), string(d.Verdict), d.Allowed, d.Hidden, d.Message, d.Why, d.Until}
}

// Collection is a collection of a package.
type Collection struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Harvest is a harvest of a package.
type Harvest struct {
	Number int       `json:"number"`
	Label  string    `json:"label"`
	Start  time.Time `json:"start,omitzero"`
	End    time.Time `json:"end,omitzero"`
}

// Package is a package, as the person may see it.
type Package struct {
	ID          string       `json:"id"`
	Title       string       `json:"title"`
	Access      Decision     `json:"access" doc:"For the person that asks, on its most open part."`
	First       time.Time    `json:"first,omitzero"`
	Last        time.Time    `json:"last,omitzero"`
	Stored      time.Time    `json:"stored,omitzero"`
	Containers  int64        `json:"containers"`
	Records     int64        `json:"records"`
	Bytes       int64        `json:"bytes"`
	Collections []Collection `json:"collections"`
	Harvests    []Harvest    `json:"harvests"`
}

func (a *API) showPackage(ctx context.Context, who *role.Person, in *ID) (*Answer[Package], error) {
	p, err := a.desk.Package(ctx, who, in.ID)
	if err != nil {
		return nil, hidden(err)
	}
	out := Package{ID: p.ID, Title: p.Title, Access: decisionOf(p.Decision, ""), First: p.First, Last: p.Last,
		Stored: p.Stored, Containers: p.Containers, Records: p.Records, Bytes: p.Bytes, Collections: []Collection{},
		Harvests: []Harvest{}}
	for _, c := range p.Collections { // only those that the person may see
		seen, err := a.desk.Holdings.Collection(ctx, who.Reading(), c.ID)
		if errors.Is(err, captures.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out.Collections = append(out.Collections, Collection{seen.ID, seen.Title})
	}
	for _, h := range p.Harvests {
		out.Harvests = append(out.Harvests, Harvest{h.Number, h.Label, h.Start, h.End})
	}
	return &Answer[Package]{out}, nil
}

// hidden returns the same error for what is hidden and for what is not there.
func hidden(err error) error {
	if errors.Is(err, captures.ErrNotFound) {
		return captures.ErrNotFound
	}
	return err
}

// Version is a version of a package.
type Version struct {
	Number  int       `json:"number"`
	Created time.Time `json:"created"`
	Message string    `json:"message"`
	By      string    `json:"by"`
	Files   int64     `json:"files"`
	Bytes   int64     `json:"bytes"`
	Added   int64     `json:"added" doc:"Files that the version before lacks."`
	Removed int64     `json:"removed"`
	Changed int64     `json:"changed"`
}

func (a *API) listVersions(ctx context.Context, _ *role.Person, in *ID) (*Listed[Version], error) {
	all, err := a.desk.Versions(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	var rows []Version
	for _, v := range all {
		rows = append(rows, Version{v.Number, v.Created, v.Message, v.By, v.Files, v.Bytes, v.Added, v.Removed,
			v.Changed})
	}
	return listOf(rows, 0, nil), nil
}

// File is a file of a package.
type File struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA512 string `json:"sha512"`
	Use    string `json:"use,omitempty" doc:"The file group of the METS."`
}

func (a *API) listFiles(ctx context.Context, _ *role.Person, in *struct {
	ID
	Page
}) (*Listed[File], error) {
	all, err := a.desk.Files(ctx, in.ID.ID, in.After, in.Limit)
	if err != nil {
		return nil, err
	}
	var rows []File
	for _, f := range all {
		rows = append(rows, File{f.Path, f.Size, f.SHA512, f.Use})
	}
	return listOf(rows, in.Limit, func(f *File) string { return f.Path }), nil
}

// Copies are the copies of a package, with its events.
type Copies struct {
	Copies []PackageCopy `json:"copies"`
	Events []Event       `json:"events" doc:"The newest 1000, the oldest first."`
}

// PackageCopy is the state of a package in a copy of the repository.
type PackageCopy struct {
	Name    string    `json:"name"`
	State   string    `json:"state"`
	Checked time.Time `json:"checked,omitzero" doc:"When it was last read."`
	Present bool      `json:"present" doc:"Whether the copy can be read now."`
}

// Event is an event of a package.
type Event struct {
	ID      string    `json:"id"`
	Type    string    `json:"type"`
	Time    time.Time `json:"time"`
	Outcome string    `json:"outcome"`
	Detail  string    `json:"detail"`
	Copy    string    `json:"copy,omitempty"`
}

const maxEvents = 1000

func (a *API) showCopies(ctx context.Context, _ *role.Person, in *ID) (*Answer[Copies], error) {
	d, err := a.desk.Copies(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out := Copies{Copies: []PackageCopy{}, Events: []Event{}}
	present := map[string]bool{}
	for _, p := range d.Places {
		present[p.Copy] = p.Present
	}
	for _, c := range d.Copies {
		out.Copies = append(out.Copies, PackageCopy{c.Name, string(c.Status), c.Checked, present[c.Name]})
	}
	events := d.Events
	for _, e := range events[max(0, len(events)-maxEvents):] {
		out.Events = append(out.Events, Event{e.ID, e.Type, e.Time, e.Outcome, e.Detail, e.Copy})
	}
	return &Answer[Copies]{out}, nil
}

// Rights are the decisions on a package, and its statements.
type Rights struct {
	Readers    []Decision  `json:"readers"`
	Statements []Statement `json:"statements"`
}

// Statement is a rights statement.
type Statement struct {
	ID         string `json:"id"`
	Collection string `json:"collection,omitempty" doc:"The collection that states it."`
	Basis      string `json:"basis"`
	Authority  string `json:"authority,omitempty"`
	From       string `json:"from,omitempty"`
	To         string `json:"to,omitempty"`
	Part       bool   `json:"part" doc:"It covers only some URLs."`
}

func (a *API) showRights(ctx context.Context, _ *role.Person, in *ID) (*Answer[Rights], error) {
	all, said, err := a.desk.Rights(ctx, in.ID)
	if err != nil {
		return nil, hidden(err)
	}
	out := Rights{Readers: []Decision{}, Statements: []Statement{}}
	for _, d := range all {
		out.Readers = append(out.Readers, decisionOf(d.Decision, d.Class))
	}
	for _, s := range said {
		out.Statements = append(out.Statements, Statement{s.ID, s.Collection, string(s.Basis), s.Authority,
			string(s.From), string(s.To), s.Part})
	}
	return &Answer[Rights]{out}, nil
}
