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

// version is one version of a package, as far as it decides what is shown: from it follow
// datestamps, and what is deleted.
type version struct {
	*facts.Facts
	number   int
	since    int64                       // when it was stored, in seconds
	contents map[string]*facts.Container // by the SHA-512 of their bytes
	paths    map[string]string           // of these, by the same
	said     []rights.Said               // its own statements first, then those of collections
	zones    *rights.Zones
	unstated rights.Verdict
	location *time.Location
}

// versions reads what the METS of each version says.
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

// hold notes that the version has a content; where it has it twice, what forbids to show it in one
// place forbids it in both.
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

// states returns the version with one more set of statements.
func (v *version) states(said rights.Said) *version {
	next := *v
	next.said = append(slices.Clip(v.said), said)
	next.zones = rights.Weigh(v.unstated, next.said...)
	return &next
}

// storedAt gives the second at which each version was stored: of the event that says so, which is
// later than the inventory; that is dated when storing began, which for a large package may have
// been hours before anybody could see it.
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
			all[i] = max(all[i], all[i-1]+1) // in each there was something, if only for a second
		}
	}
	return all
}

// membership is that a collection names a package, and says more of its rights.
type membership struct {
	collection string
	harvest    int // of the collection
	since      int64
	title      string
}

// constrain adds what collections say of the package to what it says itself, from when they were
// stored on. It gives the sets of collections that the package is in, with their titles.
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
		// otherwise harvesters cannot be told of it
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

// from splits the version that was the newest at a moment in two, of which the second begins then.
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

// change is when something comes to be shown, or not shown any more.
type change struct {
	At    int64 `json:"t"`
	Shown bool  `json:"s,omitempty"`
}

// changes gives what was shown of a URL by the statements of a version, and is to be.
func (v *version) changes(class rights.Class, address string, harvest int) (all []change) {
	for _, c := range v.zones.Changes(class, address, harvest, time.Unix(v.since, 0).In(v.location)) {
		all = append(all, change{c.From.Unix(), c.Allowed})
	}
	return all
}
