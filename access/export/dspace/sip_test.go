package dspace

import (
	"archive/zip"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"quire/access/export"
	"quire/access/export/unpack"
	"quire/holdings/holdingstest"
	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/mets"
	"quire/preserve/pages"
)

// manifest is the parsed manifest of a SIP.
type manifest struct {
	names   map[string]string // of files, by ID
	uses    map[string]string
	areas   map[string]mets.Area // of links, by label
	pages   map[string]string    // IDs of files, by label
	links   []mets.SmLink
	primary string
}

func readManifest(t *testing.T, text string) manifest {
	t.Helper()
	m := manifest{map[string]string{}, map[string]string{}, map[string]mets.Area{}, map[string]string{}, nil, ""}
	var open []mets.Div
	err := mets.Read(strings.NewReader(text), mets.Handler{
		File: func(f mets.File, at mets.FilePlace) error {
			m.names[f.ID], m.uses[f.ID] = f.Locations[0].Href, at.Groups[0].Use
			return nil
		},
		Div:    func(d mets.Div, _ int) error { open = append(open, d); return nil },
		EndDiv: func() error { open = open[:len(open)-1]; return nil },
		Fptr: func(f mets.Fptr) error {
			if m.primary == "" {
				m.primary = f.FileID
			}
			if d := open[len(open)-1]; f.Area != nil {
				m.areas[d.XLinkLabel] = *f.Area
			} else if d.XLinkLabel != "" {
				m.pages[d.XLinkLabel] = f.FileID
			}
			return nil
		},
		SmLink: func(l mets.SmLink) error { m.links = append(m.links, l); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSIP: every entry is listed in the manifest under its name; links are at their stated
// positions, and lead to existing files.
func TestSIP(t *testing.T) {
	r, h := open(t, site())
	z, err := zip.OpenReader(run(t, r, h, export.Request{As: "dspace-mets"}))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }() // only read
	content := map[string]string{}
	for _, f := range z.File {
		text, err := fs.ReadFile(z, f.Name)
		if err != nil {
			t.Fatal(err)
		}
		content[f.Name] = string(text)
		for _, no := range []string{"secret two", holdingstest.EICAR()} {
			if strings.Contains(string(text), no) {
				t.Errorf("%s has %q", f.Name, no)
			}
		}
	}
	doc := content["mets.xml"]
	m := readManifest(t, doc)
	if len(m.names) != len(z.File)-1 || m.names[m.primary] != "a.example/index.html" {
		t.Errorf("%d files of %d entries, primary %s", len(m.names), len(z.File), m.names[m.primary])
	}
	for id, name := range m.names {
		use := "CONTENT"
		if name == "quire/mods.xml" || name == "quire/kept-back.json" {
			use = "METADATA"
		}
		if _, ok := content[name]; !ok || m.uses[id] != use {
			t.Errorf("%s: %v, in %s", name, ok, m.uses[id])
		}
	}
	var seen []string
	for _, l := range m.links {
		a := m.areas[l.From]
		begin, _ := strconv.Atoi(a.Begin)
		end, _ := strconv.Atoi(a.End)
		seen = append(seen, content[m.names[a.FileID]][begin:end+1]+" "+m.names[m.pages[l.To]])
	}
	want := `<a href="news/index.html"> a.example/news/index.html|<a href="news/index.html"> ` +
		`a.example/news/index.html|` +
		`<a href="../_-4da3055f9c3a.html"> a.example/_-4da3055f9c3a.html|<a href="../index.html"> a.example/index.html`
	if got := strings.Join(seen, "|"); got != want {
		t.Errorf("links %s\nwant %s", got, want)
	}
	contains(t, doc, `PROFILE="DSpace METS SIP Profile 1.0"`, `MDTYPE="MODS"`)
	schematest.Valid(t, testsamples.Path(t, "schemas", "drivers", "mets-all.xsd"), []byte(doc))
}

func TestTarget(t *testing.T) {
	for _, c := range []struct{ href, want string }{
		{"x.html", "a.example/n/x.html"}, {"../x.html#y", "a.example/x.html"},
		{"../../b.example/x.html", "b.example/x.html"},
		{"#x", ""}, {"http://a.example/", ""}, {"../../quire/not-archived.html#mail", ""}, {"../../../x", ""},
		{"/x", ""}, {"", ""},
	} {
		got, ok := target("a.example/n/y.html", pages.Link{Href: []byte(c.href)})
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %s", c.href, got)
		}
	}
	if _, ok := target("a.example/y.html", pages.Link{Href: []byte(unpack.Dead), Cut: true}); ok {
		t.Error("a link that is cut leads somewhere")
	}
}
