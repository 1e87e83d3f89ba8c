package arc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"quire/format/fault"
	"quire/format/inflate"
	"quire/internal/shared"
)

// readings is what a whole reading of a file gave.
type readings struct {
	records []*Record
	faults  []fault.Fault
	skipped int64
	blocks  int64
}

func readAll(t testing.TB, r io.Reader) readings {
	t.Helper()
	var got readings
	sink := func(f fault.Fault) { got.faults = append(got.faults, f) }
	in := inflate.NewReader(r, inflate.Options{Report: sink})
	arc := NewReader(in)
	arc.Report = sink
	for {
		rec, err := arc.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, rec)
		if err != nil {
			t.Fatal(err)
		}
		got.blocks += n
		got.records = append(got.records, rec)
	}
	got.skipped = arc.Skipped()
	return got
}

var scanned = regexp.MustCompile(`lenient scan: (\d+) records`)

func TestSamples(t *testing.T) {
	f, err := os.Open(shared.Path(t, "samples", "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		if len(cells) < 7 || cells[3] != "arc" || strings.HasSuffix(cells[0], ".cdx") {
			continue
		}
		m := scanned.FindStringSubmatch(cells[6])
		if m == nil {
			m = []string{"", "-1"}
		}
		want, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		t.Run(cells[0], func(t *testing.T) {
			file, err := os.Open(shared.Path(t, "samples", cells[0]))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = file.Close() }()
			got := readAll(t, file)
			for _, f := range got.faults { fmt.Println("  FAULT", f, f.Record) }
			codes := map[string]int{}
			for _, f := range got.faults {
				codes[string(f.Code)]++
			}
			if len(got.records) != want {
				fmt.Println("DIFF", cells[0], len(got.records), want)
			}
			fmt.Println(cells[0], len(got.records), want, codes)
		})
	}
}
