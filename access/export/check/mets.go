package check

import (
	"bufio"
	"crypto/md5"  //nolint:gosec // what packages state
	"crypto/sha1" //nolint:gosec // what packages state
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"io"
	"os"
	"path"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/model"
)

// Codes of findings about METS and its files.
const (
	CodeMETS     = "EXPORT-METS"     // a METS document cannot be read, or violates its schema
	CodeMissing  = "EXPORT-MISSING"  // a listed file is missing
	CodeSize     = "EXPORT-SIZE"     // the size of a file differs from METS
	CodeDigest   = "EXPORT-DIGEST"   // the digest of a file differs from METS
	CodeUnlisted = "EXPORT-UNLISTED" // a file is present, but not listed
	CodePath     = "EXPORT-PATH"     // a name leads outside the package
)

// maxMETS is the maximum number of linked METS documents in one package.
const maxMETS = 1000

// metsPackage checks a package of METS documents and the files that they name.
type metsPackage struct {
	*checking
	named   map[string]bool // paths in the tree
	queue   []string        // METS documents to read, at most maxMETS and one
	queued  map[string]bool
	sums    map[string]string // computed digests, by path and algorithm
	digests int64
	without int64 // files without a digest of a known algorithm
	away    int64 // locations outside the package
}

// mets checks a package: each file named in METS must exist and match its description, and no
// others may exist.
func (c *checking) mets(root string) error {
	p := &metsPackage{checking: c, named: map[string]bool{root: true}, queue: []string{root},
		queued: map[string]bool{root: true}, sums: map[string]string{}}
	for n := 0; n < len(p.queue); n++ {
		if n >= maxMETS {
			c.find(model.Error, CodeMETS, "", "more than %d linked METS documents", maxMETS)
			break
		}
		if err := p.document(p.queue[n]); err != nil {
			return err
		}
	}
	for _, f := range c.inside() {
		if !p.named[c.path(f)] {
			c.find(model.Warning, CodeUnlisted, f, "not listed in any METS document")
		}
	}
	c.passed("METS", p.before(CodeMETS), "%d documents, checked against the schema as far as streaming allows",
		len(p.queue))
	c.passed("files", p.before(CodeMissing, CodeSize, CodeDigest, CodePath),
		"%d files compared with their stated digests; %d without one; %d external locations not checked",
		p.digests, p.without, p.away)
	return nil
}

// before returns the argument for passed: it shows whether one of these codes was found.
func (c *checking) before(codes ...string) int64 {
	for _, f := range c.report.Findings {
		for _, code := range codes {
			if f.Code == code && f.Severity == model.Error {
				return -1
			}
		}
	}
	return c.errors
}

// lone checks one document without its files.
func (c *checking) lone(at string) error {
	f, err := os.Open(at)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	info, err := f.Stat()
	if err != nil {
		return err
	}
	c.report.Files, c.report.Bytes = 1, info.Size()
	places := 0
	err = mets.Read(bufio.NewReader(&reader{c, f}), mets.Handler{
		Root:    func(r mets.Root) error { c.report.ID = r.ObjID; return nil },
		File:    func(f mets.File, _ mets.FilePlace) error { places += len(f.Locations); return c.ctx.Err() },
		Problem: c.problem(path.Base(at)),
	})
	if err = c.broken(path.Base(at), err); err != nil {
		return err
	}
	c.passed("METS", c.before(CodeMETS), "%d file locations, not checked", places)
	return nil
}

func (c *checking) problem(name string) func(mets.Problem) {
	return func(p mets.Problem) { c.find(model.Error, CodeMETS, name, "%v", p) }
}

// broken turns a read error into a finding, unless the check was cancelled.
func (c *checking) broken(name string, err error) error {
	if err == nil || c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	c.find(model.Error, CodeMETS, name, "%v", err)
	return nil
}

// document reads one METS document.
func (p *metsPackage) document(name string) error {
	in, err := p.tree.Open(name)
	if err != nil {
		p.find(model.Error, CodeMissing, p.shown(name), "cannot be opened: %v", err)
		return nil
	}
	defer func() { _ = in.Close() }() // only read
	base := path.Dir(name)
	err = mets.Read(bufio.NewReader(in), mets.Handler{
		Root: func(r mets.Root) error {
			if p.report.ID == "" {
				p.report.ID = r.ObjID
			}
			return nil
		},
		Section: func(s mets.Section, _ *xmlstream.Reader) error {
			if s.Ref == nil {
				return nil
			}
			_, err := p.file(base, s.Ref.Location, s.Ref.FileCore)
			return err
		},
		File: func(f mets.File, _ mets.FilePlace) error {
			for _, l := range f.Locations {
				if _, err := p.file(base, l.Location, f.FileCore); err != nil {
					return err
				}
			}
			return p.ctx.Err()
		},
		Mptr: func(m mets.Mptr) error {
			to, err := p.file(base, m.Location, mets.FileCore{})
			if to != "" && !p.queued[to] && len(p.queue) <= maxMETS {
				p.queued[to] = true
				p.queue = append(p.queue, to)
			}
			return err
		},
		Problem: p.problem(p.shown(name)),
	})
	return p.broken(p.shown(name), err)
}

// shown returns a path of the tree in the form of findings.
func (p *metsPackage) shown(name string) string {
	if p.root == "." {
		return name
	}
	return strings.TrimPrefix(name, p.root+"/")
}

// file compares one file with its description in one location: others may differ. It returns the
// file's path if that is in the package.
func (p *metsPackage) file(base string, l mets.Location, said mets.FileCore) (string, error) {
	rel, ok := inPackage(l)
	if !ok {
		p.away++
		return "", nil
	}
	name := path.Join(base, rel)
	if p.root != "." && !strings.HasPrefix(name, p.root+"/") || name == ".." || strings.HasPrefix(name, "../") ||
		path.IsAbs(rel) {
		p.find(model.Error, CodePath, rel, "the name leads out of the package")
		return "", nil
	}
	first := !p.named[name]
	p.named[name] = true
	f := p.tree.Find(name)
	if f == nil {
		p.find(model.Error, CodeMissing, p.shown(name), "listed in METS, but missing")
		return "", nil
	}
	if size, ok := said.Size.Get(); ok && size != f.Size {
		p.find(model.Error, CodeSize, p.shown(name), "has %d bytes; METS states %d", f.Size, size)
	}
	sum := hashOf(said.ChecksumType)
	if said.Checksum == "" || sum == nil {
		if first {
			p.without++
		}
		return name, nil
	}
	key := said.ChecksumType + " " + name
	got, known := p.sums[key]
	var err error
	if !known {
		p.digests++
		if got, err = p.digest(name, sum); err == nil {
			p.sums[key] = got
		}
	}
	if err == nil && !strings.EqualFold(got, said.Checksum) {
		p.find(model.Error, CodeDigest, p.shown(name), "its %s is %s; METS states %.130s", said.ChecksumType, got,
			said.Checksum)
	}
	return name, err
}

// inPackage returns the path of a location; ok is false for locations outside the package: on the
// web, or on another machine.
func inPackage(l mets.Location) (string, bool) {
	rel, err := mets.Path(l.Href)
	return rel, err == nil && l.LocType == "URL"
}

// digest returns the digest of a file; if the file cannot be read, it reports a finding.
func (c *checking) digest(name string, sum hash.Hash) (string, error) {
	in, err := c.tree.Open(name)
	if err == nil {
		_, err = io.Copy(sum, &reader{c, in})
		_ = in.Close() // only read
	}
	if c.ctx.Err() != nil {
		return "", c.ctx.Err()
	}
	if err != nil {
		c.find(model.Error, CodeMissing, name, "cannot be read: %v", err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// hashOf returns the hash of a METS checksum type; nil if it is not supported.
func hashOf(kind string) hash.Hash {
	switch kind {
	case "SHA-256":
		return sha256.New()
	case "SHA-512":
		return sha512.New()
	case "SHA-384":
		return sha512.New384()
	case "SHA-1":
		return sha1.New() //nolint:gosec // what packages state
	case "MD5":
		return md5.New() //nolint:gosec // what packages state
	}
	return nil
}
