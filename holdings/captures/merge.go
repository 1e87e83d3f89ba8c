package captures

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"quire/internal/disk"
)

// counted is the size of a written file.
type counted struct{ lines, bytes int64 }

// writeLines writes a file of lines, atomically and synced to disk.
func writeLines(ctx context.Context, path string, each func(visit func([]byte) error) error) (n counted, err error) {
	return n, disk.Write(path, func(to io.Writer) error {
		b := bufio.NewWriterSize(to, readBlock)
		err := each(func(line []byte) error {
			if n.lines++; n.lines%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			n.bytes += int64(len(line))
			_, err := b.Write(line)
			return err
		})
		if err != nil {
			return err
		}
		return b.Flush()
	})
}

// tidy merges segments, so look-ups search few: each segment stays at least as large as all smaller
// ones together. A thousand packages of equal size become at most ten segments, and each line is
// written ten times. If half of the lines belong to removed containers, all segments are merged.
func (x *Index) tidy(ctx context.Context) error {
	for {
		s, err := x.acquire()
		if err != nil {
			return err
		}
		from := crowded(&s.manifest)
		if from < len(s.segments) {
			err = x.join(ctx, s, from)
		}
		x.release(s)
		if err != nil || from >= len(s.segments) {
			return err
		}
	}
}

// Compact writes all segments anew, so that no file has a line of a removed container.
func (x *Index) Compact(ctx context.Context) error {
	unlock, err := x.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	s, err := x.acquire()
	if err != nil {
		return err
	}
	defer x.release(s)
	if len(s.segments) == 0 {
		return nil
	}
	return x.join(ctx, s, 0)
}

// crowded returns the first of the segments to merge, or their number if none.
func crowded(m *manifest) int {
	var live, lines int64
	for _, c := range m.Containers {
		live += c.Captures + c.Unlisted
	}
	for _, n := range m.Segments {
		lines += n.Lines
	}
	if lines > 2*live {
		return 0
	}
	smaller := int64(0)
	for i := len(m.Segments) - 1; i >= 0; i-- { // the largest are first
		if i < len(m.Segments)-1 && m.Segments[i].Bytes < smaller {
			for i > 0 && m.Segments[i-1].Bytes < smaller+m.Segments[i].Bytes {
				smaller += m.Segments[i].Bytes
				i--
			}
			return i
		}
		smaller += m.Segments[i].Bytes
	}
	return len(m.Segments)
}

// join merges the segments starting at from, without the lines of removed containers.
func (x *Index) join(ctx context.Context, s *snapshot, from int) error {
	m := s.manifest
	m.Segments = slices.Clone(m.Segments[:from])
	b := builder{dir: x.dir, name: fmt.Sprintf("%06d", m.Next)}
	m.Next++
	old := s.segments[from:]
	err := b.payloads(ctx, func(visit func([]byte) error) error {
		return s.joined(old, func(f *files) *segment { return f.payloads }, payloadIn, visit)
	})
	if err != nil {
		return err
	}
	n, err := b.captures(ctx, newResolver(s, &m, nil), func(visit func([]byte) error) error {
		return s.joined(old, func(f *files) *segment { return f.captures }, captureIn, visit)
	})
	if err != nil {
		return err
	}
	if n.Lines > 0 {
		m.Segments = append(m.Segments, n)
	}
	return x.force(&m)
}

// builder writes the files of a segment.
type builder struct {
	dir, name string
	bytes     int64
}

func (b *builder) path(ext string) string { return filepath.Join(b.dir, b.name+ext) }

// write writes one of the files.
func (b *builder) write(ctx context.Context, ext string, each lines) (int64, error) {
	n, err := writeLines(ctx, b.path(ext), each)
	b.bytes += n.bytes
	return n.lines, err
}

func (b *builder) payloads(ctx context.Context, each lines) error {
	_, err := b.write(ctx, payloadsExt, each)
	return err
}

// captures writes the other two, with the originals of revisits.
func (b *builder) captures(ctx context.Context, r *resolver, each lines) (named, error) {
	places := sorter{dir: b.dir}
	defer places.close()
	n, err := b.write(ctx, capturesExt, func(visit func([]byte) error) error {
		return each(func(line []byte) error {
			line, err := r.line(line)
			if err != nil {
				return err
			}
			place, err := placeLine(line)
			if err != nil {
				return err
			}
			if err := places.add(place); err != nil {
				return err
			}
			return visit(line)
		})
	})
	if err != nil {
		return named{}, err
	}
	if _, err := b.write(ctx, placesExt, places.each); err != nil {
		return named{}, err
	}
	return named{Name: b.name, Lines: n, Bytes: b.bytes, Places: true}, nil
}

// lines visits lines in order.
type lines func(visit func([]byte) error) error

// joined visits the lines of several files in order, except the lines of removed containers.
func (s *snapshot) joined(all []*files, of func(*files) *segment, in func([]byte) (int64, bool),
	visit func([]byte) error) error {
	var cursors []*cursor
	for _, f := range all {
		cursors = append(cursors, forward(of(f).f, 0, of(f).size, readBlock))
	}
	return merge(cursors, false, func(line []byte) error {
		if n, ok := in(line); !ok || s.containers[n] == nil {
			return nil
		}
		return visit(line)
	})
}
