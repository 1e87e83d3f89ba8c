package pack

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/aip"
)

func arcFile(versionLine, metadata string, records ...string) string {
	block := versionLine + "\nURL IP-address Archive-date Content-type Archive-length\n" + metadata
	out := fmt.Sprintf("filedesc://h.arc 10.0.0.1 20080430204825 text/plain %d\n%s\n", len(block), block)
	for _, r := range records {
		out += r
	}
	return out
}

func arcRecord(head, block string) string { return fmt.Sprintf("%s %d\n%s\n", head, len(block), block) }

// For any container content, the package is made, and its METS is valid by the schemas. The crawler
// or the web caused the content, and the bytes must still be packed.
var hostile = map[string]string{
	"a.warc: control characters in each field": record("warcinfo",
		"software: B\x01oat\xff\r\noperator: \x1b[31mAda\r\nisPartOf: a\x00b\x0b\r\ndescription: \xed\xa0\x80\r\n") +
		record("response", "HTTP/1.1 200 OK\r\nContent-Type: te\x01xt/\xffhtml\r\n\r\nx",
			"WARC-Target-URI: http://h\x02o\xfest/", "Content-Type: application/http\x03"),
	"b.warc: no version, no media type, odd status": record("response", "HTTP/9 099999999999999999999 x\r\n\r\n",
		"WARC-Target-URI: http://x/", "Content-Type: application/http") +
		record("response", "HTTP/ -1\r\n\r\n", "WARC-Target-URI: http://x/", "Content-Type: application/http") +
		record("response", "ICY 200 OK\r\n\r\n", "WARC-Target-URI: http:///", "Content-Type: application/http"),
	"c.warc: an unknown type": record("a b\x01c", "x") + record("", "x") +
		record("conversion", "x", "WARC-Target-URI: x:") + record("continuation", ""),
	"d.warc: dates no calendar has": strings.ReplaceAll(good, "2024-01-02T03:04:05Z", "99999-13-99T99:99:99Z"),
	"e.warc: dates in the year 0 and 9999": strings.Replace(strings.ReplaceAll(good, "2024-01-02T03:04:05Z",
		"0001-01-01T00:00:00Z"),
		"0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", 1),
	"f.warc: dates with fractions": strings.ReplaceAll(strings.ReplaceAll(good, "WARC/1.0", "WARC/1.1"),
		"2024-01-02T03:04:05Z", "2024-01-02T03:04:05.123456789Z") +
		strings.ReplaceAll(strings.ReplaceAll(good, "WARC/1.0", "WARC/1.1"), "2024-01-02T03:04:05Z",
			"2024-01-02T03:04:06.5Z"),
	"g.warc: two versions": good + strings.ReplaceAll(good, "WARC/1.0", "WARC/1.1"),
	"h.warc: only white space": record("warcinfo",
		"software:  \t \r\noperator: \x0b\r\nisPartOf: \x0c\r\npublisher: \u00a0\r\n") + good,
	"i.warc: a very long field": record("warcinfo", "software: "+strings.Repeat("x", 100_000)+"\r\n") + good,
	"j.arc: a proper one": arcFile("1 0 Saltmarsh", "",
		arcRecord("http://x/ 1.2.3.4 20080430204825 text/html", "HTTP/1.0 200 OK\r\n\r\nx")),
	"k.arc: an origin with brackets": arcFile("1 1 <a&b\x01>",
		"<?xml version=\"1.0\"?><arcmetadata><software>&#65; b</software><operator/></arcmetadata>"),
	"l.arc: nothing in its place": "filedesc://\x01 no.where 99999999999999 - 9\n9 9 9\n9\n9\n" +
		arcRecord("x: - - -", "y"),
	"m.warc.gz: no gzip": "\x1f\x8bnot gzip",
	"n.warc: nothing":    "",
}

func TestHostileContainers(t *testing.T) {
	for name, content := range hostile {
		t.Run(name, func(t *testing.T) {
			file, _, _ := strings.Cut(name, ":")
			o := options(t)
			o.Keep = KeepAlways
			r := mustPack(t, o, crawlOf(t, map[string]string{file: content, "zz.warc": good}))
			place := "containers"
			if strings.HasSuffix(file, ".arc") {
				place = "original"
			}
			if r.Containers != 2 || read(t, o.Out, place, file) != content {
				t.Errorf("%d containers, or other bytes", r.Containers)
			}
			check(t, o.Out, aip.Options{})
			described, err := aip.Describe(os.DirFS(o.Out))
			if err != nil || described.ID != r.ID || described.Records != r.Records {
				t.Errorf("described as %+v, %v", described, err)
			}
			t.Run("schemas", func(t *testing.T) {
				check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")})
			})
		})
	}
}

// Facts beyond the limit are counted, not silently dropped.
func TestFactsBeyondTheCap(t *testing.T) {
	var h harvest
	for i := range maxFacts + 7 {
		h.add(&model.Container{Outcome: model.Valid, Format: "WARC", Path: "x",
			Info: []model.Field{{Name: "Hostname", Value: fmt.Sprint(i)}}}, false)
	}
	if len(h.facts) != maxFacts || h.more != 7 || h.containers != maxFacts+7 {
		t.Errorf("%d facts, %d more, %d containers", len(h.facts), h.more, h.containers)
	}
}
