package pack

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/metadata/premis"
	"quire/preserve/aip"
)

// sumsOf returns the SHA-256 and the SHA-512 of bytes, in hexadecimal.
func sumsOf(b []byte) (sum256, sum512 string) {
	a, z := sha256.Sum256(b), sha512.Sum512(b)
	return hex.EncodeToString(a[:]), hex.EncodeToString(z[:])
}

// stating returns the level of an object with that digest, or nil.
func stating(o premis.Object, algorithm, digest string) *premis.Characteristics {
	for i := range o.Characteristics {
		if slices.ContainsFunc(o.Characteristics[i].Fixity, func(f premis.Fixity) bool {
			return f.Algorithm.Text == algorithm && f.Digest == digest
		}) {
			return &o.Characteristics[i]
		}
	}
	return nil
}

// Each file of the package has a premis:object with its size and SHA-512, and its file element names
// it: logs, indexes, documentation, kept originals and their containers.
func TestEachFileHasAnObject(t *testing.T) {
	files := map[string]string{"c/a.warc": good, "c/crawl.log": "x", "c/other.bin": "y",
		"a/a.arc": arcFile("1 0 Quay", "", arcRecord("http://x/ 1.2.3.4 20080430204825 text/html",
			"HTTP/1.0 200 OK\r\n\r\nx"))}
	for name, content := range aMirror() {
		files["m/"+name] = content
	}
	for _, version := range []SchemaVersion{Current, Legacy} {
		o := options(t)
		o.ID, o.Keep, o.SchemaVersion = "x", KeepAlways, version
		o.Documents = []string{crawlOf(t, map[string]string{"policy.yaml": "z"}) + "/policy.yaml"}
		mustPack(t, o, crawlOf(t, files))
		d := readBack(t, o.Out)
		linked(t, d)
		groups := map[string]int{}
		for id, f := range fetchAll(t, o.Out) {
			if f.in != "" {
				continue
			}
			groups[f.group]++
			at := slices.IndexFunc(f.AdmID, func(id string) bool { return strings.HasPrefix(id, "AMD-") })
			if at < 0 {
				t.Errorf("%q: %s names no object: %v", version, id, f.AdmID)
				continue
			}
			_, sum := sumsOf(f.bytes)
			object := d.objects["x#OBJ-"+strings.TrimPrefix(f.AdmID[at], "AMD-")]
			level := stating(object, "SHA-512", sum)
			if size := int64(len(f.bytes)); level == nil || level.Size.String() != f.Size.String() || size == 0 {
				t.Errorf("%q: the object of %s, %s, does not describe it: %+v", version, id, f.AdmID[at], object)
			}
			if !slices.ContainsFunc(object.Events, func(l premis.Link) bool {
				return l.Value == "x#EVT-digest" || l.Value == "x#EVT-mig-c2" || l.Value == "x#EVT-mig-c1"
			}) {
				t.Errorf("%q: %s names no event of its digest: %v", version, id, object.Events)
			}
		}
		for use, least := range map[string]int{aip.UseContainers: 3, aip.UseOriginals: 3, aip.UseLogs: 2,
			aip.UseDocuments: 1, aip.UseIndexes: 3} {
			if groups[use] < least {
				t.Errorf("%q: %d files in %s", version, groups[use], use)
			}
		}
		check(t, o.Out, aip.Options{})
		t.Run("schemas", func(t *testing.T) { check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")}) })
	}
}

// In full each bytestream has SHA-256 and SHA-512, as sent and as served, and the event names both
// algorithms. Compact computes no SHA-512 of bytestreams.
func TestBytestreamsHaveBothDigests(t *testing.T) {
	coded := record("response",
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"+
			chunked(zipped(t, html)), "WARC-Target-URI: http://x.example/", "Content-Type: application/http")
	plain := record("resource", "GIF", "WARC-Target-URI: http://x/a.gif", "Content-Type: image/gif")
	o := options(t)
	o.Profile, o.ID = Full, "x"
	mustPack(t, o, crawlOf(t, map[string]string{"a.warc.gz": zipped(t, warcinfo, coded, plain)}))
	d := readBack(t, o.Out)
	n := 0
	for id, f := range fetchAll(t, o.Out) {
		if f.ChecksumType != "SHA-256" {
			continue
		}
		n++
		sum256, sum512 := sumsOf(f.bytes)
		object := d.objects["x#"+f.AdmID[0]]
		a, z := stating(object, "SHA-256", sum256), stating(object, "SHA-512", sum512)
		if a == nil || a != z {
			t.Errorf("%s: no level of its object has both digests: %+v", id, object.Characteristics)
		}
	}
	if n != 4 {
		t.Errorf("%d bytestreams", n)
	}
	details := strings.Join(d.events["x#EVT-digest"].Details, "\n")
	for _, want := range []string{"algorithm SHA-512: every file of the package; each bytestream",
		"algorithm SHA-256: each bytestream"} {
		if !strings.Contains(details, want) {
			t.Errorf("the event does not name %q: %s", want, details)
		}
	}
	o = options(t)
	o.ID = "x"
	mustPack(t, o, crawlOf(t, map[string]string{"a.warc.gz": zipped(t, warcinfo, coded, plain)}))
	if details := strings.Join(readBack(t, o.Out).events["x#EVT-digest"].Details, "\n"); strings.Contains(details,
		"each bytestream") {
		t.Errorf("compact: %s", details)
	}
}
