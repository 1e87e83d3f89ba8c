package bagit

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"

	"quire/internal/extsort"
)

// Options are the options of Validate. The zero value is valid.
type Options struct {
	Temp     string            // folder for sorting; "" is the system's temporary folder
	Progress func(bytes int64) // receives the bytes read; may be nil
}

// Validate checks a bag. The report holds the errors and warnings. The error means that the bag
// could not be read, or that ctx ended.
func Validate(ctx context.Context, fsys fs.FS, o Options) (*Report, error) {
	v := &validator{ctx: ctx, fsys: fsys, options: o, report: &Report{Findings: []Finding{}, Info: []Element{}},
		counts: map[Code]int{}}
	if _, err := fs.Stat(fsys, "."); err != nil {
		return nil, err
	}
	if !v.declaration() {
		return v.report, nil
	}
	v.sorter = extsort.New(extsort.Options{Dir: o.Temp})
	defer func() { _ = v.sorter.Close() }() // temporary files
	for _, step := range []func() error{v.root, v.payload, v.readManifests, v.compare} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	v.oxum()
	return v.report, nil
}

type validator struct {
	ctx       context.Context
	fsys      fs.FS
	options   Options
	report    *Report
	counts    map[Code]int
	old       bool // before 1.0
	encoding  encoding.Encoding
	manifests []manifest
	hasFetch  bool
	sorter    *extsort.Sorter // by path in NFC: manifests and digests that list it, and whether it exists
}

func (v *validator) fail(code Code, path, format string, args ...any) {
	v.addFinding(Finding{Code: code, Path: path, Message: fmt.Sprintf(format, args...)})
}

func (v *validator) warn(code Code, path, format string, args ...any) {
	v.addFinding(Finding{Code: code, Path: path, Message: fmt.Sprintf(format, args...), Warning: true})
}

func (v *validator) warnOrFail(warning bool, code Code, path, format string, args ...any) {
	v.addFinding(Finding{Code: code, Path: path, Message: fmt.Sprintf(format, args...), Warning: warning})
}

func (v *validator) addFinding(f Finding) {
	v.report.Total++
	if !f.Warning {
		v.report.Errors++
	}
	if v.counts[f.Code]++; v.counts[f.Code] <= MaxFindings {
		v.report.Findings = append(v.report.Findings, f)
	}
}

// root checks the tag files at the root.
func (v *validator) root() error {
	entries, err := fs.ReadDir(v.fsys, ".")
	if err != nil {
		return err
	}
	payload := false
	for _, e := range entries {
		if m, ok := manifestOf(e.Name()); ok && !e.IsDir() {
			if algorithms[m.algorithm] == nil {
				v.warn(CodeAlgorithm, m.name, "digests of %s are not supported and were not compared",
					m.algorithm)
				continue
			}
			v.manifests = append(v.manifests, m)
			payload = payload || !m.tags
		}
		v.hasFetch = v.hasFetch || e.Name() == FetchName
	}
	slices.SortFunc(v.manifests, func(a, b manifest) int { return cmp.Compare(a.name, b.name) })
	if !payload {
		v.fail(CodeNoManifest, "", "no manifest-ALGORITHM.txt has a supported algorithm")
	}
	for _, name := range []string{InfoName, oldInfoName} {
		if i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name }); i >= 0 {
			return v.info(name)
		}
	}
	return nil
}

// payload lists the files in the bag: the payload and the tag files.
func (v *validator) payload() error {
	if info, err := fs.Stat(v.fsys, DataDir); err != nil || !info.IsDir() {
		v.fail(CodeNoData, DataDir, "the folder %s is missing", DataDir)
	}
	return fs.WalkDir(v.fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		if err != nil {
			v.fail(CodeUnreadable, p, "%v", err)
			return nil
		}
		if d.IsDir() {
			return nil
		}
		if strings.HasPrefix(p, DataDir+"/") {
			if info, err := fs.Stat(v.fsys, p); err == nil {
				v.report.Files++
				v.report.Bytes += info.Size()
			}
			if isSystemFile(p) {
				v.warn(CodeSystemFile, p, "an operating system created it")
			}
		}
		return v.add(p, "there")
	})
}

// readManifests reads the manifests and fetch.txt.
func (v *validator) readManifests() error {
	for n := range v.manifests {
		if err := v.list(n); err != nil {
			return err
		}
	}
	if v.hasFetch {
		return v.fetch()
	}
	return nil
}

// oxum compares Payload-Oxum.
func (v *validator) oxum() {
	for _, e := range v.report.Info {
		if !strings.EqualFold(e.Label, "Payload-Oxum") {
			continue
		}
		if have := Oxum(v.report.Bytes, v.report.Files); e.Value != have {
			v.fail(CodeOxum, "", "Payload-Oxum is %.60s, the payload has %s", e.Value, have)
		}
	}
}

// statements holds the statements about one path.
type statements struct {
	there, fetch bool
	sums         map[int][]string // by manifest
	spellings    []string         // as listed
	spelling     string           // as on the disk
}

// compare checks every path against the statements about it.
func (v *validator) compare() error {
	var last string
	var at *statements
	settle := func() error {
		if at == nil {
			return nil
		}
		return v.checkPath(at)
	}
	err := v.sorter.Each(func(key, value []byte) error {
		if name := string(key); at == nil || name != last {
			if err := settle(); err != nil {
				return err
			}
			last, at = name, &statements{sums: map[int][]string{}}
		}
		what, spelling, _ := strings.Cut(string(value), "\x00")
		switch number, sum, listed := strings.Cut(what, " "); {
		case listed:
			n, err := strconv.Atoi(number)
			if err != nil {
				return err
			}
			at.sums[n] = append(at.sums[n], sum)
			at.spellings = append(at.spellings, spelling)
		case what == "there" && at.there:
			v.warn(CodeNormalization, spelling, "another file's name differs only in its Unicode form")
		case what == "there":
			at.there, at.spelling = true, spelling
		default:
			at.fetch = true
			at.spellings = append(at.spellings, spelling)
		}
		return v.ctx.Err()
	})
	return errors.Join(err, settle())
}

// checkPath checks one path.
func (v *validator) checkPath(at *statements) error {
	name := at.spelling
	if !at.there {
		name = at.spellings[0]
	}
	for _, s := range at.spellings {
		if at.there && s != at.spelling {
			v.warn(CodeNormalization, name, "it is listed as %q, another Unicode form of the same name", s)
			break
		}
	}
	payload := strings.HasPrefix(name, DataDir+"/")
	for n, sums := range at.sums {
		if len(sums) == 1 {
			continue
		}
		same := len(slices.Compact(slices.Clone(sums))) == 1
		v.warnOrFail(v.old && same, CodeTwice, name, "%s lists it %d times", v.manifests[n].name, len(sums))
	}
	if payload {
		v.unlisted(at, name)
	}
	if !at.there {
		if at.fetch {
			v.fail(CodeFetch, name, "it must be fetched first: see fetch.txt")
		} else {
			v.fail(CodeMissing, name, "it is listed, but missing")
		}
		return nil
	}
	return v.digest(at, name)
}

// unlisted reports the manifests that lack a payload file. Before version 1.0, one manifest was
// enough.
func (v *validator) unlisted(at *statements, name string) {
	listed := 0
	var lacks []string
	for n, m := range v.manifests {
		switch {
		case m.tags:
		case at.sums[n] == nil:
			lacks = append(lacks, m.name)
		default:
			listed++
		}
	}
	if len(lacks) > 0 {
		v.warnOrFail(v.old && listed > 0, CodeUnlisted, name, "%s does not list it", strings.Join(lacks, ", "))
	}
}

// digest reads a file and compares all its listed digests.
func (v *validator) digest(at *statements, name string) error {
	if len(at.sums) == 0 {
		return nil
	}
	f, err := openRegular(v.fsys, name)
	if err != nil {
		v.fail(CodeUnreadable, name, "%v", err)
		return nil
	}
	defer f.Close()
	hashes := map[string]hash.Hash{}
	var writers []io.Writer
	for n := range at.sums {
		if a := v.manifests[n].algorithm; hashes[a] == nil {
			hashes[a] = algorithms[a]()
			writers = append(writers, hashes[a])
		}
	}
	if _, err := io.Copy(io.MultiWriter(writers...), &contextReader{v, f}); err != nil {
		if v.ctx.Err() != nil {
			return v.ctx.Err()
		}
		v.fail(CodeUnreadable, name, "%v", err)
		return nil
	}
	for n := range v.manifests {
		for _, want := range at.sums[n] {
			if got := hex.EncodeToString(hashes[v.manifests[n].algorithm].Sum(nil)); got != want {
				v.fail(CodeDigest, name, "its %s differs from %s: it is %s, not %s", v.manifests[n].algorithm,
					v.manifests[n].name, got, want)
			}
		}
	}
	return nil
}

// contextReader is a file that can be read until ctx ends.
type contextReader struct {
	v    *validator
	from io.Reader
}

// Read implements io.Reader.
func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.v.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.from.Read(p)
	if c.v.options.Progress != nil {
		c.v.options.Progress(int64(n))
	}
	return n, err
}
