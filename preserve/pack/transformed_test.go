package pack

import (
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/preserve/aip"
)

// A page with restored links renders: it is below its container in each profile. The original file
// is in a group of its own, and the page is its transformation.
func TestOriginalsOfPagesStandApart(t *testing.T) {
	found := record("resource", html, "WARC-Target-URI: urn:mirror-file:m/index.html", "Content-Type: text/html",
		"Mirror-Part: file")
	other := strings.Replace(record("resource", "GIF", "WARC-Target-URI: urn:mirror-file:m/a.gif",
		"Content-Type: image/gif", "Mirror-Part: file"), "urn:x:resource", "urn:x:other", 1)
	page := record("conversion", html+"<!-- turned -->", "WARC-Target-URI: http://x.example/",
		"Content-Type: text/html", "Mirror-Part: payload", "WARC-Refers-To: <urn:x:resource>")
	for name, file := range map[string][2]string{
		"plain":             {"a.warc", warcinfo + found + other + page},
		"a member each":     {"a.warc.gz", zipped(t, warcinfo, found, other, page)},
		"all in one member": {"a.warc.gz", zipped(t, warcinfo+found+other+page)},
	} {
		for _, profile := range []Profile{Compact, Full} {
			o := options(t)
			o.Profile, o.ID = profile, "x"
			mustPack(t, o, crawlOf(t, map[string]string{file[0]: file[1]}))
			all := fetchAll(t, o.Out)
			b := all["FILE-c1-b4"]
			if string(b.bytes) != html+"<!-- turned -->" || b.group != aip.UseContainers ||
				b.OwnerID != "http://x.example/" {
				t.Errorf("%s, %q: the page is %+v", name, profile, b)
			}
			for id, x := range all {
				described := strings.HasSuffix(id, "2") || strings.HasSuffix(id, "4")
				if profile == Compact && x.in != "" && !described {
					t.Errorf("%s: compact has %s in %s", name, id, x.group)
				}
			}
			if o := all["FILE-c1-b2"]; o.group != aip.UseOriginalFiles || string(o.bytes) != html {
				t.Errorf("%s, %q: the file as found is in %q", name, profile, o.group)
			}
			if o, ok := all["FILE-c1-b3"]; ok != (profile == Full) || ok && o.group != aip.UseContainers {
				t.Errorf("%s, %q: a file of which nothing was made is in %q", name, profile, o.group)
			}
			d := readBack(t, o.Out)
			linked(t, d)
			relations := d.objects["x#OBJ-c1-b4"].Relationships
			if last := relations[len(relations)-1]; last.SubType.Text != "Transformation" ||
				last.Objects[0].Value != "x#OBJ-c1-b2" {
				t.Errorf("%s, %q: the page is related so: %+v", name, profile, relations)
			}
			if _, ok := d.objects["x#OBJ-c1-b3"]; ok != (profile == Full) {
				t.Errorf("%s, %q: a file of which nothing was made is described: %v", name, profile, ok)
			}
			document := read(t, o.Out, "mets.xml")
			if pages := strings.Count(document, `TYPE="web page"`); pages == 1 != (profile == Full) ||
				profile == Full && !strings.Contains(document,
					`TYPE="web page">`+"\n"+`          <mets:fptr FILEID="FILE-c1-b4"/>`) {
				t.Errorf("%s, %q: %d pages", name, profile, pages)
			}
			check(t, o.Out, aip.Options{})
			t.Run("schemas", func(t *testing.T) {
				check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")})
			})
		}
	}
}
