package aip

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The cost of any METS is limited: it ends in a finding.
func TestHostileMETS(t *testing.T) {
	lol := func(s string) string {
		var b strings.Builder
		b.WriteString(`<?xml version="1.0"?><!DOCTYPE mets [<!ENTITY a0 "lol">`)
		for i := range 9 {
			b.WriteString("<!ENTITY a" + string(rune('1'+i)) + ` "` + strings.Repeat("&a"+string(rune('0'+i))+";", 10) +
				`">`)
		}
		b.WriteString("]>")
		return b.String() + strings.Replace(strings.TrimPrefix(s, `<?xml version="1.0" encoding="UTF-8"?>`), "A sample",
			"&a9;", 1)
	}
	for _, c := range []struct {
		name string
		edit func(string) string
		want string
	}{
		{"an entity bomb", lol, "document type declarations are not accepted"},
		{"an entity from outside", func(s string) string {
			return strings.Replace(s, "?>", `?><!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/hostname">]>`, 1)
		}, "document type declarations are not accepted"},
		{"an entity that is not declared", swap("A sample", "&x;"), "invalid character entity"},
		{"elements without end", swap("<mets:fileSec>", strings.Repeat("<mets:div>", 100_000)),
			"more than 256 nested elements"},
		{"an attribute of 20 MB", swap("A sample", strings.Repeat("x", 20<<20)), "a token longer than"},
		{"attributes without end", func(s string) string {
			var b strings.Builder
			for i := range 5000 {
				b.WriteString(" a" + strings.Repeat("x", i%50) + string(rune('a'+i%26)) + strings.Repeat("y", i/50) +
					`=""`)
			}
			return strings.Replace(s, "<mets:fileSec", "<mets:fileSec"+b.String(), 1)
		}, "more than 256 attributes"},
		{"a number that is none", swap("<premis:size>", "<premis:size>many"), "is not a whole number"},
		{"a number of records that is none", swap(`number="10"`, `number="many"`), "is not a whole number"},
		{"fewer records than none", swap(`number="10"`, `number="-10"`), "cannot be a number of records"},
		{"not UTF-8", swap("A sample", "A s\xffmple"), "invalid UTF-8"},
		{"a second document", func(s string) string {
			return s + s[strings.Index(s, "<mets:mets"):]
		}, "second root element"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := ordinary()
			s.edit = c.edit
			r := mustValidate(t, s.write(t), Options{})
			if r.Outcome != "invalid" || len(r.Findings) == 0 {
				t.Fatalf("%+v", r)
			}
			f := r.Findings[len(r.Findings)-1] // the last finding ends the reading
			if f.Code != CodeMETSRead || !strings.Contains(f.Message, c.want) || len(f.Message) > maxText+10 {
				t.Errorf("%v", f)
			}
			if outcomes(r)[CheckSidecar] != Passed {
				t.Error("the sidecar fits, whatever the METS says")
			}
		})
	}
}

// Problems beyond a limit are counted, not stored.
func TestProblemsWithoutEnd(t *testing.T) {
	s := ordinary()
	s.edit = swap("<mets:fileSec>", strings.Repeat("<mets:nothing/>", 20_000)+"<mets:fileSec>")
	r := mustValidate(t, s.write(t), Options{})
	if r.FindingsTotal != 20_000 || len(r.Findings) != MaxFindings {
		t.Errorf("%d findings, %d kept", r.FindingsTotal, len(r.Findings))
	}
	for _, f := range r.Findings {
		if f.Code != CodeMETSStructure {
			t.Fatalf("%v", f)
		}
	}
}

// A folder that is a link leads out of the package. Its target is not read, and the report states
// the reason for every file.
func TestNothingOutsideIsOpened(t *testing.T) {
	dir := ordinary().write(t)
	outside := t.TempDir()
	if err := os.Rename(filepath.Join(dir, LogsDir), filepath.Join(outside, LogsDir)); err != nil {
		t.Fatal(err)
	}
	link(LogsDir, filepath.Join(outside, LogsDir))(t, dir)
	r := mustValidate(t, dir, Options{})
	if len(r.Findings) != 2 || r.Findings[0].Code != CodeFileRead || r.Findings[0].Path != logPath ||
		r.Findings[1].Code != CodeExtraKind || r.Findings[1].Path != LogsDir {
		t.Errorf("%v", r.Findings)
	}
}

// Memory does not grow with file sizes: a large file is read in pieces.
func TestLargeFileInLittleMemory(t *testing.T) {
	s := ordinary()
	const size = 64 << 20
	s.files["logs/large"] = strings.Repeat("0123456789abcdef", size/16)
	dir := s.write(t)
	s.files = nil
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r := mustValidate(t, dir, Options{})
	runtime.ReadMemStats(&after)
	if r.Outcome != "valid" || r.Bytes < size {
		t.Errorf("%+v", r)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("%d bytes allocated for a file of %d", used, size)
	}
}
