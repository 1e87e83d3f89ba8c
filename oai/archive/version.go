package archive

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"quire/holdings/facts"
	"quire/holdings/rights"
	"quire/model"
	"quire/oai/protocol"
	"quire/preserve/aip"
	"quire/repository/catalogue"
)

// version is one version of a package. It determines datestamps and deletions.
type version struct {
	*facts.Facts
	number   int
	since    int64                       // when it was stored, in seconds
	contents map[string]*facts.Container // by the SHA-512 of their bytes
	paths    map[string]string           // their paths, by the same key
	said     []rights.Said               // its own statements first, then the collections'
	zones    *rights.Zones
	unstated rights.Verdict
	location *time.Location
}

// versions reads the METS of each version.
func (a *Archive) versions(ctx context.Context, history *catalogue.Record) ([]*version, error) {
	var all []*version
	since := storedAt(history)
	for i, v := range history.Versions {
		f, err := facts.Load(ctx, a.store, history.Package.ID, v.Number)
		if err != nil {
			return nil, fmt.Errorf("version %d: %w", v.Number, err)
		}
		next := &version{Facts: f, number: v.Number, since: since[i], location: a.options.Location,
			unstated: a.options.Unstated,
			contents: map[string]*facts.Container{}, paths: map[string]string{}}
		for _, file := range v.Files {
			if c := f.Containers[file.Path]; c != nil && file.Use == aip.UseContainers {
				next.hold(file.SHA512, c)
			}
		}
		all = append(all, next.states(rights.Said{Set: f.Rights}))
	}
	return all, nil
}

// hold adds a content to the version. If the version has the content twice, a prohibition at one
// place applies to both.
func (v *version) hold(sha512 string, c *facts.Container) {
	was := v.contents[sha512]
	if was == nil {
		v.contents[sha512], v.paths[sha512] = c, c.Path
		return
	}
	was.Never = cmp.Or(was.Never, c.Never)
	for order := range c.Viral {
		was.Viral[order] = true
	}
}

// states returns the version with an additional set of statements.
func (v *version) states(said rights.Said) *version {
	next := *v
	next.said = append(slices.Clip(v.said), said)
	next.zones = rights.Weigh(v.unstated, next.said...)
	return &next
}

// storedAt returns the second at which each version was stored. It is the time of the storing
// event, not of the inventory. The inventory has the time when storing began; a large package may
// become visible hours later.
func storedAt(history *catalogue.Record) []int64 {
	var events []time.Time
	for _, e := range history.Events {
		if e.Type == string(model.Ingestion) {
			events = append(events, e.Time)
		}
	}
	slices.SortFunc(events, time.Time.Compare)
	all := make([]int64, len(history.Versions))
	for i, v := range history.Versions {
		all[i] = v.Created.Unix()
		if len(events) == len(history.Versions) {
			all[i] = max(all[i], events[i].Unix())
		}
		if i > 0 {
			all[i] = max(all[i], all[i-1]+1) // each version existed for at least a second
		}
	}
	return all
}

// membership states that a collection names a package and restricts its rights.
type membership struct {
	collection string
	harvest    int // of the collection
	since      int64
	title      string
}

// constrain adds the collections' statements on the package to its own, from the time of their
// storing. It returns the sets of the package's collections, with their titles.
func (a *Archive) constrain(ctx context.Context, id string, versions []*version) (_ []*version,
	titles map[string]string, err error) {
	titles = map[string]string{}
	if len(versions) > 0 {
		for _, name := range versions[len(versions)-1].Collections() {
			titles[protocol.CollectionSet(name)] = name
		}
	}
	var of []membership
	err = each(ctx, a.index.db, func(scan func(...any) error) error {
		var m membership
		err := scan(&m.collection, &m.harvest, &m.since, &m.title)
		of = append(of, m)
		return err
	},
		"SELECT p.name, m.harvest, m.since, m.title FROM member_of m JOIN package p ON p.id = m.collection WHERE "+
			"m.name = ? ORDER BY m.since, p.name", id)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range of {
		f, err := facts.Load(ctx, a.store, m.collection, 0)
		if err != nil {
			return nil, nil, fmt.Errorf("collection %s: %w", m.collection, err)
		}
		// Otherwise the collection is withheld from harvesters.
		if _, err := a.holdings.Collection(ctx, a.reader, m.collection); err == nil {
			titles[protocol.CollectionSet(m.collection)] = m.title
		}
		versions = from(versions, m.since)
		for i, v := range versions {
			if v.since >= m.since {
				versions[i] = v.states(rights.Said{Set: f.Rights, Collection: m.collection, Harvest: m.harvest})
			}
		}
	}
	return versions, titles, nil
}

// from splits the version that was the newest at a moment. The second part begins at that moment.
func from(versions []*version, moment int64) []*version {
	i, there := slices.BinarySearchFunc(versions, moment, func(v *version, t int64) int {
		return cmp.Compare(v.since, t)
	})
	if there || i == 0 {
		return versions
	}
	second := *versions[i-1]
	second.since = moment
	return slices.Insert(versions, i, &second)
}

// change is a time at which a capture becomes shown or is no longer shown.
type change struct {
	At    int64 `json:"t"`
	Shown bool  `json:"s,omitempty"`
}

// changes returns the past and future changes of a URL's access by the statements of a version.
func (v *version) changes(class rights.Class, address string, harvest int) (all []change) {
	for _, c := range v.zones.Changes(class, address, harvest, time.Unix(v.since, 0).In(v.location)) {
		all = append(all, change{c.From.Unix(), c.Allowed})
	}
	return all
}
