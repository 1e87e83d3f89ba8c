package convert

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/convert/arcwarc"
	"quire/preserve/inspect"
	"quire/source/detect"
)

const page = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello"

var (
	arcFile = "filedesc://a.arc 0.0.0.0 20040721232940 text/plain 77\n1 0 InternetArchive\n" +
		"URL IP-address Archive-date Content-type Archive-length\n\n" +
		fmt.Sprintf("http://a.example/ 10.0.0.1 20040721232941 text/html %d\n%s\n", len(page), page)
	warcFile = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:2>\r\nWARC-Date: " +
		"2012-12-19T19:48:39Z\r\n" +
		"WARC-Target-URI: http://a.example/x\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n"
)

// folder makes a source.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "crawl")
	for name, content := range files {
		p := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777),
			os.WriteFile(p, []byte(content), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func convertAll(t *testing.T, paths ...string) (out string, result *Result, account string, err error) {
	t.Helper()
	s, err := detect.Open(t.Context(), paths...)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var lines bytes.Buffer
	out = filepath.Join(t.TempDir(), "out")
	result, err = Run(t.Context(), s,
		Options{Out: out, Agent: model.Agent{Name: "Quire", Version: "1"}, Report: &lines})
	return out, result, lines.String(), err
}

// filesOf lists the files below a folder, with their content.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		name, _ := filepath.Rel(dir, p)
		files[name] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func namesOf(files map[string]string) string {
	var all []string
	for name := range files {
		all = append(all, name)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// Each file of a source is reported once, and an ARC becomes a WARC of the same name.
func TestEveryFileIsAccountedFor(t *testing.T) {
	dir := folder(t, map[string]string{"arcs/a.arc": arcFile, "arcs/A.ARC.gz": arcFile, "b.warc": warcFile,
		"empty.warc.gz": "", "note.txt": "?"})
	out, result, account, err := convertAll(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	made := filesOf(t, out)
	if got := namesOf(made); got != "arcs/A.warc.gz arcs/a-2.warc.gz b.warc" {
		t.Errorf("made %s", got)
	}
	if made["b.warc"] != warcFile {
		t.Error("a WARC is not as it was")
	}
	told := map[string]Action{}
	for line := range strings.Lines(account) {
		var a Account
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		if told[a.File] != "" {
			t.Errorf("%s is reported twice", a.File)
		}
		told[a.File] = a.Action
	}
	want := map[string]Action{"arcs/a.arc": ConvertARC, "arcs/A.ARC.gz": ConvertARC, "b.warc": KeepWARC,
		"empty.warc.gz": Unreadable, "note.txt": Unclaimed}
	if fmt.Sprint(told) != fmt.Sprint(want) {
		t.Errorf("reported %v, want %v", told, want)
	}
	if result.Outputs != 3 || result.Records != 4 || result.Files[ConvertARC] != 2 || result.Outcome != model.Valid ||
		len(result.ARCs) != 2 {
		t.Errorf("result %+v", result)
	}
}

// A file that cannot be read from an archive is in no WARC. This is an error, but the rest is
// converted.
func TestWhatIsRefusedIsAnError(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"b.warc", "../c.warc"} {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(warcFile))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	out, result, _, err := convertAll(t, filepath.Join(folder(t, map[string]string{"x.zip": b.String()}), "x.zip"))
	if err != nil || namesOf(filesOf(t, out)) != "b.warc" || result.Outcome != model.Invalid {
		t.Errorf("%v, %+v", err, result)
	}
}

// The same source makes the same bytes, at any time and from any path.
func TestTheSameSourceGivesTheSameBytes(t *testing.T) {
	files := map[string]string{"a.arc": arcFile, "undated.arc": strings.ReplaceAll(arcFile, "20040721232941", "x")}
	first, _, one, err1 := convertAll(t, folder(t, files))
	second, _, two, err2 := convertAll(t, folder(t, files))
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if a, b := filesOf(t, first), filesOf(t, second); fmt.Sprint(a) != fmt.Sprint(b) || len(a) != 2 {
		t.Error("the WARCs differ")
	}
	if one != two {
		t.Errorf("the reports differ:\n%s\n%s", one, two)
	}
}

// A converted file can be verified and restored to the ARC.
func TestWhatIsMadeCanBeProved(t *testing.T) {
	out, result, _, err := convertAll(t, folder(t, map[string]string{"a.arc": arcFile}))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(out, "a.warc.gz")
	proof, err := prove(t.Context(), path, &result.ARCs[0])
	if err != nil || !proof.Restorable {
		t.Errorf("proof %+v, %v", proof, err)
	}
	var back bytes.Buffer
	if _, err := arcwarc.Restore(t.Context(), bytes.NewReader([]byte(filesOf(t, out)["a.warc.gz"])),
		&back); err != nil || back.String() != arcFile {
		t.Errorf("restored %q, %v", back.String(), err)
	}
	b := []byte(filesOf(t, out)["a.warc.gz"])
	if err := os.WriteFile(path, b[:len(b)-40], 0o666); err != nil {
		t.Fatal(err)
	}
	if proof, err := prove(t.Context(), path, &result.ARCs[0]); err != nil || proof.Restorable || proof.Why == "" {
		t.Errorf("of a WARC that breaks off: %+v, %v", proof, err)
	}
}

func TestNothingToConvertLeavesNothing(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"text":    {"a.txt": "text"},
		"no ARC":  {"a.arc": "text"},
		"nothing": {"empty.arc.gz": ""},
	} {
		out, _, _, err := convertAll(t, folder(t, files))
		if !errors.Is(err, ErrNothing) {
			t.Errorf("%s: %v", name, err)
		}
		if left, _ := os.ReadDir(filepath.Dir(out)); len(left) > 0 {
			t.Errorf("%s: left behind %v", name, left)
		}
	}
}

func TestStoppedLeavesNothing(t *testing.T) {
	s, err := detect.Open(t.Context(), folder(t, map[string]string{"a.arc": arcFile, "b.warc": warcFile}))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	out := filepath.Join(t.TempDir(), "out")
	_, err = Run(ctx, s, Options{Out: out, Agent: model.Agent{Name: "Quire", Version: "1"}, Progress: func(int64) {
		cancel()
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(out)); len(left) > 0 {
		t.Errorf("left behind %v", left)
	}
}

func TestSeveralSourcesHaveNamesOfTheirOwn(t *testing.T) {
	one, two := folder(t, map[string]string{"a.arc": arcFile}), folder(t, map[string]string{"a.arc": arcFile})
	out, _, _, err := convertAll(t, one, two)
	if err != nil {
		t.Fatal(err)
	}
	if got := namesOf(filesOf(t, out)); got != "crawl-2/a.warc.gz crawl/a.warc.gz" {
		t.Errorf("made %s", got)
	}
	out, _, _, err = convertAll(t, filepath.Join(one, "a.arc"))
	if got := namesOf(filesOf(t, out)); err != nil || got != "a.warc.gz" {
		t.Errorf("of a single file: made %s, %v", got, err)
	}
}

// Every ARC of the samples is refused, or becomes a WARC with only those errors that the ARC's
// content has.
func TestSampleARCs(t *testing.T) {
	for _, sample := range testsamples.Samples(t, "arc") {
		s, err := detect.Open(t.Context(), sample)
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "out")
		result, err := Run(t.Context(), s, Options{Out: out, Agent: model.Agent{Name: "Quire", Version: "1"}})
		if errors.Is(err, ErrNothing) {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", sample, err)
			continue
		}
		for i := range result.ARCs {
			c := &result.ARCs[i]
			path := filepath.Join(out, c.Output)
			if proof, err := prove(t.Context(), path, c); err != nil || proof.Restorable == c.Damaged {
				t.Errorf("%s: proof %+v, %v", sample, proof, err)
			}
			made, err := inspect.File(t.Context(), path, inspect.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range made.Findings {
				if f.Severity == model.Error {
					t.Errorf("%s: the WARC has %s", sample, f)
				}
			}
		}
		s.Close()
	}
}

// prove is ProveReader for a file.
func prove(ctx context.Context, path string, c *Converted) (*Proof, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only
	return ProveReader(ctx, f, c)
}
