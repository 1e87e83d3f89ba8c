package nas

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"quire/internal/lines"
	"quire/model"
	"quire/source/internal/facts"
)

// moved is one record of a compressed container: its old and new place, and its capture time.
type moved struct {
	from, to int64
	captured int64 // milliseconds since 1970; 0 if unknown
}

// migration maps the places of duplicates' originals in a crawl log to the places after
// compression. A line has the old name of the container, the old offset, and the offset in the
// compressed container. Later versions add the capture time in milliseconds. The compressed
// container has the same name with the suffix .gz.
type migration struct {
	files map[string][]moved
	lines int
	names int // number of bytes in the names
}

// Limits of a migration: lines of all its documents, bytes of the names in them, and bytes of one
// line.
const (
	maxMoved      = 1 << 20
	maxMovedNames = 16 << 20 // bytes
	maxMovedLine  = 4 << 10
)

// parseMoved parses one line.
func parseMoved(line string) (name string, m moved, ok bool) {
	words := strings.Fields(line)
	if len(words) != 3 && len(words) != 4 {
		return "", m, false
	}
	var err error
	if m.from, err = strconv.ParseInt(words[1], 10, 64); err != nil || m.from < 0 {
		return "", m, false
	}
	if m.to, err = strconv.ParseInt(words[2], 10, 64); err != nil || m.to < 0 {
		return "", m, false
	}
	if len(words) == 4 {
		if m.captured, err = strconv.ParseInt(words[3], 10, 64); err != nil {
			return "", m, false
		}
	}
	return words[0], m, true
}

// isMigration reports whether a document has the new places of records.
func isMigration(u documentURL) bool {
	return strings.Contains(strings.ToLower(u.name), "duplicationmigration")
}

// readMigrations reads all these documents.
func readMigrations(ctx context.Context, f *facts.Facts, documents []*document) (*migration, error) {
	m := &migration{files: map[string][]moved{}}
	for _, d := range documents {
		if !isMigration(d.url) {
			continue
		}
		before := m.lines
		if err := m.read(ctx, f, d); err != nil {
			return nil, fmt.Errorf("%s: %w", d.place(), err)
		}
		f.Note("migrated duplicates",
			fmt.Sprintf("%d places of duplicates have moved, since containers were compressed", m.lines-before),
			d.place())
	}
	for _, all := range m.files {
		slices.SortStableFunc(all, func(a, b moved) int { return cmp.Compare(a.from, b.from) })
	}
	return m, nil
}

func (m *migration) read(ctx context.Context, f *facts.Facts, d *document) (err error) {
	content, err := d.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	bad, more := 0, 0
	err = eachLine(ctx, content, func(line string) bool {
		name, at, ok := parseMoved(line)
		switch {
		case strings.TrimSpace(line) == "":
		case !ok:
			if bad++; bad <= maxFindings {
				f.Find(CodeMigration, model.Warning, d.in.path, d.offset, "%.300s: unreadable: %.100q", d.uri, line)
			}
		case !m.add(name, at):
			more++
		}
		return true
	})
	if more > 0 {
		f.Find(CodeLarge, model.Warning, d.in.path, d.offset, "%.300s: %d lines exceed the limit and are "+
			"ignored", d.uri, more)
	}
	return err
}

// add keeps a line, and reports whether there was room.
func (m *migration) add(name string, at moved) bool {
	all, known := m.files[name]
	if !known {
		name = strings.Clone(name)
		m.names += len(name)
	}
	if m.lines >= maxMoved || m.names > maxMovedNames {
		return false
	}
	m.lines++
	m.files[name] = append(all, at)
	return true
}

// Migrated returns the place of a record after the compression of its container.
func (m *migration) Migrated(from model.Place) (model.Place, bool) {
	all := m.files[from.Container]
	i, found := slices.BinarySearchFunc(all, from.Offset, func(m moved, offset int64) int {
		return cmp.Compare(m.from, offset)
	})
	if !found {
		return model.Place{}, false
	}
	to := model.Place{Container: from.Container, Offset: all[i].to, Time: from.Time}
	if !strings.HasSuffix(to.Container, ".gz") {
		to.Container += ".gz"
	}
	if to.Time.IsZero() && all[i].captured != 0 {
		to.Time = time.UnixMilli(all[i].captured).UTC()
	}
	return to, true
}

// eachLine visits the lines of a text; an overlong line is cut.
func eachLine(ctx context.Context, r io.Reader, visit func(line string) bool) error {
	l := lines.NewReader(r)
	l.Max = maxMovedLine
	for {
		err := errors.Join(l.Next(), ctx.Err())
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil || !visit(string(l.Text)) {
			return err
		}
	}
}
