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
	"path"
	"strings"

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

// Checked is what a check found.
type Checked struct {
	Package *Package // nil when there is none, or none that can be read
	Digest  *Digest  // nil when there is none, or none that can be read
	Steps   []Step
}

// Verdict of a step.
type Verdict string

// The verdicts.
const (
	Pass       Verdict = "pass"
	Fail       Verdict = "fail"
	NotChecked Verdict = "not checked"
)

// Step is one thing that was checked, or could not be.
type Step struct {
	Name     StepName
	Verdict  Verdict
	Evidence string // what the verdict was concluded from
}

// StepName says what a step is about.
type StepName string

// The steps, in their order. Those on the signature are missing when there is none.
const (
	StepResources      StepName = "resources"          // every file has the hash and the size that datapackage.json states
	StepDigest         StepName = "digest"             // datapackage.json has the hash that datapackage-digest.json states
	StepSignedHash     StepName = "signed hash"        // that hash is what was signed
	StepSignature      StepName = "signature"          // the signature is of that hash, by the key or the certificate that is named
	StepDomain         StepName = "domain"             // the certificate is that of the domain
	StepValidity       StepName = "validity"           // the certificate counted when it was used
	StepChain          StepName = "chain"              // each certificate is signed by the next
	StepTrust          StepName = "trust"              // the chain leads to a root that is trusted
	StepTimestamp      StepName = "timestamp"          // the time stamp is signed by the certificate that is named
	StepStamped        StepName = "stamped signature"  // it is of this signature
	StepStampTime      StepName = "timestamp time"     // it was made within ten minutes of the time that is stated
	StepStampValidity  StepName = "timestamp validity" // its certificate is for time stamps, and counted then
	StepStampChain     StepName = "timestamp chain"    // each certificate is signed by the next
	StepStampTrust     StepName = "timestamp trust"    // the chain leads to a root that is trusted
	StepCrossSigned    StepName = "cross-signed"       // the second certificate is of the same key
	StepCrossSignTrust StepName = "cross-signed trust" // its chain leads to a root that is trusted
)

// Verdict sums up: it is Fail when a step failed, and Pass when those that make a chain of hashes from the signature, or from the
// digest when there is none, to the files passed.
func (c *Checked) Verdict() Verdict {
	passed := map[StepName]bool{}
	for _, s := range c.Steps {
		if s.Verdict == Fail {
			return Fail
		}
		passed[s.Name] = s.Verdict == Pass
	}
	if !passed[StepResources] || c.Digest != nil && !passed[StepDigest] || c.Digest != nil && c.Digest.Signed != nil && !passed[StepSignature] {
		return NotChecked
	}
	return Pass
}

// Step gives a step by its name, nil when it was not taken.
func (c *Checked) Step(name StepName) *Step {
	for i := range c.Steps {
		if c.Steps[i].Name == name {
			return &c.Steps[i]
		}
	}
	return nil
}

func (c *Checked) add(name StepName, v Verdict, format string, args ...any) {
	c.Steps = append(c.Steps, Step{name, v, fmt.Sprintf(format, args...)})
}

// verdict adds a step that passed or failed.
func (c *Checked) verdict(name StepName, ok bool, format string, args ...any) bool {
	v := Fail
	if ok {
		v = Pass
	}
	c.add(name, v, format, args...)
	return ok
}

// Check reads what a package says of itself and compares it with what is there. The error is that of ctx, or of a file that
// cannot be opened for another reason than that it is not there.
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

// layout sees whether there is what must be: pages, index, containers. Of a package of packages nothing is asked.
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

// IsIndex says whether a file is an index, by its place and name: index.cdx, index.cdxj, index.cdx.gz, index.idx.
func IsIndex(p string) bool {
	name := strings.TrimSuffix(strings.ToLower(path.Base(p)), ".gz")
	return strings.HasSuffix(name, ".cdx") || strings.HasSuffix(name, ".cdxj") || strings.HasSuffix(name, ".idx")
}

// IsContainer says whether a file is a WARC, by its name.
func IsContainer(p string) bool {
	name := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(path.Base(p)), ".gz"), ".zst")
	return strings.HasSuffix(name, ".warc") || strings.HasSuffix(name, ".arc")
}

// resources compares each file with what is stated of it.
func (k *checking) resources() error {
	p := k.c.Package
	if p == nil {
		k.c.add(StepResources, NotChecked, "there is no %s that could be read", PackageName)
		return nil
	}
	listed := map[string]bool{}
	var t tally
	for i := range p.Resources {
		r := &p.Resources[i]
		listed[r.Path] = true
		if err := k.resource(r, &t); err != nil {
			return err
		}
	}
	for _, e := range k.files.List {
		if !listed[e.Path] && e.Path != PackageName && e.Path != DigestName && !strings.HasSuffix(e.Path, "/") {
			t.unlisted++
			k.fault(FaultUnlisted, "%s is not listed in %s", e.Path, PackageName)
		}
	}
	k.c.Steps = append(k.c.Steps, t.step(len(p.Resources)))
	return nil
}

// tally counts what became of the resources.
type tally struct {
	compared, wrong, missing, skipped, elsewhere, unlisted int
}

func (t *tally) step(all int) Step {
	s := Step{StepResources, Pass, fmt.Sprintf("%d of %d resources compared with their hashes", t.compared, all)}
	for _, part := range []struct {
		n    int
		what string
	}{{t.wrong, "differ"}, {t.missing, "are not there"}, {t.skipped, "were not compared"}, {t.elsewhere, "lie elsewhere"}, {t.unlisted, "more files are not listed"}} {
		if part.n > 0 {
			s.Evidence += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	switch {
	case t.wrong+t.missing > 0:
		s.Verdict = Fail
	case t.skipped+t.elsewhere > 0 || all == 0:
		s.Verdict = NotChecked
	}
	return s
}

func (k *checking) resource(r *Resource, t *tally) error {
	if strings.Contains(r.Path, "://") { // of a package of packages on the web
		t.elsewhere++
		return nil
	}
	if r.Path == "" {
		t.skipped++
		k.fault(FaultResource, "a resource has no path")
		return nil
	}
	if r.Hash.Stated != "" && r.Hash.Stated != r.Hash.Algorithm {
		k.fault(FaultResource, "the hash of %s is said to be %s, and is as long as %s", r.Path, r.Hash.Stated, r.Hash.Algorithm)
	}
	f, err := k.files.Open(r.Path)
	if errors.Is(err, fs.ErrNotExist) {
		t.missing++
		k.fault(FaultMissing, "%s is listed and not there", r.Path)
		return nil
	}
	if err != nil {
		t.wrong++
		k.fault(FaultUnreadable, "%s: %v", r.Path, err)
		return k.ctx.Err()
	}
	return errors.Join(k.compare(r, f, t), f.Close())
}

func (k *checking) compare(r *Resource, f io.Reader, t *tally) error {
	h := r.Hash.new()
	if h == nil || k.o.SkipContent {
		t.skipped++
		if h == nil {
			k.fault(FaultResource, "%s has no hash of a kind that is known: %q", r.Path, r.Hash.String())
		}
		return nil
	}
	n, err := io.Copy(h, &obedient{k.ctx, f})
	if err != nil {
		if k.ctx.Err() != nil {
			return k.ctx.Err()
		}
		t.wrong++
		k.fault(FaultUnreadable, "%s cannot be read on after %d bytes: %v", r.Path, n, err)
		return nil
	}
	t.compared++
	wrong := false
	if got := hex.EncodeToString(h.Sum(nil)); got != r.Hash.Hex {
		wrong = true
		k.fault(FaultHash, "%s has the %s %s, and should have %s", r.Path, r.Hash.Algorithm, got, r.Hash.Hex)
	}
	if r.Bytes >= 0 && r.Bytes != n {
		if r.Bytes != 0 { // py-wacz before 0.2 wrote 0
			wrong = true
		}
		k.fault(FaultSize, "%s has %d bytes, and should have %d", r.Path, n, r.Bytes)
	}
	if wrong {
		t.wrong++
	}
	return nil
}

// obedient stops reading when it is told to.
type obedient struct {
	ctx context.Context
	r   io.Reader
}

func (o *obedient) Read(p []byte) (int, error) {
	if err := o.ctx.Err(); err != nil {
		return 0, err
	}
	return o.r.Read(p)
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
	case !k.c.verdict(StepDigest, d.Hash.Hex == k.sum, "%s has the SHA-256 %s, and %s says %s", PackageName, k.sum, DigestName, d.Hash.Hex):
		k.fault(FaultDigestHash, "%s has the SHA-256 %s, and should have %s", PackageName, k.sum, d.Hash.Hex)
	}
	return nil
}
