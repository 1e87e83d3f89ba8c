//go:build interop

package dspace

import (
	"archive/zip"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// The crawls for DSpace, below the shared samples.
var crawls = []struct{ id, source string }{
	{"blackbook", "netarchivesuite_jwat/jwat-gzip/IAH-20080430204825-00000-blackbook.warc.gz"},
	{"govuk", "ukwa_webarchive-discovery/gov.uk-revisit-warcs/BL-20140325121225068-00000-32090~opera~8443.warc.gz"},
	{"wacz", "webrecorder_browsertrix/example-2.wacz"},
	{"kiwix", "openzim_warc2zim/data/kiwix-with-redirects.warc.gz"},
}

// answer is DSpace's reading of one path: lines of fields.
type answer [][]string

// of returns the fields after a word.
func (a answer) of(word string) (all [][]string) {
	for _, line := range a {
		if line[0] == word {
			all = append(all, line[1:])
		}
	}
	return all
}

// ask has DSpace read paths.
func ask(t *testing.T, paths ...string) map[string]answer {
	t.Helper()
	said, at := map[string]answer{}, ""
	for line := range strings.Lines(peers.Java(t, "dspace", paths, "AskDSpace.java", "ImportItems.java",
		"ReadManifest.java")) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if fields[0] == "path" {
			at = fields[1]
			continue
		}
		said[at] = append(said[at], fields)
	}
	return said
}

// exports makes a repository of the crawls and exports each of them.
func exports(t *testing.T, forms map[string][]string) map[string]string {
	t.Helper()
	quire, work := peers.Quire(t), t.TempDir()
	repo, rights := filepath.Join(work, "repository"), filepath.Join(work, "rights.yaml")
	if err := os.WriteFile(rights, []byte("access: open\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	peers.Call(t, nil, quire, "init", repo)
	out := map[string]string{}
	for _, c := range crawls {
		pkg := filepath.Join(work, c.id)
		peers.Call(t, nil, quire, "pack", testsamples.Path(t, "samples", c.source), "--out", pkg, "--id", c.id,
			"--rights", rights)
		peers.Call(t, nil, quire, "ingest", pkg, "--repo", repo)
		for name, args := range forms {
			to := filepath.Join(work, c.id+"-"+name)
			peers.Call(t, nil, quire, append([]string{"export", c.id, "--repo", repo, "--out", to}, args...)...)
			out[c.id+"-"+name] = to
		}
	}
	return out
}

// Every file of an item is a bitstream of its actual size, and one is the primary bitstream. The
// metadata use the two schemas that every DSpace has.
func TestSimpleArchive(t *testing.T) {
	made := exports(t, map[string][]string{"site": {"--as", "dspace-saf", "--package-as", "site"},
		"page": {"--as", "dspace-saf", "--package-as", "page"}})
	var paths []string
	for _, p := range made {
		paths = append(paths, p)
	}
	said := ask(t, paths...)
	for name, path := range made {
		a := said[path]
		if bad := a.of("refused"); bad != nil {
			t.Errorf("%s: %v", name, bad)
		}
		files, own := filesOf(t, path)
		if got := len(a.of("bitstream")); got != files {
			t.Errorf("%s: DSpace has %d bitstreams of %d files", name, got, files)
		}
		if got := len(a.of("item")); got != own || got == 0 {
			t.Errorf("%s: %d items, %d lists of contents", name, got, own)
		}
		if got := len(a.of("primary")); got != own {
			t.Errorf("%s: %d primary bitstreams of %d items", name, got, own)
		}
		if strings.HasSuffix(name, "-page") {
			pages(t, name, a)
		}
		for _, m := range a.of("metadata") {
			if !strings.HasPrefix(m[0], "dc.") && !strings.HasPrefix(m[0], "dcterms.") || m[1] == "" {
				t.Errorf("%s: metadata %q", name, m)
			}
		}
		t.Logf("%s: %d items, %d bitstreams, %d values", name, own, files, len(a.of("metadata")))
	}

	// DSpace must notice a missing file. Otherwise the test would prove nothing.
	broken := made["wacz-site"]
	if err := os.Remove(filepath.Join(broken, "item_000001", "quire", "mods.xml")); err != nil {
		t.Fatal(err)
	}
	if ask(t, broken)[broken].of("refused") == nil {
		t.Error("DSpace does not notice that a file is missing")
	}
}

// pages checks the items of pages: the primary bitstream is the page itself, at the item's address, and
// the values are the page's own.
func pages(t *testing.T, name string, a answer) {
	t.Helper()
	var address, primary string
	described := map[string]string{}
	end := func() {
		if primary != "" && !strings.HasPrefix(primary, "warc/") &&
			!strings.HasPrefix(described[primary], address+", captured ") {
			t.Errorf("%s: item of %q, primary bitstream %s: %q", name, address, primary, described[primary])
		}
		address, primary = "", ""
		clear(described)
	}
	for _, line := range a {
		switch line[0] {
		case "item":
			end()
		case "metadata":
			switch field, value := line[1], line[2]; {
			case field == "dc.identifier.uri":
				address = value
			case field == "dc.language.iso" && strings.Contains(value, "_"):
				t.Errorf("%s: language %q", name, value)
			case field == "dc.description" && strings.Contains(value, "blob: 'unsafe-inline'"):
				t.Errorf("%s: %s", name, value)
			}
		case "description":
			described[line[1]] = line[2]
		case "primary":
			primary = line[2]
		}
	}
	end()
}

// filesOf counts the items of an archive and the bitstreams that DSpace should import from them.
func filesOf(t *testing.T, dir string) (files, items int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		item, name, ok := strings.Cut(filepath.ToSlash(rel), "/")
		switch {
		case !ok || !strings.HasPrefix(item, "item_"):
		case name == "contents":
			items++
		case name == "dublin_core.xml", name == "metadata_dcterms.xml":
		default:
			files++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, items
}

// Every entry of the ZIP except the manifest is a bitstream with the entry's name. The manifest is
// valid METS.
func TestMETS(t *testing.T) {
	made := exports(t, map[string][]string{"mets.zip": {"--as", "dspace-mets"}})
	var paths []string
	for _, p := range made {
		paths = append(paths, p)
	}
	said := ask(t, paths...)
	for name, path := range made {
		a := said[path]
		if bad := a.of("refused"); bad != nil {
			t.Errorf("%s: %v", name, bad)
		}
		z, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(a.of("bitstream")); got != len(z.File)-1 {
			t.Errorf("%s: DSpace has %d bitstreams of %d entries", name, got, len(z.File))
		}
		if p := a.of("primary"); len(p) != 1 || p[0][0] == "" {
			t.Errorf("%s: primary bitstream %v", name, p)
		}
		// DSpace reads one section of a group, MODS before DC, and the sections of other groups.
		if d := a.of("description"); len(d) != 3 || d[0][0] != "MODS" || d[0][1] != d[1][1] || d[2][0] != "DIM" ||
			d[2][1] == d[0][1] {
			t.Errorf("%s: descriptions %v", name, d)
		}
		dates := 0
		for _, m := range a.of("metadata") {
			if m[0] == "dc.date" {
				dates++
			}
		}
		if dates == 0 {
			t.Errorf("%s: DSpace reads no date of capture: %v", name, a.of("metadata"))
		}
		mets := filepath.Join(t.TempDir(), "mets.xml")
		text, err := fs.ReadFile(z, "mets.xml")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(mets, text, 0o666); err != nil {
			t.Fatal(err)
		}
		peers.Xmllint(t, testsamples.Path(t, "schemas"), "mets-all.xsd", mets)
		t.Logf("%s: %d entries", name, len(z.File))
		_ = z.Close() // read only
	}
}
