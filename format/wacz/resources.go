package wacz

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// resources compares each file with its description.
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

// tally counts the results for the resources.
type tally struct {
	compared, wrong, missing, skipped, elsewhere, unlisted int
}

func (t *tally) step(all int) Step {
	s := Step{StepResources, Pass, fmt.Sprintf("%d of %d resources compared with their hashes", t.compared, all)}
	for _, part := range []struct {
		n    int
		what string
	}{{t.wrong, "differ"}, {t.missing, "are not there"}, {t.skipped, "were not compared"},
		{t.elsewhere, "lie elsewhere"}, {t.unlisted, "more files are not listed"}} {
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
	if strings.Contains(r.Path, "://") { // in a package of packages on the web
		t.elsewhere++
		return nil
	}
	if r.Path == "" {
		t.skipped++
		k.fault(FaultResource, "a resource has no path")
		return nil
	}
	if r.Hash.Stated != "" && r.Hash.Stated != r.Hash.Algorithm {
		k.fault(FaultResource, "the hash of %s is labelled %s, but has the length of %s", r.Path, r.Hash.Stated,
			r.Hash.Algorithm)
	}
	f, err := k.files.Open(r.Path)
	if errors.Is(err, fs.ErrNotExist) {
		t.missing++
		k.fault(FaultMissing, "%s is listed but missing", r.Path)
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
			k.fault(FaultResource, "%s has no hash of a known kind: %q", r.Path, r.Hash.String())
		}
		return nil
	}
	n, err := io.Copy(h, &contextReader{k.ctx, f})
	if err != nil {
		if k.ctx.Err() != nil {
			return k.ctx.Err()
		}
		t.wrong++
		k.fault(FaultUnreadable, "%s cannot be read after %d bytes: %v", r.Path, n, err)
		return nil
	}
	t.compared++
	wrong := false
	if got := hex.EncodeToString(h.Sum(nil)); got != r.Hash.Hex {
		wrong = true
		k.fault(FaultHash, "%s has the %s %s, but should have %s", r.Path, r.Hash.Algorithm, got, r.Hash.Hex)
	}
	if r.Bytes >= 0 && r.Bytes != n {
		if r.Bytes != 0 { // py-wacz before 0.2 wrote 0
			wrong = true
		}
		k.fault(FaultSize, "%s has %d bytes, but should have %d", r.Path, n, r.Bytes)
	}
	if wrong {
		t.wrong++
	}
	return nil
}

// contextReader stops reading when its context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (o *contextReader) Read(p []byte) (int, error) {
	if err := o.ctx.Err(); err != nil {
		return 0, err
	}
	return o.r.Read(p)
}

// IsIndex reports whether a file is an index, by its place and name: index.cdx, index.cdxj,
// index.cdx.gz, index.idx.
func IsIndex(p string) bool {
	name := strings.TrimSuffix(strings.ToLower(path.Base(p)), ".gz")
	return strings.HasSuffix(name, ".cdx") || strings.HasSuffix(name, ".cdxj") || strings.HasSuffix(name, ".idx")
}

// IsContainer reports whether a file is a WARC, by its name.
func IsContainer(p string) bool {
	name := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(path.Base(p)), ".gz"), ".zst")
	return strings.HasSuffix(name, ".warc") || strings.HasSuffix(name, ".arc")
}
