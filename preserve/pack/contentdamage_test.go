package pack

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/prove"
	"quire/preserve/aip"
)

// rewriteMETS changes mets.xml, and its digest.
func rewriteMETS(t *testing.T, dir string, edit func(string) string) {
	t.Helper()
	old := read(t, dir, aip.METSName)
	text := edit(old)
	if text == old {
		t.Fatal("the edit of mets.xml changes nothing")
	}
	sum := sha512.Sum512([]byte(text))
	for name, b := range map[string][]byte{
		aip.METSName: []byte(text), aip.DigestName: aip.DigestLine(hex.EncodeToString(sum[:])),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// codesOf returns the codes of all findings, each once.
func codesOf(t *testing.T, dir string, o aip.Options) (codes []string, r *aip.Report) {
	t.Helper()
	r, err := aip.Validate(context.Background(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		codes = append(codes, f.Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes), r
}

// sectionOf returns the text of a section with an ID.
func sectionOf(t *testing.T, text, kind, id string) string {
	t.Helper()
	all := regexp.MustCompile(`(?s)\s*<mets:` + kind + ` ID="` + id + `".*?</mets:` + kind + `>`).FindString(text)
	if all == "" {
		t.Fatalf("there is no %s %s", kind, id)
	}
	return all
}

// TestContentDamage: changes that no schema sees are findings, in both forms of the METS and in the
// profiles compact and full, also with matching digests.
func TestContentDamage(t *testing.T) {
	prove.Serial(t)
	for _, form := range []METSForm{InDocuments, Single} {
		for _, profile := range []Profile{Compact, Full} {
			t.Run(string(profile)+" "+string(form), func(t *testing.T) { contentDamage(t, form, profile) })
		}
	}
}

func contentDamage(t *testing.T, form METSForm, profile Profile) {
	swap := func(a, b string) func(string) string {
		return func(s string) string { return strings.Replace(s, a, b, 1) }
	}
	match := func(pattern, with string) func(string) string {
		return func(s string) string {
			at := regexp.MustCompile(pattern).FindStringIndex(s)
			if at == nil {
				t.Fatalf("nothing matches %s", pattern)
			}
			return s[:at[0]] + regexp.MustCompile(pattern).ReplaceAllString(s[at[0]:at[1]], with) + s[at[1]:]
		}
	}
	const object, event = `<premis:objectIdentifierValue>x#`, `<premis:linkingEventIdentifierValue>x#`
	for _, c := range []struct {
		name string
		edit func(string) string
		want []string
	}{
		{"an event removed that an object names", func(s string) string {
			return strings.Replace(s, sectionOf(t, s, "digiprovMD", "EVT-val-c1"), "", 1)
		}, []string{aip.CodePremisDangling}},
		{"an object renamed", swap(object+"OBJ-c1<", object+"OBJ-c9<"), []string{aip.CodePremisDangling}},
		{"an agent removed", func(s string) string {
			return strings.Replace(s, sectionOf(t, s, "digiprovMD", "AGT-packer"), "", 1)
		}, []string{aip.CodePremisDangling}},
		{"an object names the event of another package", swap(event+"EVT-digest<",
			`<premis:linkingEventIdentifierValue>y#EVT-digest<`), []string{aip.CodePremisOutside}},
		{"an identifier twice", swap(object+"OBJ-c1<", object+"OBJ-package<"),
			[]string{aip.CodePremisDangling, aip.CodePremisTwice}},
		{"an event copied", func(s string) string {
			e := sectionOf(t, s, "digiprovMD", "EVT-digest")
			return strings.Replace(s, e, e+strings.Replace(e, `ID="EVT-digest"`, `ID="EVT-digest-2"`, 1), 1)
		}, []string{aip.CodePremisTwice}},
		{"an event that nothing happened to", func(s string) string {
			e := sectionOf(t, s, "digiprovMD", "EVT-digest")
			e = strings.ReplaceAll(e, "#EVT-digest<", "#EVT-other<")
			e = regexp.MustCompile(`(?s)<premis:linkingObjectIdentifier>.*?</premis:linkingObjectIdentifier>`).
				ReplaceAllString(e, "")
			e = strings.Replace(e, `ID="EVT-digest"`, `ID="EVT-other"`, 1)
			return strings.Replace(s, "<mets:digiprovMD ID=\"EVT-digest\"", e+"<mets:digiprovMD ID=\"EVT-digest\"", 1)
		}, []string{aip.CodeEventObject}},
		{"another outcome of the validation", func(s string) string {
			e := sectionOf(t, s, "digiprovMD", "EVT-val-c1")
			return strings.Replace(s, e, regexp.MustCompile(`(<premis:eventOutcome[^>]*>)[a-z]+<`).
				ReplaceAllString(e, "${1}fail<"), 1)
		}, []string{aip.CodeContainerOutcome}},
		{"another outcome in containerMD", swap(`<cmd:outcome>valid<`, `<cmd:outcome>invalid<`),
			[]string{aip.CodeContainerOutcome}},
		{"fewer entries", match(`entriesInformation number="\d+"`, `entriesInformation number="1"`),
			[]string{aip.CodeContainerCount}},
		{"more entries", match(`entriesInformation number="\d+"`, `entriesInformation number="99"`),
			[]string{aip.CodeContainerCount}},
		{"more responses and entries", func(s string) string {
			s = match(`entriesInformation number="\d+"`, `entriesInformation number="99"`)(s)
			return match(`responseRecords number="\d+"`, `responseRecords number="97"`)(s)
		}, []string{aip.CodeContainerCount}},
		{"another digest in containerMD", match(`cmd:fixity messageDigest="[0-9a-f]{4}`,
			`cmd:fixity messageDigest="0000`), []string{aip.CodeContainerFixity}},
		{"another size in containerMD", match(`(cmd:fixity [^>]*size)="`, `$1="9`), []string{aip.CodeContainerFixity}},
		{"another first capture in MODS", match(`(point="start">)\d{4}`, `${1}1999`), []string{aip.CodeDateCaptured}},
		{"another capture event", func(s string) string {
			e := sectionOf(t, s, "digiprovMD", "EVT-capture")
			return strings.Replace(s, e, regexp.MustCompile(`<premis:eventDateTime>[^<]*<`).
				ReplaceAllString(e, "<premis:eventDateTime>1999-01-01T00:00:00Z<"), 1)
		}, []string{aip.CodeDateCaptured}},
		{"other dates of the responses", func(s string) string {
			return match(`(responseRecords [^>]*DateTime)="\d{4}`, `$1="1998`)(s)
		}, []string{aip.CodeDateCaptured}},
		{"an event in the future", func(s string) string {
			e := sectionOf(t, s, "digiprovMD", "EVT-package")
			return strings.Replace(s, e, regexp.MustCompile(`<premis:eventDateTime>[^<]*<`).
				ReplaceAllString(e, "<premis:eventDateTime>2990-01-01T00:00:00Z<"), 1)
		}, []string{aip.CodeDateFuture}},
		{"made in the future", match(`CREATEDATE="\d{4}`, `CREATEDATE="2990`), []string{aip.CodeDateFuture}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, texts := manyRecords(t)
			o := options(t)
			o.METS, o.Profile, o.ID = form, profile, "x"
			mustPack(t, o, crawlOf(t, map[string]string{"a.warc.gz": zipped(t, texts...)}))
			if codes, r := codesOf(t, o.Out, aip.Options{}); len(codes) > 0 {
				t.Fatalf("before: %+v", r.Findings)
			}
			rewriteMETS(t, o.Out, c.edit)
			if codes, r := codesOf(t, o.Out, aip.Options{}); !slices.Equal(codes, c.want) {
				t.Errorf("%q, want %q: %+v", codes, c.want, r.Findings)
			}
		})
	}
}

// TestClock: a package is in the future of an earlier clock, and the finding names that clock.
func TestClock(t *testing.T) {
	o := options(t)
	mustPack(t, o, crawlOf(t, map[string]string{"a.warc": good}))
	made := o.Now()
	earlier := made.Add(-48 * time.Hour)
	codes, r := codesOf(t, o.Out, aip.Options{Now: earlier})
	if !slices.Equal(codes, []string{aip.CodeDateFuture}) || r.Outcome != "valid" ||
		!strings.Contains(r.Findings[0].Message,
			"the clock of this computer says "+earlier.UTC().Format(time.RFC3339)) {
		t.Errorf("%s: %+v", r.Outcome, r.Findings)
	}
	if codes, r := codesOf(t, o.Out, aip.Options{Now: made.Add(-20 * time.Hour)}); len(codes) > 0 {
		t.Errorf("within a day: %+v", r.Findings)
	}
}

// TestEntitiesOfDocuments: identifiers of PREMIS are valid over all documents of a package. A rights
// statement that a document of pages repeats is no finding, unless it states something else.
func TestEntitiesOfDocuments(t *testing.T) {
	const records, pages = "mets/containers/a.warc.gz.mets.xml.gz", "mets/pages/harvest-1.mets.xml.gz"
	swap := func(a, b string) func(string) string {
		return func(s string) string { return strings.Replace(s, a, b, 1) }
	}
	const object = `<premis:objectIdentifierValue>x#`
	for _, c := range []struct {
		name, of string
		edit     func(string) string
		want     []string
		where    string // of the first finding
	}{
		{"nothing", "", nil, nil, ""},
		{"an event that mets.xml does not have", records, swap("#EVT-digest<", "#EVT-other<"),
			[]string{aip.CodePremisDangling}, records},
		{"an object of mets.xml", records, swap(object+"OBJ-c1-b1<", object+"OBJ-c1<"),
			[]string{aip.CodePremisTwice}, records},
		{"an object twice", records, swap(object+"OBJ-c1-b4<", object+"OBJ-c1-b3<"),
			[]string{aip.CodePremisTwice}, records},
		{"another statement of rights", pages, swap("<premis:act>", "<premis:act>not "),
			[]string{aip.CodePremisTwice}, pages},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, texts := manyRecords(t)
			o := options(t)
			o.METS, o.Profile, o.ID = InDocuments, Full, "x"
			o.Rights = given(t, `{access: open, rules: [{urls: "http://x.example/", access: restricted}]}`)
			mustPack(t, o, crawlOf(t, map[string]string{"a.warc.gz": zipped(t, texts...)}))
			if c.of != "" {
				rewrite(t, o.Out, c.of, c.edit)
			}
			codes, r := codesOf(t, o.Out, aip.Options{})
			if !slices.Equal(codes, c.want) || len(codes) > 0 && r.Findings[0].Path != c.where {
				t.Errorf("%q, want %q: %+v", codes, c.want, r.Findings)
			}
			if text := textOf(t, o.Out, pages); !strings.Contains(text, "premis:rights") {
				t.Errorf("the pages repeat no statement: %s", text)
			}
		})
	}
}
