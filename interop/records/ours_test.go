//go:build interop

package records

import (
	"errors"
	"fmt"
	"io"
	"os"

	"quire/format/arc"
	"quire/format/fault"
	"quire/format/inflate"
	"quire/format/warc"
)

// ours lists a file with Quire's readers. Errors become complaints, like a peer's.
func ours(path string) (l listing, err error) {
	f, err := os.Open(path)
	if err != nil {
		return l, err
	}
	defer f.Close()

	report := func(f fault.Fault) { l.complaints = append(l.complaints, f.String()) }
	in := inflate.NewReader(f, inflate.Options{Report: report})
	start, err := in.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		l.complaints = append(l.complaints, err.Error()) // an error at the start; the readers below find it again
	}
	l.packed = in.Compression() != inflate.None
	if arc.Sniff(start) {
		l.kind = kindARC
		r := arc.NewReader(in)
		r.Report = report
		err = l.fill(func() (entry, error) {
			rec, err := r.Next()
			if err != nil {
				return entry{}, err
			}
			err = rec.Close() // the length is known only now
			return entry{offset: rec.Offset, length: rec.Length, target: rec.URL}, err
		})
		return l, err
	}
	l.kind = kindWARC
	r := warc.NewReader(in)
	r.Report = report
	err = l.fill(func() (entry, error) {
		rec, err := r.Next()
		if err != nil {
			return entry{}, err
		}
		e := entry{offset: rec.Offset, kind: rec.Type(), target: rec.TargetURI()}
		err = rec.Close() // the length is known only now
		e.length = rec.Length
		return e, err
	})
	return l, err
}

// fill reads entries until io.EOF.
func (l *listing) fill(next func() (entry, error)) error {
	for {
		e, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("after %d records: %w", len(l.entries), err)
		}
		l.entries = append(l.entries, e)
	}
}
