package pack

import (
	"context"
	"errors"
	"fmt"
	markup "html"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"quire/internal/testsamples"
	"quire/preserve/aip"
)

// Values with characters that XML forbids, values that imitate XML, and long values. No crawler
// keeps them out.
var hostileValues = map[string]string{
	"control characters":   "a\x01\x02\x1b[31mb\x7f\x0bc",
	"bytes that no UTF-8":  "caf\xe9 \xff\xfe \xed\xa0\x80 \xc3",
	"no characters":        "a\ufffe\uffffb\ufffd",
	"markup":               `]]>"><!-- <mets:x a='&lt;' --> <![CDATA[ &amp; &#0; <?x?>`,
	"a forged instruction": "x<?quire-bytes text eA==?>\ufffd\x01<?quire-bytes @LABEL eA==?>",
	"long":                 strings.Repeat("abcdefghij", 100_000),
	"long, with a byte":    strings.Repeat("abcdefghij", 10) + "\xff" + strings.Repeat("klmnopqrst", 99_980),
}

// hostileSource writes a value into every suitable field of a crawl.
func hostileSource(t *testing.T, value string) (dir, name string) {
	field := func(f string) string { return "f " + f + ": " + value }
	request := record("request", "GET /"+value+" HTTP/1.1\r\nHost: "+value+"\r\nUser-Agent: "+value+"\r\n\r\n",
		"WARC-Target-URI: http://r.example/"+value, "Content-Type: application/http; msgtype=request")
	page := "<html lang=\"" + value + "\"><title>" + field("title") + "</title><meta name=\"" + value +
		"\" content=\"" + value + "\"><a href=\"/" + value + "\">x</a>"
	if len(value) > 100_000 { // record heads and HTTP heads are limited to a MiB each
		request = ""
	}
	warc := record("warcinfo", "software: "+field("software")+"\r\n") +
		record("response", "HTTP/1.1 200 "+value+"\r\nContent-Type: text/html\r\n\r\n"+page,
			"WARC-Target-URI: http://x.example/"+field("url"), "Content-Type: application/http") +
		record("resource", "x", "WARC-Target-URI: http://"+value+"/", "Content-Type: text/plain") +
		record("resource", "x", "WARC-Target-URI: http://z.example/", "Content-Type: m-"+value) +
		record("response", "HTTP/1.1 200 OK\r\nContent-Type: "+value+"\r\nServer: y\r\n\r\n"+page,
			"WARC-Target-URI: http://y.example/", "Content-Type: application/http") + request
	name = "x"
	if len(value) < 100 { // as allowed by a file system
		name = "n" + strings.ReplaceAll(value, "/", "")
	}
	log := "2024-01-02T03:04:05.000Z   200 5 http://x.example/" + value + " - - " + value + "\n"
	return crawlOf(t, map[string]string{name + ".warc": warc, "logs/" + name: field("log"), "crawl.log": log,
		"seeds.txt": "http://x.example/" + value + "\n"}), name
}

var hostileProfiles = []Profile{Compact, Full, Linked}

// With hostile input in every field that reaches XML, the METS stays valid. The original bytes can
// be restored by docs/reference/350_xml-escaping.md alone.
func TestHostileValues(t *testing.T) {
	for kind, value := range hostileValues {
		for _, profile := range hostileProfiles {
			for _, version := range []SchemaVersion{Current, Legacy} {
				t.Run(strings.Join([]string{kind, profile.name(Single), string(version)}, "/"), func(t *testing.T) {
					if long := len(value) > 1000; long && version == Legacy || long && testing.Short() {
						t.Skip("megabytes in many places take seconds each")
					}
					hostileValue(t, value, profile, version)
				})
			}
		}
	}
}

func hostileValue(t *testing.T, value string, profile Profile, version SchemaVersion) {
	dir, name := hostileSource(t, value)
	o := options(t)
	o.ID, o.Title, o.Profile, o.SchemaVersion = "x", "title "+value, profile, version
	written := utf8.ValidString(value) && len(value) < 1_000_000 // YAML can contain it, up to a MiB
	if written {
		o.Rights = filepath.Join(t.TempDir(), "rights.yaml")
		text := fmt.Sprintf("access: onsite\ncopyright: {statement: %s}\nnote: %[1]s\n",
			strconv.QuoteToASCII("f rights: "+value))
		if err := os.WriteFile(o.Rights, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sheet := filepath.Join(t.TempDir(), "sheet.csv")
	cell := strings.ReplaceAll("f sheet: "+value, `"`, `""`)
	if err := os.WriteFile(sheet, []byte("Title,URL,Description\nHarbour,http://y.example/,\""+cell+"\"\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	o.Sheet = &Sheet{Path: sheet}
	_, refused := Pack(context.Background(), []string{dir}, o)
	if refused != nil { // a sheet may be refused with a reason
		if !errors.Is(refused, ErrSheet) {
			t.Fatal(refused)
		}
		t.Logf("the sheet: %.200v", refused)
		o.Sheet = nil
		mustPack(t, o, dir)
	}
	check(t, o.Out, aip.Options{})
	mets := read(t, o.Out, aip.METSName)
	values := recovered(t, mets)
	begin := value[:min(len(value), 1900)] // facts are limited to 2000 bytes
	typed := value[:min(len(value), 200)]  // and names to 256
	page := value[:min(len(value), 16000)] // and the declarations of a page to 16 KiB, as parsed by HTML
	for field, where := range map[string]struct {
		want string
		told bool
	}{
		"title":         {"title " + value, true},
		"warcinfo":      {"f software: " + begin, true},
		"log's name":    {"logs/" + name, true},
		"WARC's name":   {name + ".warc", true},
		"media type":    {"m-" + typed, true},
		"target URI":    {"http://x.example/f url: " + value, profile != Compact},
		"sheet":         {"f sheet: " + value, refused == nil},
		"rights":        {"f rights: " + value, written},
		"title of page": {"f title: " + markup.UnescapeString(page), profile == Linked},
	} {
		if where.told && !contained(values, where.want) {
			t.Errorf("%s is not to be had back", field)
		}
	}
	t.Run("schemas", func(t *testing.T) { check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")}) })
}

func contained(values []string, want string) bool {
	for _, v := range values {
		if strings.Contains(v, want) {
			return true
		}
	}
	return false
}
