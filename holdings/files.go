package holdings

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"

	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/holdings/rights"
	"quire/preserve/aip"
	"quire/repository/stored"
)

// Opened is an open file of a package. Its SHA-512 is verified: a file of up to a MiB before any
// byte is returned, a longer one at its end, where the error occurs.
type Opened struct {
	File
	io.ReadCloser
}

// OpenFile opens a log, document or original of a package, if it is open to the reader. The error
// is a *[DeniedError] if it is closed, and [captures.ErrNotFound] if the file is missing, or the
// package is hidden from the reader. OpenFile does not open containers: their records are captures.
func (h *Holdings) OpenFile(ctx context.Context, who Reader, id, name string) (*Opened, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	j := h.judging()
	p, d := j.whole(&who, id)
	missing := fmt.Errorf("%s of package %s: %w", name, id, captures.ErrNotFound)
	if p == nil || p.isCollection || d.Hidden {
		return nil, missing
	}
	in, err := h.details(ctx, p)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // it is withheld, or has just become so
		_, d = j.whole(&who, id)
		return nil, &DeniedError{Decision: d}
	}
	for i := range in.Files {
		if in.Files[i].Path != name {
			continue
		}
		f := p.fileOf(&in.Files[i], j.files(&who, p), who.In(id))
		if f.Hidden {
			return nil, missing
		}
		if !f.Allowed {
			return nil, &DeniedError{Decision: f.Decision}
		}
		return h.openFile(ctx, p, f)
	}
	return nil, missing
}

// files decides access to the files of a package other than containers. Logs and documents contain
// URLs: if some of these are hidden, only curators have access.
func (j *judging) files(who *Reader, p *pkg) Decision {
	d := j.open(who, p)
	j.h.mu.RLock()
	defer j.h.mu.RUnlock()
	if _, closed := j.closed(p); closed || !j.hides(p) {
		return d
	}
	class := who.In(p.id)
	if d.Verdict.Strictness() < Restricted.Strictness() {
		d = Decision{Verdict: Restricted, Message: rights.RestrictedMessage,
			Why: "a rule hides something that may be in the package, and logs and documents may name it"}
	}
	d.Hidden = !class.May(d.Verdict) // only for originals: see fileOf
	d.Allowed = class.May(d.Verdict)
	return d
}

// open decides access to the files of a package, ignoring rules that hide URLs in them.
func (j *judging) open(who *Reader, p *pkg) Decision {
	j.h.mu.RLock()
	defer j.h.mu.RUnlock()
	d, closed := j.closed(p)
	if !closed {
		c := p.whole()
		d = j.Combine(p.zones.On("", 0, j.Today()), j.Ask(&c.Question))
		d.Allowed = who.In(p.id).May(d.Verdict)
	}
	return d
}

// fileOf returns a file as visible to a reader.
func (p *pkg) fileOf(f *facts.File, d Decision, class Class) File {
	why := ""
	switch {
	case d.Verdict.Strictness() >= Restricted.Strictness():
	case f.Restricted:
		why = "its METS closes it to the public: " + f.Why
	case f.Use == aip.UseDocuments && p.speaks(path.Base(f.Path)):
		why = "the rights file is for the institution: its public parts are shown with the package"
	}
	if why != "" {
		d = Decision{Verdict: Restricted, Message: rights.RestrictedMessage, Why: why, Hidden: d.Hidden}
	}
	d.Allowed = class.May(d.Verdict)
	// the paths of a mirror are URLs: they reveal hidden content
	d.Hidden = d.Hidden && !d.Allowed && f.Use == aip.UseOriginals
	return File{Path: f.Path, Use: f.Use, Type: f.Type, Size: f.Size, Harvest: f.Harvest, Decision: d.For(class)}
}

// openFile opens a file from the first intact copy.
func (h *Holdings) openFile(ctx context.Context, p *pkg, f File) (*Opened, error) {
	files, err := h.store.Contents(ctx, p.id)
	if err != nil {
		return nil, err
	}
	want, size := "", int64(0)
	for i := range files {
		if files[i].Path == f.Path {
			want, size = files[i].SHA512, files[i].Size
		}
	}
	if want == "" {
		return nil, fmt.Errorf("%s of package %s is not in the newest version: %w", f.Path, p.id,
			captures.ErrNotFound)
	}
	f.Size = size
	out := &Opened{File: f}
	err = h.copies.Read(ctx, stored.File{Package: p.id, Version: int(p.head), Path: f.Path}, f.Path, nil,
		func(from *os.File) error {
			in := newChecked(from, want)
			if out.ReadCloser = in; size > small {
				return nil
			}
			text, err := io.ReadAll(in)
			out.ReadCloser = io.NopCloser(bytes.NewReader(text))
			return errors.Join(err, in.Close())
		})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// checkedFile verifies its digest while being read.
type checkedFile struct {
	file *os.File
	sum  hash.Hash
	want string
}

func newChecked(file *os.File, want string) *checkedFile {
	return &checkedFile{file: file, sum: sha512.New(), want: want}
}

// Read implements io.Reader.
func (c *checkedFile) Read(p []byte) (int, error) {
	n, err := c.file.Read(p)
	c.sum.Write(p[:n]) // a hash never fails
	if errors.Is(err, io.EOF) && hex.EncodeToString(c.sum.Sum(nil)) != c.want {
		err = fmt.Errorf("%s %w (SHA-512)", c.file.Name(), stored.ErrOther)
	}
	return n, err
}

// Close implements io.Closer.
func (c *checkedFile) Close() error { return c.file.Close() }
