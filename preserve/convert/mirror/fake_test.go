package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"quire/format/warc"
	"quire/model"
	"quire/preserve/convert/relink"
	"quire/preserve/inspect"
	"quire/source"
)

var (
	then    = time.Date(2003, 4, 3, 14, 0, 5, 0, time.UTC)
	options = Options{Name: "m", Software: "Quire/test", Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		turn: fakeTurn}
)

// fake is an artificial mirror for cases that HTTrack does not produce.
type fake struct {
	about     model.Harvest
	resources []source.Resource
	artefacts []model.SourceFile
	style     source.Style
	broken    error // error at the end of the resources
}

func (f *fake) About() *model.Harvest { return &f.about }
func (f *fake) Fetches(context.Context, func(model.Finding)) iter.Seq2[model.Fetch, error] {
	return func(func(model.Fetch, error) bool) {}
}
func (f *fake) Artefacts() []model.SourceFile { return f.artefacts }
func (f *fake) Style() source.Style           { return f.style }
func (f *fake) Resources(context.Context, func(model.Finding)) iter.Seq2[*source.Resource, error] {
	return func(yield func(*source.Resource, error) bool) {
		for i := range f.resources {
			if !yield(&f.resources[i], nil) {
				return
			}
		}
		if f.broken != nil {
			yield(nil, f.broken)
		}
	}
}

// mirrorOf makes a mirror of resources, with the files that they name.
func mirrorOf(resources ...source.Resource) *fake {
	f := &fake{resources: resources, style: source.StyleHTTrack}
	for _, r := range resources {
		if r.File != "" {
			f.about.Files = append(f.about.Files, model.SourceFile{Path: r.File, Size: r.Size, Role: model.RoleContent})
		}
	}
	return f
}

func body(s string) source.Body {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(s)), nil }
}

func head(s string) func() ([]byte, error) { return func() ([]byte, error) { return []byte(s), nil } }

var errTorn = errors.New("torn")

// torn is a body that ends with an error.
func torn(s string) source.Body {
	return func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader(s), iotest.ErrReader(errTorn))), nil
	}
}

// fakeTurn replaces "rel:PATH" with the URL of the file at that path, and fails on a page that
// requests it.
func fakeTurn(dst io.Writer, src io.Reader, p relink.Page) (relink.Result, error) {
	b, err := io.ReadAll(src)
	if err != nil {
		return relink.Result{}, err
	}
	if bytes.Contains(b, []byte("cannot")) {
		return relink.Result{}, errors.New("it cannot be turned")
	}
	t := relink.Result{}
	words := strings.Split(string(b), " ")
	for i, w := range words {
		path, ok := strings.CutPrefix(w, "rel:")
		if !ok {
			continue
		}
		if url, ok := p.Lookup(path); ok {
			words[i] = url
			t.Changed++
		} else {
			t.Unresolved++
		}
	}
	_, err = io.WriteString(dst, strings.Join(words, " "))
	return t, err
}

// written is one record of a WARC.
type written struct {
	fields map[string]string
	block  string
}

func readWARC(t testing.TB, file []byte) (records []written) {
	t.Helper()
	r := warc.NewReader(bytes.NewReader(file))
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return records
		}
		if err != nil {
			t.Fatal(err)
		}
		m := written{fields: map[string]string{}}
		for _, f := range rec.Fields() {
			m.fields[string(f.Name)] = string(f.Value)
		}
		block, err := io.ReadAll(rec)
		if err != nil {
			t.Fatal(err)
		}
		m.block = string(block)
		records = append(records, m)
	}
}

// result is the result of a conversion.
type result struct {
	report  *Report
	file    []byte
	records []written
	entries []Entry
	found   []model.Finding
}

// converted converts a mirror twice and checks all general requirements: the same bytes again, a
// valid WARC without a warning, and each file reported exactly once.
func converted(t testing.TB, m source.Mirror, o Options) result {
	t.Helper()
	var r result
	var out, again bytes.Buffer
	o.Tell = func(e Entry) error { r.entries = append(r.entries, e); return nil }
	o.Find = func(f model.Finding) { r.found = append(r.found, f) }
	var err error
	if r.report, err = Convert(context.Background(), m, &out, o); err != nil {
		t.Fatal(err)
	}
	o.Tell, o.Find = nil, nil
	if _, err := Convert(context.Background(), m, &again, o); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Errorf("other bytes when it is converted again; %v", err)
	}
	r.file = out.Bytes()
	r.records = readWARC(t, r.file)
	if r.report.WrittenSize != int64(out.Len()) || r.report.Records != int64(len(r.records)) {
		t.Errorf("%d bytes, %d records: %+v", out.Len(), len(r.records), r.report)
	}
	c, err := inspect.Reader(context.Background(), bytes.NewReader(r.file), inspect.Options{})
	if err != nil || c.Outcome != model.Valid {
		t.Errorf("%v, %v", c.Outcome, err)
	}
	for _, f := range c.Findings {
		if f.Severity != model.Info {
			t.Errorf("the WARC is not clean: %v", f)
		}
	}
	r.accounts(t, m.About().Files)
	return r
}

// accounts checks that each file is reported exactly once, and that the report includes all files
// in its counts.
func (r *result) accounts(t testing.TB, files []model.SourceFile) {
	t.Helper()
	told := map[string]int{}
	for _, e := range r.entries {
		if e.Kind == "file" {
			told[e.File]++
		}
	}
	for _, f := range files {
		if told[f.Path] != 1 {
			t.Errorf("%s is reported %d times", f.Path, told[f.Path])
		}
	}
	all := int64(0)
	for _, n := range r.report.Files {
		all += n
	}
	if len(told) != len(files) || all != int64(len(files)) {
		t.Errorf("%d files are reported and %d are counted, of %d", len(told), all, len(files))
	}
}

// brief describes a record in a line.
func (w *written) brief() string {
	s := w.fields["WARC-Type"] + " " + w.fields["WARC-Target-URI"] + " " + w.fields["Content-Type"]
	for _, name := range []string{FieldPart, FieldGrade, FieldHead, "WARC-Truncated"} {
		if v := w.fields[name]; v != "" {
			s += "; " + v
		}
	}
	return s
}

func (r *result) briefs() (all []string) {
	for _, w := range r.records[1:] {
		all = append(all, w.brief())
	}
	return all
}

func (r *result) fileEntry(path string) Entry {
	for _, e := range r.entries {
		if e.Kind == "file" && e.File == path {
			return e
		}
	}
	return Entry{Why: []string{fmt.Sprint("no entry of ", path)}}
}
