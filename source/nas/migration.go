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

// moved is one record of a container that was compressed: where it was, where it is, and when it
// was captured.
type moved struct {
	from, to int64
	captured int64 // milliseconds since 1970; 0 when not told
}

// migration says where the records went that a crawl log names as the place of duplicates, since
// the containers they lie in were compressed. A line is the name that the container had, the offset
// in it, the offset in the compressed one, and later versions tell the time of the capture in
// milliseconds. The compressed container has the same name with .gz behind it.
type migration struct {
	files map[string][]moved
	lines int
	names int // bytes of the names
}

// What a migration may take: lines of all its documents, bytes of the names in them, and bytes of
// one line.
const (
	maxMoved      = 1 << 20
	maxMovedNames = 16 << 20 // bytes
	maxMovedLine  = 4 << 10
)

// parseMoved reads one line.
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

// isMigration knows the documents that tell where records went.
func isMigration(u documentURL) bool {
	return strings.Contains(strings.ToLower(u.name), "duplicationmigration")
}

// readMigrations reads all of them.
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
				f.Find(CodeMigration, model.Warning, d.in.path, d.offset, "%.300s: cannot be read: %.100q", d.uri, line)
			}
		case !m.add(name, at):
			more++
		}
		return true
	})
	if more > 0 {
		f.Find(CodeLarge, model.Warning, d.in.path, d.offset, "%.300s: %d more lines than are kept", d.uri, more)
	}
	return err
}

// add keeps a line, and says whether there was room.
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

// Migrated gives the place of a record since its container was compressed.
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

// eachLine visits the lines of a text; of one that is too long, the beginning.
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
