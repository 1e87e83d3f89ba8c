package cdx

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"path"
	"strings"
	"testing"

	"quire/format/fault"
	"quire/internal/testsamples"
)

// TestSamples reads every index of the samples. Each line is an entry or one of these faults.
func TestSamples(t *testing.T) {
	explained := map[string]int{
		"records-cdx9-jwat-sorted.cdx": 14, // the Content-Type has a space in it: "text/css; charset=utf-8"
		"notcdx.cdx":                   1,  // a sentence
		"zipnum-sample.cdx.gz":         37, // 37 lines lost their ends; two of them are joined
		"zipnum-sample.loc":            1,  // lists the places of the index's parts
		"duplicate_path_index.txt":     3,  // lists the places of containers
		"merged_path_index.txt":        3,
		"path-index.txt":               1,
	}
	forms := map[Kind]int{}
	entries := 0
	for _, sample := range samples(t) {
		legend := ""
		// NetarchiveSuite: offsets before and after compression, and a time, not always with 14
		// digits
		if strings.Contains(sample, "ifile") {
			legend = "v V x"
		}
		n, faults, form := readSample(t, sample, legend)
		forms[form.Kind]++
		entries += n
		// before the ends were lost
		if strings.Contains(sample, "history/") && path.Base(sample) == "zipnum-sample.cdx.gz" {
			if n != 186 || faults != nil {
				t.Errorf("%s: %d entries, %v", sample, n, faults)
			}
			continue
		}
		if len(faults) != explained[path.Base(sample)] {
			t.Errorf("%s: %v; %d are explained", sample, faults, explained[path.Base(sample)])
		}
		for _, f := range faults {
			if f.Code != FaultLine {
				t.Errorf("%s: %v", sample, f)
			}
		}
	}
	if entries < 48_000 || forms[Classic] < 60 || forms[JSON] < 13 || forms[ZipNum] != 1 || forms[Unknown] != 5 {
		t.Errorf("%d entries in %v", entries, forms)
	}
}

// samples lists the indexes among the samples.
func samples(t *testing.T) (paths []string) {
	t.Helper()
	manifest, err := os.Open(testsamples.Path(t, "samples", "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = manifest.Close() }() // opened for reading only
	in := bufio.NewScanner(manifest)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if c := strings.Split(in.Text(), "\t"); len(c) > 3 && (c[3] == "cdx" || c[3] == "cdxj" || c[3] == "zipnum") {
			paths = append(paths, c[0])
		}
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return paths
}

func readSample(t *testing.T, sample, legend string) (entries int, faults []fault.Fault, form Form) {
	t.Helper()
	f, err := os.Open(testsamples.Path(t, "samples", sample))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // opened for reading only
	var in io.Reader = f
	if strings.HasSuffix(sample, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	r := NewReader(in, Options{Legend: legend, Report: func(f fault.Fault) { faults = append(faults, f) }})
	for e, err := range r.All() {
		if err != nil {
			t.Fatalf("%s: %v", sample, err)
		}
		if !strings.Contains(sample, "ifile") &&
			(e.Time.IsZero() && e.Timestamp != "" || r.Form().Kind == Classic && e.File == "" && e.Status != 200) {
			t.Errorf("%s: %+v", sample, e)
		}
		entries++
	}
	return entries, faults, r.Form()
}
