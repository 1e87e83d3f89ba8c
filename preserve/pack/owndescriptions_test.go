package pack

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"quire/preserve/aip"
)

// ownJSON returns a metadata record of JSON.
func ownJSON(id, document string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Date: "+
		"2024-01-02T03:04:05Z\r\nWARC-Target-URI: http://x.example/\r\nWARC-Refers-To: <urn:x:1>\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", id, len(document), document)
}

const ownDescription = `{"Title": {"fr": "Bureau"}, "Collector": "Library", "Language": ["fr", "nl-BE"],
	"URL": "http://x.example/",
	"Shelf": 7}`

// oneMember returns records in one gzip member.
func oneMember(t *testing.T, records string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(records)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestOwnDescriptions: a description that another system stored as JSON in a container is MODS in the
// METS, describes its harvest, and gives the package its title.
func TestOwnDescriptions(t *testing.T) {
	page := answer("1", "http://x.example/", "200")
	for name, files := range map[string]map[string]string{
		"plain":               {"a.warc": page + ownJSON("j", ownDescription)},
		"one member for each": {"a.warc.gz": oneMember(t, page) + oneMember(t, ownJSON("j", ownDescription))},
		"one member for all": {"a.warc.gz": oneMember(t, page+
			ownJSON("other", `{"a": 1}`)+ownJSON("j", ownDescription))},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			r := mustPack(t, o, crawlOf(t, files))
			m := readMETS(t, o.Out)
			check(t, o.Out, aip.Options{})
			valid(t, o.Out, "mets-all.xsd")
			order := int64(2)
			if strings.HasSuffix(name, "all") {
				order = 3
			}
			id := aip.OwnDmdID(1, order)
			for _, want := range []string{
				`<mods:title>Bureau</mods:title>`, `<mods:languageTerm type="code"`,
				`<mods:url>http://x.example/</mods:url>`} {
				if !strings.Contains(section(m, id), want) {
					t.Errorf("no %s in %s", want, section(m, id))
				}
			}
			for _, want := range []string{`DMDID="` + id + `"`,
				"1 description that other systems stored in the containers",
				id + ", not in MODS: the value of \"Shelf\", which is no element",
				"title: the metadata record &lt;urn:x:j&gt; in containers/"} {
				if !strings.Contains(m, want) {
					t.Errorf("the METS has no %s", want)
				}
			}
			if r.Title != "Bureau" {
				t.Errorf("the title is %q", r.Title)
			}
		})
	}
}

// TestNoOwnDescription: JSON that is no description, is damaged or is too long makes no section. The
// event counts the parts that were too long to read, if there are some.
func TestNoOwnDescription(t *testing.T) {
	long := `{"Title": "T", "Collector": "K", "URL": "` + strings.Repeat("x", maxOwnBytes) + `"}`
	for name, documents := range map[string][]string{"other": {`{"a": 1}`, `{"Title": `, "", long},
		"long": {long, ownDescription}} {
		content := answer("1", "http://x.example/", "200")
		for i, d := range documents {
			content += ownJSON(fmt.Sprintf("j%d", i), d)
		}
		o := options(t)
		mustPack(t, o, crawlOf(t, map[string]string{"a.warc": content}))
		m := readMETS(t, o.Out)
		if got, want := strings.Count(m, "<mets:dmdSec ID=\"DMD-own-"), map[string]int{"long": 1}[name]; got != want {
			t.Errorf("%s: %d sections, want %d", name, got, want)
		}
		if got := strings.Contains(m, "and were not read: 1"); got != (name == "long") {
			t.Errorf("%s: the record that was not read is reported: %v", name, got)
		}
	}
}

// TestManyOwnDescriptions: the number in the METS is bounded.
func TestManyOwnDescriptions(t *testing.T) {
	content := answer("1", "http://x.example/", "200") +
		ownJSON("j", "["+strings.Repeat(ownDescription+",", maxOwn+4)+ownDescription+"]")
	o := options(t)
	r := mustPack(t, o, crawlOf(t, map[string]string{"a.warc": content}))
	m := readMETS(t, o.Out)
	if n := strings.Count(m, "<mets:dmdSec ID=\"DMD-own-"); n != maxOwn ||
		!strings.Contains(m, "and were not read: 5") ||
		r.Title == "Bureau" {
		t.Errorf("%d sections, title %q", n, r.Title)
	}
	check(t, o.Out, aip.Options{})
}
