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
	"slices"
	"strings"

	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/holdings/rights"
	"quire/preserve/aip"
	"quire/preserve/statements"
	"quire/repository/stored"
)

// Opened is a file of a package that is open for reading. Its bytes are compared with their
// SHA-512: those of a file of up to a MiB before any of them is given, those of a longer one at its
// end, where the error comes.
type Opened struct {
	File
	io.ReadCloser
}

// OpenFile opens a log, a document or an original of a package, if the reader may have it. The
// error is a *[DeniedError] when he may not, and [captures.ErrNotFound] when there is no such file,
// or he cannot be told of the package. Containers are no such files: their records are captures.
func (h *Holdings) OpenFile(ctx context.Context, who Reader, id, name string) (*Opened, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	j := h.judging()
	p, d := j.whole(&who, id)
	missing := fmt.Errorf("%s of package %s: %w", name, id, captures.ErrNotFound)
	if p == nil || p.isCollection() || d.Hidden {
		return nil, missing
	}
	if p.trouble != nil {
		return nil, &DeniedError{Decision: d}
	}
	for i := range p.facts.Files {
		if p.facts.Files[i].Path != name {
			continue
		}
		f := p.fileOf(&p.facts.Files[i], j.files(&who, p), who.In(id))
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

// files judges the files of a package that are no containers. Logs and documents name URLs: where
// some of them are hidden, only curators have them.
func (j *judging) files(who *Reader, p *pkg) Decision {
	d := j.open(who, p)
	j.h.mu.RLock()
	defer j.h.mu.RUnlock()
	if _, closed := j.closed(p); closed || !j.hides(p) {
		return d
	}
	class := who.In(p.card.ID)
	if d.Verdict.Strictness() < Restricted.Strictness() {
		d = Decision{Verdict: Restricted, Message: rights.RestrictedMessage,
			Why: "a rule hides something that may be in the package, and logs and documents name it"}
	}
	d.Hidden = !class.May(d.Verdict) // of originals only: see fileOf
	d.Allowed = class.May(d.Verdict)
	return d
}

// open judges the files of a package without regard to what rules hide in them.
func (j *judging) open(who *Reader, p *pkg) Decision {
	j.h.mu.RLock()
	defer j.h.mu.RUnlock()
	d, closed := j.closed(p)
	if !closed {
		c := p.whole()
		d = j.Combine(p.zones.On("", 0, j.Today()), j.Ask(&c.Question))
		d.Allowed = who.In(p.card.ID).May(d.Verdict)
	}
	return d
}

// fileOf is what a reader gets of a file.
func (p *pkg) fileOf(f *facts.File, d Decision, class Class) File {
	why := ""
	switch {
	case d.Verdict.Strictness() >= Restricted.Strictness():
	case f.Restricted:
		why = "its METS says that it must not be shown to everyone: " + f.Why
	case f.Use == aip.UseDocuments && p.speaks(path.Base(f.Path)):
		why = "it is the file of rights, which is for the institution: what of it the public can be told is told " +
			"with the package"
	}
	if why != "" {
		d = Decision{Verdict: Restricted, Message: rights.RestrictedMessage, Why: why, Hidden: d.Hidden}
	}
	d.Allowed = class.May(d.Verdict)
	// the paths of a mirror are URLs: they name what is hidden
	d.Hidden = d.Hidden && !d.Allowed && f.Use == aip.UseOriginals
	return File{Path: f.Path, Use: f.Use, Type: f.Type, Size: f.Size, Harvest: f.Harvest, Decision: d.For(class)}
}

// speaks says whether statements of rights stand in the file of that name.
func (p *pkg) speaks(name string) bool {
	return slices.ContainsFunc(p.facts.Rights.Statements, func(s statements.Statement) bool {
		return strings.HasPrefix(s.Source, name+", line ")
	})
}

// openFile opens a file, from the first copy that has it as it was stored.
func (h *Holdings) openFile(ctx context.Context, p *pkg, f File) (*Opened, error) {
	files, err := h.store.Contents(ctx, p.card.ID)
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
		return nil, fmt.Errorf("%s of package %s is not in the newest version: %w", f.Path, p.card.ID,
			captures.ErrNotFound)
	}
	f.Size = size
	out := &Opened{File: f}
	err = h.copies.Read(ctx, stored.File{Package: p.card.ID, Version: p.card.Head, Path: f.Path}, f.Path, nil,
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

// checkedFile is digested while it is read.
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
