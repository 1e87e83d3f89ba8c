package archive

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"quire/format/warc"
	"quire/holdings/facts"
	"quire/metadata/mods"
	"quire/oai/resource"
	"quire/repository/stored"
)

// hold is where a record lies, and what the pass found it to be.
type hold struct {
	pkg     string
	version int
	path    string

	stored.Place
	length, size       int64
	mime, coding, note string
	order              int64
}

// held is what the index knows of a record that is shown.
type held struct {
	holds       []hold       // where the body lies, that of the newest version first
	heads       []hold       // where the head lies, when that is elsewhere: of a revisit
	digest      *warc.Digest // of the payload, as a revisit states it
	events      []resource.Event
	description *mods.Record
}

// held reads what the index knows of a record.
func (a *Archive) held(ctx context.Context, tx *sql.Tx, row int64, to *held) error {
	var events string
	err := each(ctx, tx, func(scan func(...any) error) error {
		var h hold
		var told string
		err := scan(&h.pkg, &h.version, &h.path, &told, &h.Type, &h.Offset, &h.Inflated, &h.Stored, &h.length, &h.Head, &h.Body, &h.SHA256, &h.size, &h.mime, &h.coding,
			&h.note, &h.order)
		events = cmp.Or(events, told)
		to.holds = append(to.holds, h)
		return err
	}, `SELECT k.name, p.version, p.path, p.events, h.type, h.offset, h.inflated, h.stored, h.length, h.head, h.body, h.sum, h.size, h.mime, h.coding, h.note, h.ord
		FROM holds h CROSS JOIN place p ON p.content = h.content CROSS JOIN package k ON k.id = p.package
		WHERE h.record = ? ORDER BY p.version DESC, p.path LIMIT 16`, row)
	if err != nil {
		return err
	}
	if events != "" {
		if err := json.Unmarshal([]byte(events), &to.events); err != nil {
			return err
		}
	}
	if len(to.holds) == 0 {
		if err := a.original(ctx, tx, row, to); err != nil {
			return err
		}
	}
	var text string
	now := a.now()
	err = tx.QueryRowContext(ctx, `SELECT d.mods FROM listed l CROSS JOIN batch b ON b.id = l.batch CROSS JOIN description d ON d.sum = b.description
		WHERE l.record = ? AND b.stamp <= ? AND b.until > ?`, row, now, now).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	record, err := facts.ReadMODS([]byte(text))
	to.description = &record
	return err
}

// known leaves out what lies in a package whose newest version could not be read: it may be that which takes away the right to show
// it. The record stays in the list, and that it is not handed out is told.
func (h *held) known(ctx context.Context, tx *sql.Tx) error {
	troubles := map[string]string{}
	for _, name := range h.packages() {
		var trouble string
		err := tx.QueryRowContext(ctx, "SELECT problem FROM package WHERE name = ?", name).Scan(&trouble)
		if err != nil {
			return err
		}
		if trouble != "" {
			troubles[name] = trouble
		}
	}
	if len(troubles) == 0 {
		return nil
	}
	unknown := func(at hold) bool { return troubles[at.pkg] != "" }
	before := len(h.holds) + len(h.heads)
	h.holds, h.heads = slices.DeleteFunc(h.holds, unknown), slices.DeleteFunc(h.heads, unknown)
	if len(h.holds) > 0 || before == 0 {
		return nil
	}
	for name, trouble := range troubles {
		return fmt.Errorf("the newest version of package %s cannot be read, so it is not known whether this may be shown still: %s", name, trouble)
	}
	return nil
}

// packages are those where the record lies, each once.
func (h *held) packages() (names []string) {
	for _, at := range slices.Concat(h.holds, h.heads) {
		names = append(names, at.pkg)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// original finds the payload of a revisit: in records that are shown now, so that nobody is given by a revisit what he may not see.
func (a *Archive) original(ctx context.Context, tx *sql.Tx, row int64, to *held) error {
	var begins int64
	var events string
	err := each(ctx, tx, func(scan func(...any) error) error {
		h := hold{Place: stored.Place{Type: warc.TypeRevisit, SHA256: nothing[:]}}
		var d warc.Digest
		var told string
		err := scan(&h.pkg, &h.version, &h.path, &told, &h.Offset, &h.Inflated, &h.Stored, &h.length, &h.Head, &h.order, &d.Algorithm, &d.Sum, &begins)
		events, to.digest = cmp.Or(events, told), &d
		to.heads = append(to.heads, h)
		return err
	}, `SELECT k.name, p.version, p.path, p.events, v.offset, v.inflated, v.stored, v.length, v.head, v.ord, v.algorithm, v.digest, v.begins
		FROM revisit v CROSS JOIN place p ON p.content = v.content CROSS JOIN package k ON k.id = p.package
		WHERE v.record = ? ORDER BY p.version DESC, p.path LIMIT 16`, row)
	if err != nil || to.digest == nil {
		return err
	}
	if err := json.Unmarshal([]byte(events), &to.events); err != nil {
		return err
	}
	now := a.now()
	return each(ctx, tx, func(scan func(...any) error) error {
		var h hold
		err := scan(&h.pkg, &h.version, &h.path, &h.Type, &h.Offset, &h.Inflated, &h.Stored, &h.length, &h.Head, &h.Body, &h.SHA256, &h.size, &h.mime, &h.coding, &h.order)
		to.holds = append(to.holds, h)
		return err
	}, `SELECT k.name, p.version, p.path, h.type, h.offset, h.inflated, h.stored, h.length, h.head, h.body, h.sum, h.size, h.mime, h.coding, h.ord
		FROM holds h CROSS JOIN place p ON p.content = h.content CROSS JOIN package k ON k.id = p.package
		CROSS JOIN listed l ON l.record = h.record CROSS JOIN batch b ON b.id = l.batch AND b.stamp <= ?2 AND b.until > ?2 AND b.deleted = 0
		WHERE h.`+to.digest.Algorithm+` = ?1 ORDER BY h.content, h.ord, p.version DESC LIMIT 16`, begins, now)
}
