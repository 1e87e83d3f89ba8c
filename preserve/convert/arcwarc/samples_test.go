package arcwarc

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"quire/format/arc"
	"quire/format/inflate"
	"quire/internal/testsamples"
)

// TestSamples converts every ARC among the shared samples, verifies it, and restores the ARC.
func TestSamples(t *testing.T) {
	list, err := os.Open(testsamples.Path(t, "samples", "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	lines := bufio.NewScanner(list)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		if len(cells) < 7 || cells[3] != "arc" || strings.HasSuffix(cells[0], ".cdx") {
			continue
		}
		n++
		t.Run(cells[0], func(t *testing.T) {
			file, err := os.ReadFile(testsamples.Path(t, "samples", cells[0]))
			if err != nil {
				t.Fatal(err)
			}
			roundTrip(t, file)
		})
	}
	if err := lines.Err(); err != nil || n < 100 {
		t.Errorf("%d samples, %v", n, err)
	}
}

// roundTrip converts a file and checks all general requirements for the result.
func roundTrip(t testing.TB, file []byte) (*Report, []byte) {
	t.Helper()
	report, made := converted(t, file)
	if _, again := converted(t, file); !bytes.Equal(made, again) {
		t.Error("other bytes when it is converted again")
	}
	proof, err := Verify(t.Context(), bytes.NewReader(file), bytes.NewReader(made))
	if err != nil {
		t.Fatal(err)
	}
	if !proof.Sound() || proof.Records != report.Records || proof.Bytes != report.InflatedSize {
		t.Errorf("proof %+v of %+v", proof, report)
	}
	want := inflated(t, file)
	var got bytes.Buffer
	restored, err := Restore(t.Context(), bytes.NewReader(made), &got)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) || restored.Size != int64(len(want)) || restored.Records != report.Records {
		t.Errorf("restored %+v, %d bytes; the ARC has %d", restored, got.Len(), len(want))
	}
	return report, made
}

func converted(t testing.TB, file []byte) (*Report, []byte) {
	t.Helper()
	var out bytes.Buffer
	report, err := Convert(t.Context(), bytes.NewReader(file), &out, options)
	if err != nil {
		t.Fatal(err)
	}
	if report.WrittenSize != int64(out.Len()) || report.Size != int64(len(file)) {
		t.Errorf("%d bytes read, %d written; the report is %+v", len(file), out.Len(), report)
	}
	return report, out.Bytes()
}

// inflated returns the inflated content of a file, without a reader of records.
func inflated(t testing.TB, file []byte) []byte {
	t.Helper()
	b, err := io.ReadAll(&plain{in: inflate.NewReader(bytes.NewReader(file), inflate.Options{Holds: arc.Sniff})})
	if err != nil {
		t.Fatal(err)
	}
	return b
}
