//go:build interop

package dedup

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/format/inflate"
	"quire/internal/testsamples"
	"quire/interop/internal/peers"
	"quire/model"
	"quire/preserve/dedup"
)

// TestSamples deduplicates the WARC samples against a file with all their payloads, and compares
// the peers' readings of both.
func TestSamples(t *testing.T) {
	var before, after []string
	revisits := int64(0)
	for _, sample := range samples(t) {
		out, made := deduplicated(t, sample)
		if made == 0 {
			continue
		}
		revisits += made
		before, after = append(before, sample), append(after, out)
	}
	t.Logf("%d files, %d records became revisits", len(after), revisits)
	if revisits < 1000 {
		t.Errorf("only %d records became revisits", revisits)
	}
	t.Run("warcio", func(t *testing.T) {
		readers(t, peers.Python(t, "warcio_revisits.py", append(slices.Clone(before), after...)), before, after,
			revisits)
	})
	t.Run("pywb", func(t *testing.T) {
		sameCaptures(t, peers.Pywb(t, append(slices.Clone(before), after...)), before, after)
	})
	t.Run("jwarc", func(t *testing.T) {
		readers(t, peers.Java(t, "java", append(slices.Clone(before), after...), "JwarcRevisits.java"), before, after,
			revisits)
	})
}

// samples returns the WARC files, plain and gzip, among the shared samples.
func samples(t *testing.T) (paths []string) {
	list, err := os.Open(testsamples.Path(t, "samples", "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	lines := bufio.NewScanner(list)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		if len(cells) > 3 && cells[3] == "warc" &&
			(strings.HasSuffix(cells[0], ".warc") || strings.HasSuffix(cells[0], ".warc.gz")) &&
			!strings.Contains(cells[0], "/warc-bad/") { // peers read these in different ways
			paths = append(paths, testsamples.Path(t, "samples", cells[0]))
		}
	}
	return paths
}

// deduplicated deduplicates a file against itself, with a date a thousand years ago.
func deduplicated(t *testing.T, sample string) (out string, made int64) {
	t.Helper()
	dir := t.TempDir()
	old := filepath.Join(dir, "old.warc")
	if err := os.WriteFile(old, bytes.ReplaceAll(inflated(t, sample), []byte("WARC-Date: 2"), []byte("WARC-Date: 1")),
		0o666); err != nil {
		t.Fatal(err)
	}
	stored, err := dedup.OpenFolder(t.Context(), old)
	if err != nil {
		t.Fatal(err)
	}
	defer stored.Close()
	o := dedup.Options{Out: filepath.Join(dir, "out"), Against: []dedup.Holding{stored},
		Agent: model.Agent{Name: "Quire", Version: "test"}}
	r, err := dedup.Run(t.Context(), sample, o)
	if err != nil {
		t.Fatalf("%s: %v", sample, err)
	}
	return filepath.Join(o.Out, filepath.Base(sample)), r.Replaced
}

func inflated(t *testing.T, path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := inflate.NewReader(f, inflate.Options{})
	defer in.Close()
	b, _ := io.ReadAll(in) // of a damaged file, the part before the damage
	return b
}

// explained lists files where pywb computes a digest that a record lacks, in a way that differs
// from the standard.
var explained = map[string]string{
	"parseMe.warc": "an answer at chrome-extension://: pywb treats only http URLs as HTTP, so it digests " +
		"the block with its head",
	"parseMe.warc.gz":  "the same, compressed",
	"http-quirks.warc": "answers with interim heads: pywb takes the second head for content",
	"test.warc.gz":     "a chunked answer: pywb digests the chunks too",
}

// known lists complaints of jwarc about the original files. It parses revisits, but not responses,
// in detail.
var known = map[string]string{
	"http-quirks.warc":                    "an answer of ICY, not HTTP",
	"date11-minute.warc":                  "a date to the minute, which WARC 1.1 allows",
	"date11-year.warc":                    "a date to the year, likewise",
	"example-space-in-target-uri.warc.gz": "the original's URI has spaces, and a reference to it states it as it is",
}

// sameCaptures compares a peer's captures before and after. Revisits keep URL, time, status and
// digest.
func sameCaptures(t *testing.T, got map[string]peers.Captures, before, after []string) {
	captures, clean := 0, 0
	for i := range before {
		was, is := got[before[i]], got[after[i]]
		for _, complaint := range is.Complaints {
			if !slices.Contains(was.Complaints, complaint) && len(was.Complaints) == 0 {
				t.Errorf("%s: a new complaint: %s", before[i], complaint)
			}
		}
		if len(was.Complaints) > 0 {
			continue
		}
		clean++
		captures += len(is.Captures)
		if len(was.Captures) != len(is.Captures) {
			t.Errorf("%s: %d captures before, %d after", before[i], len(was.Captures), len(is.Captures))
			continue
		}
		for n := range was.Captures {
			if is.Captures[n].Status == "-" { // pywb reports no status for a revisit
				was.Captures[n].Status = "-"
			}
			if was.Captures[n] != is.Captures[n] && explained[filepath.Base(before[i])] == "" {
				t.Errorf("%s: before %v, after %v", before[i], was.Captures[n], is.Captures[n])
				break
			}
		}
	}
	t.Logf("%d captures of %d files that the peer reads without complaint are the same", captures, clean)
}

// readers compares a peer's reports on the records: no new complaint, and each revisit has the
// required values.
func readers(t *testing.T, answer string, before, after []string, want int64) {
	t.Helper()
	complaints := map[string][]string{}
	var name string
	ours := int64(0)
	for line := range strings.Lines(answer) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch cells[0] {
		case "file":
			name = cells[1]
		case "complaint":
			complaints[name] = append(complaints[name], cells[1])
		case "revisit":
			if !slices.Contains(after, name) || !strings.HasPrefix(cells[5], "1") {
				continue
			}
			ours++
			if cells[3] != "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest" ||
				!strings.Contains(cells[4], ":") || cells[7] != "0" && strings.HasPrefix(cells[2], "http") {
				t.Errorf("%s: %q", name, cells)
			}
		}
	}
	for i := range before {
		if len(complaints[before[i]]) == 0 && len(complaints[after[i]]) > 0 && known[filepath.Base(before[i])] == "" {
			t.Errorf("%s: new complaints: %q", before[i], complaints[after[i]])
		}
	}
	if ours < want*95/100 { // a peer reads only the start of a damaged file
		t.Errorf("%d of %d revisits are seen", ours, want)
	}
	t.Logf("the peer sees %d of %d revisits, all with the required values", ours, want)
}
