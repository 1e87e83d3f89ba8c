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

// Files is what a WACZ holds, whatever it lies in.
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

// Options of a check. The zero value compares all hashes, and trusts nobody.
type Options struct {
	Roots          *x509.CertPool // that certificates of domains must lead to; nil when none are given
	TimestampRoots *x509.CertPool // that certificates of time stamps must lead to; nil when none are given
	SkipContent    bool           // do not read the resources
	Report         fault.Sink     // told of what the specification does not allow
}

// Check reads what a package says of itself and compares it with what is there. The error is that
// of ctx, or of a file that cannot be opened for another reason than that it is not there.
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
		k.fault(FaultNoPackage, "there is no %s", PackageName)
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
		k.fault(FaultProfile, "the profile %q is none of a WACZ", p.Profile)
	}
	return nil
}

// layout sees whether there is what must be: pages, index, containers. Of a package of packages
// nothing is asked.
func (k *checking) layout() error {
	if p := k.c.Package; p == nil || p.Multi() {
		return nil
	}
	if !k.files.has(PagesName) {
		k.fault(FaultNoPages, "there is no %s", PagesName)
	}
	index, container := false, false
	for _, e := range k.files.List {
		index = index || IsIndex(e.Path)
		container = container || IsContainer(e.Path)
	}
	if !index {
		k.fault(FaultNoIndex, "there is no index")
	}
	if !container {
		k.fault(FaultNoContainer, "there is no WARC in archive")
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
		k.fault(FaultDigest, "the hash is none of SHA-256: %q", d.Hash.String())
		k.c.add(StepDigest, NotChecked, "the hash is none of SHA-256")
	case !k.c.verdict(StepDigest, d.Hash.Hex == k.sum, "%s has the SHA-256 %s, and %s says %s", PackageName, k.sum,
		DigestName, d.Hash.Hex):
		k.fault(FaultDigestHash, "%s has the SHA-256 %s, and should have %s", PackageName, k.sum, d.Hash.Hex)
	}
	return nil
}
