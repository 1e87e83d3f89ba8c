package inspect_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/format/warc"
	"quire/model"
	"quire/preserve/convert/arcwarc"
	"quire/preserve/inspect"
	"quire/preserve/salvage"
)

// TestSalvageOfRandomDamage salvages each damaged file of the corpus. Every undamaged record is in
// the new file, byte for byte. Every other record is there, too, or its loss is reported. The ranges
// of the report cover the file exactly once, and the lost bytes are kept aside.
func TestSalvageOfRandomDamage(t *testing.T) {
	for _, kind := range []struct {
		name, compression string
		arc               bool
	}{
		{"WARC plain", "none", false}, {"WARC gzip", "gzip", false}, {"WARC zstd", "zstd", false},
		{"ARC plain", "none", true}, {"ARC gzip", "gzip", true},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			files, lost := 0, int64(0)
			inspect.EachDamagedFile(t, kind.arc, kind.compression, func(f *inspect.DamagedFile) {
				files++
				lost += checkSalvage(t, f)
			})
			t.Logf("%d files, %d damaged records and gaps", files, lost)
			if lost < int64(files)/2 {
				t.Error("the damages were too harmless to show anything")
			}
		})
	}
}

func checkSalvage(t *testing.T, f *inspect.DamagedFile) (lost int64) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, f.Name)
	if err := os.WriteFile(path, f.File, 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	results, err := salvage.Run(t.Context(), []string{path}, salvage.Options{Out: out,
		Agent: model.Agent{Name: "Quire", Version: "test"}, Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
	if err != nil {
		t.Fatalf("%s: %v", f.About, err)
	}
	r := results[0]
	kept := keptIn(t, out, &r)
	for id, text := range f.Unhurt {
		if !kept[text] {
			t.Errorf("%s: the unhurt %s is not in the new WARC", f.About, id)
		}
	}
	all := reportOf(t, filepath.Join(out, r.Report))
	checkRanges(t, f, all, out, &r)
	whole := true
	for _, text := range f.Hurt {
		whole = whole && kept[text]
	}
	reported := slices.ContainsFunc(all, func(l salvage.Line) bool {
		doubt := l.Kind == salvage.Damaged || l.Kind == salvage.Fragment || l.Proof == salvage.Unproven ||
			len(l.Findings) > 0
		return doubt && l.Offset < int64(max(f.To, f.From+1)) && l.Offset+max(l.Length, 1) > int64(f.From)
	})
	if !whole && !f.Sound && !reported {
		t.Errorf("%s: no loss is reported from %d to %d: %+v", f.About, f.From, f.To, r)
	}
	return r.Damaged + r.Gaps
}

// keptIn returns the texts of the records in the new WARC. Of an ARC, it restores the new ARC.
func keptIn(t *testing.T, out string, r *salvage.Result) map[string]bool {
	t.Helper()
	kept := map[string]bool{}
	if r.Output == "" {
		return kept
	}
	file, err := warc.Open(filepath.Join(out, r.Output))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for rec, err := range file.Records() {
		if err != nil {
			t.Fatal(err)
		}
		header := string(rec.Raw())
		block, err := io.ReadAll(rec)
		if err != nil {
			t.Fatal(err)
		}
		kept[header+string(block)+"\r\n\r\n"] = true
		if line := rec.Get(arcwarc.FieldLine); line != "" {
			kept[line+"\n"+string(block)+"\n"] = true
		}
	}
	return kept
}

func reportOf(t *testing.T, path string) (all []salvage.Line) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var l salvage.Line
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
}

// checkRanges checks that the ranges are the whole file, and that the bytes aside are those of the
// file.
func checkRanges(t *testing.T, f *inspect.DamagedFile, all []salvage.Line, out string, r *salvage.Result) {
	t.Helper()
	aside := map[string]string{}
	if r.Aside != "" {
		file, err := warc.Open(filepath.Join(out, r.Aside))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for rec, err := range file.Records() {
			if err != nil {
				t.Fatal(err)
			}
			block, err := io.ReadAll(rec)
			if err != nil {
				t.Fatal(err)
			}
			aside[rec.ID()] = string(block)
		}
	}
	at := int64(0)
	for _, l := range all {
		if l.Kind == salvage.Lost || l.Kind == salvage.Damaged || l.Length < 0 {
			continue
		}
		if l.Offset != at {
			t.Fatalf("%s: %s at %d, the ranges before end at %d", f.About, l.Kind, l.Offset, at)
		}
		at += l.Length
		if l.Kind == salvage.Fragment && aside[l.Aside] != string(f.File[l.Offset:at]) {
			t.Errorf("%s: the bytes at %d are not aside", f.About, l.Offset)
		}
	}
	if at != int64(len(f.File)) {
		t.Errorf("%s: the ranges cover %d of %d bytes", f.About, at, len(f.File))
	}
	if strings.HasSuffix(r.Report, ".body") {
		t.Error("a temporary file is left")
	}
}
