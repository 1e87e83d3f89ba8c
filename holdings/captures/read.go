package captures

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"quire/internal/disk"
	"quire/preserve/capturelines"
	"quire/preserve/inspect"
	"quire/repository/store"
	"quire/repository/stored"
)

// Stored is the Reading of packages in a repository. What the pass wrote down when a package was made is believed of exactly the container
// that it is of; where there is nothing of the kind, or it is told that it is not as it should be, the container is read in one pass, from
// the first copy that has it as it was stored.
func Stored(s *store.Store, progress func(bytes int64), tell func(error)) Reading {
	lines := stored.NewLines(s)
	return func(ctx context.Context, c *Container, line func(*Line) error) error {
		header, err := lines.Read(ctx, c.Package, 0, c.Path, tell, func(l *capturelines.Line) error { return line(captureOf(l)) })
		if err == nil && header != nil {
			c.Left = header.Left
			if progress != nil {
				progress(header.Size)
			}
		}
		if err != nil || header != nil {
			return err
		}
		return readCopies(ctx, s, c, progress, line)
	}
}

// readCopies reads a container, from the first copy that has it as it was stored.
func readCopies(ctx context.Context, s *store.Store, c *Container, progress func(bytes int64), line func(*Line) error) error {
	var failed error
	for f, err := range s.OpenCopies(ctx, c.Package, 0, c.Path) {
		if err != nil {
			return errors.Join(failed, err)
		}
		err = Read(ctx, f, c, progress, line)
		_ = f.Close() // it was only read
		if err == nil {
			return nil
		}
		var wrong *wrongBytesError
		if failed = errors.Join(failed, fmt.Errorf("%s: %w", f.Name(), err)); !errors.As(err, &wrong) && !errors.As(err, new(*fs.PathError)) {
			break // another copy would not be better
		}
	}
	return failed
}

// wrongBytesError says that a copy is damaged.
type wrongBytesError struct{ is, was string }

func (e *wrongBytesError) Error() string {
	return fmt.Sprintf("this copy has other bytes than were stored (SHA-512 %s, stored was %s): audit the repository", e.is, e.was)
}

// Read makes the lines of a container, in one pass. None is given before the file was read to its end, and has the SHA-512 of the
// Container, where that is known.
func Read(ctx context.Context, f io.ReadSeeker, c *Container, progress func(bytes int64), line func(*Line) error) error {
	m := capturelines.NewMaker("")
	defer func() { _ = m.Close() }() // nothing in it is wanted any more
	if err := m.Begin(); err != nil {
		return err
	}
	in := &disk.Counted{Ctx: ctx, From: f, Progress: progress}
	found, err := inspect.Reader(ctx, seeking{in, f}, m.Options(inspect.Options{Name: path.Base(c.Path), MaxFindings: -1}))
	if err != nil {
		return err
	}
	if c.SHA512 != "" && found.SHA512 != c.SHA512 {
		return &wrongBytesError{found.SHA512, c.SHA512}
	}
	c.Left = m.Left()
	return m.Each(func(l *capturelines.Line) error {
		if l.Timestamp == "" {
			return nil // it is counted
		}
		return line(captureOf(l))
	})
}

// seeking is a file whose reading is counted.
type seeking struct {
	*disk.Counted
	io.Seeker
}

// captureOf is a capture in the words of the index. What a scanner found is for the METS to say: no line knows of it.
func captureOf(l *capturelines.Line) *Line {
	return &Line{
		Capture: Capture{
			Key: l.Key, Timestamp: l.Timestamp, URL: l.URL, Method: l.Method, Type: l.Type, MIME: l.MIME, Status: l.Status, Digest: l.Digest,
			Location: l.Location, Length: l.Size, Truncated: l.Truncated != "",
			Record: Place{Order: l.Order, Offset: l.Offset, Stored: l.Stored, Inflated: l.Inflated, Head: l.Head, Body: l.Body, SHA256: l.SHA256},
		},
		Digests: l.Digests, RefersToURI: l.RefersToURI, RefersToDate: l.RefersToDate,
	}
}
