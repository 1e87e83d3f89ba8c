package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"quire/holdings/facts"
	"quire/model"
)

// collections gives the rows of the sets of collections that the package is in.
func (p *publication) collections(ctx context.Context) ([]int64, error) {
	var rows []int64
	for spec, title := range p.titles {
		id, err := p.specs.id(ctx, spec, title)
		if err != nil {
			return nil, err
		}
		rows = append(rows, id)
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	if _, err := p.tx.ExecContext(ctx, "DELETE FROM grouped WHERE package = ?", p.pkg); err != nil {
		return nil, err
	}
	for _, id := range rows {
		if _, err := p.tx.ExecContext(ctx, "INSERT INTO grouped (package, spec) VALUES (?, ?)", p.pkg, id); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// places writes where the containers lie, with what is told of each, and what curators say.
func (p *publication) places(ctx context.Context) error {
	if _, err := p.tx.ExecContext(ctx, "DELETE FROM place WHERE package = ?", p.pkg); err != nil {
		return err
	}
	for _, v := range p.versions {
		for content, c := range v.contents {
			events, err := json.Marshal(append(slices.Clip(c.Events), v.stored()))
			if err != nil {
				return err
			}
			if _, err := p.tx.ExecContext(ctx, "INSERT OR REPLACE INTO place (package, version, path, content, events) VALUES (?, ?, ?, ?, ?)",
				p.pkg, v.number, c.Path, content, string(events)); err != nil {
				return err
			}
		}
		for id, text := range v.Descriptions {
			if _, err := p.tx.ExecContext(ctx, "INSERT OR IGNORE INTO description (sum, mods) VALUES (?, ?)", v.SumOf(id), string(text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// stored is the event that the repository took the version in.
func (v *version) stored() facts.Event {
	return facts.Event{
		Type: string(model.Ingestion), Detail: fmt.Sprintf("stored as version %d of package %s", v.number, v.Rights.Package),
		Outcome: string(model.Success), Time: time.Unix(v.since, 0).UTC(),
	}
}
