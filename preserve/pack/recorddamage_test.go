package pack

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"quire/model"
	"quire/preserve/aip"
)

// recordsOf makes a package of manyRecords in a container, with its METS in documents.
func recordsOf(t *testing.T, file, content string) (dir string) {
	t.Helper()
	o := options(t)
	o.METS, o.Profile, o.ID = InDocuments, Full, "x"
	mustPack(t, o, crawlOf(t, map[string]string{file: content}))
	if codes, r := codesOf(t, o.Out, aip.Options{}); len(codes) > 0 {
		t.Fatalf("before: %+v", r.Findings)
	}
	return o.Out
}

// without removes the elements of a record that match each pattern; (?s) is set.
func without(t *testing.T, record int, patterns ...string) func(string) string {
	return func(s string) string {
		for _, p := range patterns {
			re := regexp.MustCompile(`(?s)` + fmt.Sprintf(p, record))
			if !re.MatchString(s) {
				t.Fatalf("nothing matches %s", p)
			}
			s = re.ReplaceAllString(s, "")
		}
		return s
	}
}

func swapped(a, b string) func(string) string {
	return func(s string) string { return strings.Replace(s, a, b, 1) }
}

// oneFewer lowers the number of each element by one.
func oneFewer(t *testing.T, elements ...string) func(string) string {
	return func(s string) string {
		for _, e := range elements {
			re := regexp.MustCompile(`(` + e + `[^>]* number=")(\d+)"`)
			found := re.FindStringSubmatch(s)
			if found == nil {
				t.Fatalf("no %s", e)
			}
			n, err := strconv.Atoi(found[2])
			if err != nil {
				t.Fatal(err)
			}
			s = strings.Replace(s, found[0], fmt.Sprintf(`%s%d"`, found[1], n-1), 1)
		}
		return s
	}
}

// elementPattern returns the pattern of an element with its content, for the ID of record %d.
func elementPattern(name, id string) string {
	return `<mets:` + name + ` ID="` + id + `".*?</mets:` + name + `>\s*`
}

// TestRecordDamage: a record or a bytestream whose elements were removed together is a finding that
// names the container, the offset and the record, also with all digests made anew.
func TestRecordDamage(t *testing.T) {
	_, texts := manyRecords(t)
	whole := strings.Join(texts, "")
	before := func(n int) int64 { return int64(len(strings.Join(texts[:n-1], ""))) }
	members := func(n int) int64 { return int64(len(zipped(t, texts[:n-1]...))) }
	frames := func(n int) int64 { return int64(len(framed(t, texts[:n-1]...))) }
	for _, form := range []struct {
		name, file, content string
		at                  func(record int) int64
		member              bool
	}{
		{"plain", "a.warc", whole, before, false},
		{"members", "a.warc.gz", zipped(t, texts...), members, true},
		{"one member", "a.warc.gz", zipped(t, whole), before, false},
		{"frames", "a.warc.zst", framed(t, texts...), frames, true},
		{"one frame", "a.warc.zst", framed(t, whole), before, false},
	} {
		// No page names these records: a metadata record, and the last.
		const inner, last = 20, 23
		body, outer := `<mets:file ID="FILE-c1-b%d"[^>]*/>\s*`, `<mets:file ID="FILE-c1-r%d".*?</mets:file>\s*`
		object := elementPattern("techMD", "OBJ-c1-b%d")
		if form.member {
			outer = `<mets:file ID="FILE-c1-m%d".*?</mets:file>\s*</mets:file>\s*`
		}
		for _, c := range []struct {
			name   string
			record int
			edit   func(string) string
			fewer  bool   // the numbers of mets.xml leave the record out
			want   string // in the message
		}{
			{"a bytestream and its object", inner, without(t, inner, body, object), false,
				"has no file within for the bytestream"},
			{"the last bytestream", last, without(t, last, body, object), false,
				"has no file within for the bytestream"},
			{"a record", inner, without(t, inner, outer, object), false, "has no file element"},
			{"the last record", last, without(t, last, outer, object), true, "has no file element"},
			{"another record id", inner, swapped(`OWNERID="urn:x:20"`, `OWNERID="urn:x:99"`), false,
				`has the OWNERID "urn:x:99"`},
			{"a bytestream one byte shorter", inner, func(s string) string {
				return regexp.MustCompile(`(ID="FILE-c1-b20"[^>]*) SIZE="8" CHECKSUM="[^"]*" CHECKSUMTYPE="SHA-256"`+
					`([^>]*) END="232"`).ReplaceAllString(s, `$1$2 END="231"`)
			}, false, "the bytestream of the record is at bytes"},
		} {
			t.Run(form.name+" "+c.name, func(t *testing.T) {
				dir := recordsOf(t, form.file, form.content)
				rewrite(t, dir, "mets/containers/"+form.file+".mets.xml.gz", c.edit)
				if c.fewer {
					rewriteMETS(t, dir, oneFewer(t, "entriesInformation", `type="odd-type"`))
				}
				r, err := aip.Validate(context.Background(), dir, aip.Options{})
				if err != nil {
					t.Fatal(err)
				}
				var found []model.Finding
				for _, f := range r.Findings {
					if f.Code == aip.CodePartRecord {
						found = append(found, f)
					} else if c.fewer || c.want != "has no file element" {
						t.Errorf("%+v", f)
					}
				}
				if len(found) != 1 {
					t.Fatalf("%+v", r.Findings)
				}
				f, at := found[0], form.at(c.record)
				if f.Path != "containers/"+form.file || f.Offset != at ||
					!strings.Contains(f.Message, fmt.Sprintf("record urn:x:%d at byte %d", c.record, at)) ||
					!strings.Contains(f.Message, c.want) {
					t.Errorf("%+v, want %s at %d", f, c.want, at)
				}
			})
		}
	}
}

// TestGarbageInMember checks that each record is described where bytes of no record are in the member
// of one: such a record has no size in the file, but exact bounds in the inflated file.
func TestGarbageInMember(t *testing.T) {
	_, texts := manyRecords(t)
	texts[4] += "these bytes belong to no record"
	o := options(t)
	o.METS, o.Profile, o.ID = InDocuments, Full, "x"
	r := mustPack(t, o, crawlOf(t, map[string]string{"a.warc.gz": zipped(t, texts...)}))
	if codes, v := codesOf(t, o.Out, aip.Options{}); len(codes) > 0 {
		t.Errorf("%+v", v.Findings)
	}
	want := fmt.Sprintf("described one by one: %d records", len(texts))
	if mets := read(t, o.Out, "mets.xml"); r.Outcome != model.Invalid || !strings.Contains(mets, want) ||
		strings.Contains(mets, "not described") {
		t.Errorf("%s, and not %s", r.Outcome, want)
	}
}

// TestGarbageMember checks that a member with bytes of no record alone leaves the others their members.
func TestGarbageMember(t *testing.T) {
	_, texts := manyRecords(t)
	o := options(t)
	o.METS, o.Profile, o.ID = Single, Full, "x"
	texts = append(texts[:4:4], append([]string{"these bytes belong to no record"}, texts[4:]...)...)
	mustPack(t, o, crawlOf(t, map[string]string{"a.warc.gz": zipped(t, texts...)}))
	if codes, v := codesOf(t, o.Out, aip.Options{}); len(codes) > 0 {
		t.Errorf("%+v", v.Findings)
	}
	mets := read(t, o.Out, "mets.xml")
	if n := strings.Count(mets, `ID="FILE-c1-m`); n < len(texts)-2 {
		t.Errorf("%d of %d records have a member", n, len(texts)-1)
	}
	if strings.Contains(mets, "not described") {
		t.Error("a record is not described")
	}
}
