package archive

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"quire/holdings/facts"
	"quire/model"
	"quire/oai/protocol"
	"quire/preserve/aip"
	"quire/repository/catalogue"
)

// take brings the index up to date with one package: all its versions, since what an older one had and a newer has not is told as
// deleted.
func (a *Archive) take(ctx context.Context, card catalogue.Package) error {
	history, err := a.store.History(ctx, card.ID)
	if err != nil {
		return err
	}
	var pkg int64
	if err := a.index.write(ctx, func(tx *sql.Tx) error { pkg, err = packageRow(ctx, tx, card.ID); return err }); err != nil {
		return err
	}
	versions, err := a.versions(ctx, &history)
	if err != nil {
		return err
	}
	if len(versions) > 0 && versions[len(versions)-1].IsCollection {
		return a.takeCollection(ctx, pkg, &history, versions)
	}
	if err := a.read(ctx, &history, pkg, versions); err != nil {
		return err
	}
	if err := a.options.pause("read"); err != nil {
		return err
	}
	versions, titles, err := a.constrain(ctx, card.ID, versions)
	if err != nil {
		return err
	}
	return a.publish(ctx, &history, pkg, versions, titles)
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
		all = append(all, &version{
			Facts: f, number: v.Number, since: since[i], contents: map[int64]*facts.Container{}, sets: []scoped{{set: f.Rights}},
			zones: &zones{shown: a.shown(), location: a.options.Location, cache: map[string][]change{}},
		})
	}
	return all, nil
}

// shown are the zones that are handed out.
func (a *Archive) shown() map[model.Zone]bool {
	shown := map[model.Zone]bool{}
	for _, z := range a.options.Zones {
		shown[z] = true
	}
	shown[""] = shown[a.options.Unstated]
	return shown
}

// storedAt gives the second at which each version was stored: of the event that says so, which is later than the inventory; that is
// dated when storing began, which for a large package may have been hours before anybody could see it.
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

// read reads the containers of all versions, each once.
func (a *Archive) read(ctx context.Context, history *catalogue.Record, pkg int64, versions []*version) error {
	total := int64(0)
	seen := map[string]bool{}
	for _, v := range history.Versions {
		for _, f := range v.Files {
			if f.Use == aip.UseContainers && !seen[f.SHA512] {
				seen[f.SHA512] = true
				total += f.Size
			}
		}
	}
	a.progress.set(func(p *Progress) { p.Total = total })
	for i, v := range history.Versions {
		files := slices.Clone(v.Files)
		slices.SortFunc(files, func(a, b catalogue.File) int { return cmp.Compare(a.Path, b.Path) })
		for _, f := range files {
			c := versions[i].Containers[f.Path]
			if f.Use != aip.UseContainers || c == nil {
				continue
			}
			content, err := a.gather(ctx, history.Package.ID, pkg, v.Number, f.Path, f.SHA512)
			if err != nil {
				return fmt.Errorf("reading %s of version %d: %w", f.Path, v.Number, err)
			}
			versions[i].hold(content, c)
		}
	}
	return nil
}

// hold notes that the version has a content; where it has it twice, what forbids to show it in one place forbids it in both.
func (v *version) hold(content int64, c *facts.Container) {
	was := v.contents[content]
	if was == nil {
		v.contents[content] = c
		return
	}
	was.Never = cmp.Or(was.Never, c.Never)
	maps.Copy(was.Viral, c.Viral)
}

// membership is that a collection names a package, and says more of its rights.
type membership struct {
	collection string
	harvest    int // of the collection
	since      int64
	title      string
}

// constrain adds what collections say of the package to what it says itself, from when they were stored on. It gives the sets of
// collections that the package is in, with their titles.
func (a *Archive) constrain(ctx context.Context, id string, versions []*version) (_ []*version, titles map[string]string, err error) {
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
	}, "SELECT p.name, m.harvest, m.since, m.title FROM member_of m JOIN package p ON p.id = m.collection WHERE m.name = ? ORDER BY m.since, p.name", id)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range of {
		f, err := facts.Load(ctx, a.store, m.collection, 0)
		if err != nil {
			return nil, nil, fmt.Errorf("collection %s: %w", m.collection, err)
		}
		titles[protocol.CollectionSet(m.collection)] = m.title
		versions = from(versions, m.since)
		for _, v := range versions {
			if v.since >= m.since {
				v.sets = append(v.sets, scoped{set: f.Rights, harvest: m.harvest})
			}
		}
	}
	return versions, titles, nil
}

// from splits the version that was the newest at a moment in two, of which the second begins then.
func from(versions []*version, moment int64) []*version {
	i, there := slices.BinarySearchFunc(versions, moment, func(v *version, t int64) int { return cmp.Compare(v.since, t) })
	if there || i == 0 {
		return versions
	}
	second := *versions[i-1]
	second.since, second.sets = moment, slices.Clone(second.sets)
	second.zones = &zones{shown: second.zones.shown, location: second.zones.location, cache: map[string][]change{}}
	return slices.Insert(versions, i, &second)
}

// publish puts the records of a package into the lists.
func (a *Archive) publish(ctx context.Context, history *catalogue.Record, pkg int64, versions []*version, titles map[string]string) error {
	a.mu.Lock()
	filled := a.filled
	a.mu.Unlock()
	tx, err := a.index.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after Commit
	p := &publication{index: a.index, tx: tx, pkg: pkg, versions: versions, now: a.now(), history: !filled, titles: titles, specs: newSpecs(tx)}
	if err := p.publish(ctx); err != nil {
		return err
	}
	left, err := leftOut(ctx, tx, versions)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "UPDATE package SET inventory = ?, problem = '', tries = 0, retry = 0, shown = ?, hidden = ?, unstated = ?, left_out = ? WHERE id = ?",
		history.Package.Inventory, p.counts.shown, p.counts.hidden, p.counts.unstated, left, pkg)
	if err != nil {
		return err
	}
	if err := a.options.pause("publish"); err != nil {
		return err
	}
	// From here to the commit no list is answered of a later second than those before.
	a.answered.mu.Lock()
	defer a.answered.mu.Unlock()
	if err := p.settle(ctx, a.answered.at); err != nil {
		return err
	}
	return tx.Commit()
}

// leftOut adds up what the containers of the newest version have that is no record here.
func leftOut(ctx context.Context, tx *sql.Tx, versions []*version) (string, error) {
	all := map[string]int64{}
	if len(versions) > 0 {
		for content := range versions[len(versions)-1].contents {
			var text string
			if err := tx.QueryRowContext(ctx, "SELECT left_out FROM content WHERE id = ?", content).Scan(&text); err != nil {
				return "", err
			}
			counts := map[string]int64{}
			if err := json.Unmarshal([]byte(text), &counts); err != nil {
				return "", err
			}
			for why, n := range counts {
				all[why] += n
			}
			var lost int64
			if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM revisit v WHERE v.content = ? AND NOT "+resolved, content).Scan(&lost); err != nil {
				return "", err
			}
			if lost > 0 {
				all[outRevisit] += lost
			}
		}
	}
	text, err := json.Marshal(all)
	return string(text), err
}

// takeCollection notes which packages a collection names. They are judged anew, since its rights are theirs too.
func (a *Archive) takeCollection(ctx context.Context, pkg int64, history *catalogue.Record, versions []*version) error {
	newest := versions[len(versions)-1]
	return a.index.write(ctx, func(tx *sql.Tx) error {
		for _, query := range []string{
			"UPDATE package SET inventory = '' WHERE name IN (SELECT name FROM member_of WHERE collection = ?)", "DELETE FROM member_of WHERE collection = ?",
		} {
			if _, err := tx.ExecContext(ctx, query, pkg); err != nil {
				return err
			}
		}
		for _, name := range slices.Sorted(maps.Keys(newest.Members)) {
			if _, err := tx.ExecContext(ctx, "INSERT INTO member_of (collection, name, harvest, since, title) VALUES (?, ?, ?, ?, ?)",
				pkg, name, newest.Members[name], newest.since, newest.Title); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "UPDATE package SET inventory = '' WHERE name = ?", name); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "UPDATE package SET inventory = ?, problem = '', tries = 0, retry = 0 WHERE id = ?", history.Package.Inventory, pkg)
		return err
	})
}
