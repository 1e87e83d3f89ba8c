package dedup

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/format/warc"
	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/inspect"
	"quire/source/records"
)

// TestSamples deduplicates every WARC among the shared samples against a file with all its
// payloads, captured long before, and restores it. The restored file must equal the original,
// inflated, byte for byte.
func TestSamples(t *testing.T) {
	replaced, files := int64(0), 0
	left := map[Reason]int64{}
	for _, name := range samples(t, "WARC") {
		t.Run(name, func(t *testing.T) {
			r := thereAndBack(t, testsamples.Path(t, "samples", name))
			replaced += r.Replaced
			files++
			for why, n := range r.Left {
				left[why] += n
			}
		})
	}
	t.Logf("%d records of %d files became revisits; left: %v", replaced, files, left)
	if !testing.Short() && (replaced < 1000 || files < 200) {
		t.Errorf("%d records of %d files became revisits", replaced, files)
	}
}

// fewer is the number of samples for each one tested with -short, because the race detector makes
// each several times slower.
const fewer = 12

// samples returns the containers among the shared samples of the given formats, or of all.
func samples(t *testing.T, formats ...string) (names []string) {
	list, err := os.Open(testsamples.Path(t, "samples", "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	lines := bufio.NewScanner(list)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, _, _ := strings.Cut(lines.Text(), "\t")
		path := filepath.Join(testsamples.Dir(), "samples", name)
		if is, err := inspect.IsContainer(path); err != nil || !is {
			continue
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		kind, _, _ := inspect.Kind(name, f)
		f.Close()
		if kind != "" && (len(formats) == 0 || slices.Contains(formats, kind)) {
			names = append(names, name)
		}
	}
	if testing.Short() {
		var some []string
		for i := 0; i < len(names); i += fewer {
			some = append(some, names[i])
		}
		return some
	}
	return names
}

// thereAndBack deduplicates and restores one file, and checks all general requirements.
func thereAndBack(t *testing.T, source string) *Report {
	t.Helper()
	stored := filepath.Join(t.TempDir(), "stored.warc")
	recaptured(t, source, stored, "1990-01-01T00:00:00Z")
	o := options(t, stored)
	r := run(t, source, o)
	made := filepath.Join(o.Out, filepath.Base(source))
	again := options(t, stored)
	run(t, source, again)
	if !same(t, made, filepath.Join(again.Out, filepath.Base(source))) {
		t.Error("other bytes when it is run again")
	}
	twice := options(t, stored)
	if r := run(t, made, twice); r.Replaced != 0 || !same(t, made, filepath.Join(twice.Out, filepath.Base(source))) {
		t.Errorf("a second deduplication replaces more: %d", r.Replaced)
	}
	back := options(t, stored)
	u := undo(t, o.Out, back)
	if u.Replaced != r.Replaced || u.LostAll != 0 {
		t.Errorf("%d records replaced, %d brought back, lost %v", r.Replaced, u.Replaced, u.Lost)
	}
	if was, is := inflated(t, source),
		inflated(t, filepath.Join(back.Out, filepath.Base(source))); !bytes.Equal(was, is) {
		t.Errorf("it comes back otherwise: %d bytes, %d before", len(is), len(was))
	}
	noWorse(t, source, made)
	return r
}

// noWorse inspects both files: the result has no error that the source lacks.
func noWorse(t *testing.T, source, made string) {
	t.Helper()
	before, err := inspect.File(context.Background(), source, inspect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	worse := func(f model.Finding) {
		if before.FindingCounts[f.Code] == 0 && f.Severity != model.Info {
			t.Errorf("new in the result: %v", f)
		}
	}
	if _, err := inspect.File(context.Background(), made, inspect.Options{Finding: worse}); err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(x, y)
}

// recaptured writes the responses and resources of a container with another capture date.
func recaptured(t *testing.T, source, dest, date string) {
	t.Helper()
	f, err := os.Open(source)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b bytes.Buffer
	w, err := warc.NewWriter(&b, warc.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := records.NewReader(f, nil)
	for n := 0; ; n++ {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) || errors.Is(err, records.ErrNotContainer) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		kind := strings.ToLower(rec.Type)
		if kind != warc.TypeResponse && kind != warc.TypeResource {
			continue
		}
		fields := []warc.NameValue{
			{Name: warc.FieldType, Value: kind},
			{Name: warc.FieldRecordID, Value: fmt.Sprintf("<urn:x-recaptured:%d>", n)},
			{Name: warc.FieldDate, Value: date},
			{Name: warc.FieldTargetURI, Value: fmt.Sprintf("http://recaptured.org/%d", n)},
		}
		switch {
		case rec.ARC != nil && kind == warc.TypeResponse:
			fields = append(fields, warc.NameValue{Name: warc.FieldContentType, Value: "application/http"})
		case rec.WARC != nil && rec.ContentType != "":
			fields = append(fields, warc.NameValue{Name: warc.FieldContentType, Value: rec.ContentType})
		}
		block, _ := io.ReadAll(rec) // of a broken record, the readable part
		if _, _, err := w.WriteBytes(fields, block); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dest, b.Bytes())
}

// TestAgainstSamples deduplicates a WARC against every container among the samples that has its
// payloads, and restores it from there: from ARC files, shared members, and frames with a
// dictionary.
func TestAgainstSamples(t *testing.T) {
	var o Options
	total, files := int64(0), 0
	for _, name := range samples(t) {
		t.Run(name, func(t *testing.T) {
			sample := testsamples.Path(t, "samples", name)
			source := filepath.Join(t.TempDir(), "new.warc")
			recaptured(t, sample, source, "2099-01-01T00:00:00Z")
			if info, err := os.Stat(source); err != nil || info.Size() == 0 {
				t.Skip("it has no content")
			}
			o = options(t, sample)
			r := run(t, source, o)
			back := options(t, sample)
			u := undo(t, o.Out, back)
			if u.Replaced != r.Replaced || u.LostAll != 0 {
				t.Errorf("%d records replaced, %d brought back, lost %v", r.Replaced, u.Replaced, u.Lost)
			}
			if !same(t, source, filepath.Join(back.Out, "new.warc")) {
				t.Error("it comes back otherwise")
			}
			total += r.Replaced
			files++
		})
	}
	t.Logf("%d records have their originals in %d files", total, files)
	if !testing.Short() && (total < 1000 || files < 250) {
		t.Errorf("%d records of %d files", total, files)
	}
}
