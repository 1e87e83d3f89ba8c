package wacz

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"quire/format/fault"
)

// Files gives access to the files of a WACZ, whatever the storage.
type Files struct {
	List []Entry
	Open func(path string) (io.ReadCloser, error)
}

// Entry is one file.
type Entry struct {
	Path string
	Size int64 // bytes
}

func (f *Files) has(p string) bool {
	for i := range f.List {
		if f.List[i].Path == p {
			return true
		}
	}
	return false
}

// Options are the options of a check. The zero value compares all hashes and trusts no
// certificates.
type Options struct {
	Roots          *x509.CertPool // trusted roots for domain certificates; may be nil
	TimestampRoots *x509.CertPool // trusted roots for time stamps; may be nil
	SkipContent    bool           // do not read the resources
	Report         fault.Sink     // receives breaches of the specification
}

// Check reads the description that a package contains, and compares it with the files. It returns
// an error only from ctx, or if a file exists but cannot be opened.
func Check(ctx context.Context, files Files, o Options) (*Checked, error) {
	k := &checking{ctx: ctx, files: files, o: o, c: &Checked{}}
	for _, step := range []func() error{k.readPackage, k.layout, k.resources, k.readDigest} {
		if err := errors.Join(ctx.Err(), step()); err != nil {
			return nil, err
		}
	}
	if d := k.c.Digest; d != nil && d.Signed != nil {
		k.c.verify(d, o)
	}
	return k.c, nil
}

type checking struct {
	ctx   context.Context
	files Files
	o     Options
	c     *Checked
	sum   string // SHA-256 of datapackage.json
}

func (k *checking) fault(code fault.Code, format string, args ...any) {
	k.o.Report.Add(fault.Fault{Code: code, Detail: fmt.Sprintf(format, args...)})
}

func (k *checking) readPackage() error {
	f, err := k.files.Open(PackageName)
	if errors.Is(err, fs.ErrNotExist) {
		k.fault(FaultNoPackage, "%s is missing", PackageName)
		return nil
	}
	if err != nil {
		return err
	}
	h := sha256.New()
	p, err := ReadPackage(io.TeeReader(f, h))
	if err = errors.Join(err, f.Close()); err != nil {
		k.fault(FaultPackage, "%s: %v", PackageName, err)
	}
	k.c.Package, k.sum = p, hex.EncodeToString(h.Sum(nil))
	if p == nil {
		return nil
	}
	switch p.Profile {
	case ProfilePackage, ProfileWACZ, ProfileMulti, ProfileMultiWrote:
	case "":
		k.fault(FaultProfile, "%s has no profile", PackageName)
	default:
		k.fault(FaultProfile, "the profile %q is not a WACZ profile", p.Profile)
	}
	return nil
}

// layout checks that the required parts exist: pages, index, containers. A package of packages
// needs none.
func (k *checking) layout() error {
	if p := k.c.Package; p == nil || p.Multi() {
		return nil
	}
	if !k.files.has(PagesName) {
		k.fault(FaultNoPages, "%s is missing", PagesName)
	}
	index, container := false, false
	for _, e := range k.files.List {
		index = index || IsIndex(e.Path)
		container = container || IsContainer(e.Path)
	}
	if !index {
		k.fault(FaultNoIndex, "the index is missing")
	}
	if !container {
		k.fault(FaultNoContainer, "archive has no WARC file")
	}
	return nil
}

func (k *checking) readDigest() error {
	f, err := k.files.Open(DigestName)
	if errors.Is(err, fs.ErrNotExist) {
		k.c.add(StepDigest, NotChecked, "there is no %s", DigestName)
		return nil
	}
	if err != nil {
		return err
	}
	d, err := ReadDigest(f)
	k.c.Digest = d
	if err = errors.Join(err, f.Close()); err != nil {
		k.fault(FaultDigest, "%s: %v", DigestName, err)
	}
	if d == nil {
		k.c.add(StepDigest, NotChecked, "%s cannot be read", DigestName)
		return nil
	}
	switch {
	case k.sum == "":
		k.c.add(StepDigest, NotChecked, "there is no %s", PackageName)
	case d.Hash.Algorithm != "sha256":
		k.fault(FaultDigest, "the hash is not a SHA-256: %q", d.Hash.String())
		k.c.add(StepDigest, NotChecked, "the hash is none of SHA-256")
	case !k.c.verdict(StepDigest, d.Hash.Hex == k.sum, "%s has the SHA-256 %s, and %s says %s", PackageName, k.sum,
		DigestName, d.Hash.Hex):
		k.fault(FaultDigestHash, "%s has the SHA-256 %s, but should have %s", PackageName, k.sum, d.Hash.Hex)
	}
	return nil
}
