package captures

import (
	"cmp"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"quire/internal/disk"
	"quire/preserve/aip"
	"quire/preserve/cdxj"
	"quire/preserve/inspect"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// Stored returns the Reading of packages in a repository, of any version, for one goroutine. It
// uses lines written by packing only if they belong to exactly this container. If the lines are
// missing, damaged, or of an insufficient version, it reads the container once in one pass, and
// stores the lines next to the index. For readers and lists of records a file of version 1 is
// sufficient, unless the file omits undated records or ids.
//
// Lines are in the order of key and time; lines of unlisted records are first.
func (x *Index) Stored(s *store.Store, progress func(bytes int64), tell func(error)) Reading {
	return x.reading(s, progress, tell).read
}

func (x *Index) reading(s *store.Store, progress func(bytes int64), tell func(error)) *reading {
	return &reading{index: x, store: s, progress: progress, tell: tell, mostParts: mostParts, mostShared: mostShared}
}

// reading reads lines of stored containers.
type reading struct {
	index    *Index
	store    *store.Store
	progress func(bytes int64)
	tell     func(error)

	pkg     string // the package of files
	version int
	files   map[string]catalogue.File // containers and indexes, by path
	parts   parts                     // of segmented records

	mostParts  int // see the constants
	mostShared int64
}

func (r *reading) read(ctx context.Context, c *Container, line func(*Line) error) error {
	if err := r.look(ctx, c.Package, c.PackageVersion); err != nil {
		return err
	}
	want, first := *c, []cdxj.Line{}
	c.Left, c.Segments = nil, 0
	sifted := r.sift(c, &first, line)
	header, err := r.packed(ctx, &want, sifted)
	if header == nil && err == nil {
		header, err = r.made(ctx, &want, sifted)
	} else if header != nil && r.progress != nil {
		r.progress(header.Size)
	}
	if header == nil || err != nil {
		return err
	}
	c.Version = versionOf(header)
	if header.Segments != nil {
		c.Segments = *header.Segments
	}
	for why, n := range header.Left {
		c.left(why, n)
	}
	return r.join(ctx, c, first, line)
}

// look loads the list of files.
func (r *reading) look(ctx context.Context, pkg string, version int) error {
	if r.files != nil && r.pkg == pkg && r.version == version {
		return nil
	}
	h, err := r.store.History(ctx, pkg)
	if err != nil {
		return err
	}
	r.pkg, r.version, r.files = pkg, version, map[string]catalogue.File{}
	for i, v := range h.Versions {
		if v.Number != version && (version != 0 || i != len(h.Versions)-1) {
			continue
		}
		for _, f := range v.Files {
			if f.Use == aip.UseContainers || f.Use == aip.UseIndexes {
				r.files[f.Path] = f
			}
		}
	}
	return nil
}

// packed yields the lines stored in the package. It yields nothing, and returns no header, if there
// are none, if records share members, or if the lines are not trustworthy. That is so if no copy of
// the file matches its stored digest, if it describes another container, or if a line cannot belong
// to the container. It checks all lines before it yields the first.
//
// It returns the error of visit, of ctx, or one that occurred after some lines.
func (r *reading) packed(ctx context.Context, c *Container, visit func(*cdxj.Line) error) (*cdxj.Header, error) {
	is, known := r.files[c.Path]
	f, there := r.files[aip.IndexOf(c.Path)]
	if !known || !there || is.Use != aip.UseContainers || f.Use != aip.UseIndexes || c.SHA512 != "" &&
		c.SHA512 != is.SHA512 {
		return nil, nil
	}
	of := cdxj.Container{Path: c.Path, Size: is.Size, SHA512: is.SHA512}
	for file, err := range r.store.OpenCopies(ctx, c.Package, c.PackageVersion, f.Path) {
		if err == nil {
			err = believe(ctx, file, f.SHA512, of, c.Version)
		}
		if err == nil {
			h, err := reread(ctx, file, of, visit)
			return h, errors.Join(err, file.Close())
		}
		if file != nil {
			err = fmt.Errorf("%s: %w", file.Name(), err)
			_ = file.Close() // only read
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if errors.Is(err, errLess) {
			return nil, nil // this is normal
		}
		if r.tell != nil {
			r.tell(fmt.Errorf("package %s: %w; reading the container %s instead", c.Package, err, c.Path))
		}
	}
	return nil, nil
}

// errLess reports that a file of lines is intact but insufficient: the lines lack wanted data, or a
// record shares its member, so its line cannot be verified alone.
var errLess = errors.New("the lines are insufficient")

// believe checks that a file is intact, and that all its lines can belong to the container.
func believe(ctx context.Context, f *os.File, stored string, of cdxj.Container, version int) error {
	sum := sha512.New()
	in := io.TeeReader(&disk.Counted{Ctx: ctx, From: f}, sum)
	header, wrong := cdxj.Read(in, of, func(l *cdxj.Line) error {
		if l.Stored <= 0 {
			return errLess
		}
		return nil
	})
	if _, err := io.Copy(io.Discard, in); err != nil {
		return err
	}
	if is := hex.EncodeToString(sum.Sum(nil)); is != stored {
		return fmt.Errorf("this copy is damaged (SHA-512 %s, expected %s): audit the repository", is, stored)
	}
	if wrong == nil && !sufficient(header, version) {
		return errLess
	}
	return wrong
}

// sufficient reports whether the lines of a file suffice for a version. A file with segments, or without any, is
// sufficient for segments only if its first line says so.
func sufficient(h *cdxj.Header, version int) bool {
	if version >= segmented {
		return h.Segments != nil
	}
	return (&Container{Version: versionOf(h), Left: h.Left}).Suffices(version)
}

// reread yields the verified lines.
func reread(ctx context.Context, f *os.File, of cdxj.Container, visit func(*cdxj.Line) error) (*cdxj.Header, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return cdxj.Read(&disk.Counted{Ctx: ctx, From: f}, of, visit)
}

// made yields the stored lines of a container, or reads it from the first intact copy.
func (r *reading) made(ctx context.Context, c *Container, visit func(*cdxj.Line) error) (*cdxj.Header, error) {
	want := *c
	want.SHA512 = cmp.Or(c.SHA512, r.files[c.Path].SHA512)
	if f, err := os.Open(r.index.madePath(want.SHA512)); err == nil {
		defer func() { _ = f.Close() }() // only read
		of := cdxj.Container{Path: cachedPath, Size: r.files[c.Path].Size, SHA512: want.SHA512}
		none := func(*cdxj.Line) error { return nil }
		h, err := cdxj.Read(&disk.Counted{Ctx: ctx, From: f}, of, none)
		if err == nil && sufficient(h, c.Version) { // otherwise an older quire made it
			return reread(ctx, f, of, visit)
		}
	}
	var failed error
	for f, err := range r.store.OpenCopies(ctx, c.Package, c.PackageVersion, c.Path) {
		if err != nil {
			return nil, errors.Join(failed, err)
		}
		h, err := r.index.make(ctx, f, &want, r.progress, visit)
		_ = f.Close() // only read
		if err == nil {
			return h, nil
		}
		var wrong *wrongBytesError
		if failed = errors.Join(failed, fmt.Errorf("%s: %w", f.Name(), err)); !errors.As(err, &wrong) &&
			!errors.As(err, new(*fs.PathError)) {
			break // another copy would give the same error
		}
	}
	return nil, failed
}

// wrongBytesError reports a damaged copy.
type wrongBytesError struct{ is, was string }

func (e *wrongBytesError) Error() string {
	return fmt.Sprintf("this copy is damaged (SHA-512 %s, expected %s): audit the repository",
		e.is, e.was)
}

// pass reads a container. The caller closes the Maker.
func pass(ctx context.Context, f io.ReadSeeker, c *Container, progress func(bytes int64)) (*cdxj.Maker, int64, error) {
	m := cdxj.NewMaker("")
	if err := m.Begin(); err != nil {
		return m, 0, err
	}
	in := &disk.Counted{Ctx: ctx, From: f, Progress: progress}
	found, err := inspect.Reader(ctx, seeking{in, f},
		m.Options(inspect.Options{Name: path.Base(c.Path), MaxFindings: -1}))
	if err != nil {
		return m, 0, err
	}
	if c.SHA512 != "" && found.SHA512 != c.SHA512 {
		return m, 0, &wrongBytesError{found.SHA512, c.SHA512}
	}
	return m, found.Bytes, nil
}

// Read yields the lines of a container, in one pass. It yields none before it has read the whole
// file, and verified the SHA-512 of the Container, if known.
func Read(ctx context.Context, f io.ReadSeeker, c *Container, progress func(bytes int64),
	line func(*Line) error) error {
	m, _, err := pass(ctx, f, c, progress)
	defer func() { _ = m.Close() }() // its content is not needed any more
	if err != nil {
		return err
	}
	c.Left, c.Version = m.Left(), Full
	return m.Each(func(l *cdxj.Line) error {
		if l.Segment == 0 {
			return line(lineOfPass(l))
		}
		if l.Segment == 1 {
			c.left(LeftSegment, 1) // other containers may have the rest
		}
		return nil
	})
}

// seeking is a seekable file that counts the bytes read from it.
type seeking struct {
	*disk.Counted
	io.Seeker
}

// lineOfPass converts a capture to an index line. Virus findings are in the METS only.
func lineOfPass(l *cdxj.Line) *Line {
	return &Line{
		Capture: Capture{
			Key: l.Key, Timestamp: l.Timestamp, URL: l.URL, Method: l.Method, Type: l.Type, MIME: l.MIME,
			Status: l.Status, Digest: l.Digest,
			Location: l.Location, Length: l.Size, Truncated: l.Truncated != "", TruncatedBy: l.Truncated, ID: l.ID,
			Date: l.Date, Coding: l.Coding,
			Chunked: l.Chunked, Flaw: l.Flaw, Unlisted: l.Unlisted, Digests: l.Digests, Size: l.Length,
			Record: Place{Order: l.Order, Offset: l.Offset, Stored: l.Stored, Inflated: l.Inflated, Head: l.Head,
				Body: l.Body, SHA256: l.SHA256},
		},
		RefersToURI: l.RefersToURI, RefersToDate: l.RefersToDate,
	}
}
