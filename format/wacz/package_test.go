package wacz

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"quire/format/fault"
)

const hex256 = "9574af2c702daba757b89a7358df2799c5e393e1ee4edb6b00bea1c44f62ca3b"

// TestPackages checks the forms of datapackage.json: the fields in files of py-wacz, js-wacz,
// Scoop, ArchiveWeb.page and Browsertrix, and in the drafts.
func TestPackages(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     Package
	}{
		{"1.1.1",
			`{"profile":"data-package","wacz_version":"1.1.1","software":"S","created":"2023-02-19T00:50:03.128Z",` +
				`"resources":[{"name":"d","path":"archive/d.warc","hash":"sha256:` + hex256 +
				`","bytes":5}],"mainPageUrl":"http://a/","mainPageDate":"2023"}`,
			Package{Profile: "data-package", Version: "1.1.1", Software: "S", Created: "2023-02-19T00:50:03.128Z",
				HomeURL: "http://a/", HomeTime: "2023",
				Resources: []Resource{{"d", "archive/d.warc", Hash{"sha256", hex256, ""}, 5}}}},
		{"1.0.0, hash in stats, title in metadata",
			`{"profile":"data-package","wacz_version":"1.0.0","metadata":{"title":"T","desc":"D"},` +
				`"resources":[{"path":"p","stats":{"hash":"` + strings.ToUpper(hex256) +
				`","bytes":194},"hashing":"sha256"}]}`,
			Package{Profile: "data-package", Version: "1.0.0", Title: "T", Description: "D",
				Resources: []Resource{{"", "p", Hash{"sha256", hex256, ""}, 194}}}},
		{"before 1.0.0, pages within, another name for the hash",
			`{"profile":"data-package","title":"T","pages":[{"title":"E","date":"2020-10-07T21:22:36Z",` +
				`"url":"http://e/"},{}],"resources":[{"path":"p","stats":{"hash":"` + hex256 +
				`","bytes":0},"hashing":"sha224"}]}`,
			Package{Profile: "data-package", Title: "T",
				Resources: []Resource{{"", "p", Hash{"sha256", hex256, "sha224"}, 0}},
				Pages: []Page{{URL: "http://e/", Title: "E", TS: "2020-10-07T21:22:36Z",
					Time: time.Date(2020, 10, 7, 21, 22, 36, 0, time.UTC), Size: -1, Depth: -1, LoadState: -1}}}},
		{"Browsertrix, without a profile, with its dependencies",
			`{"wacz_version":"1.1.1","relation":{"requires":["a.wacz",{"filename":"b.wacz","hash":"sha256:` + hex256 +
				`","size":7,"crawlId":"c1"},{"name":"c"},5]},"resources":[]}`,
			Package{Version: "1.1.1", Requires: []Requirement{{Name: "a.wacz", Bytes: -1},
				{"b.wacz", Hash{"sha256", hex256, ""}, 7, "c1"}, {Name: "c", Bytes: -1}}}},
		{"draft of 1.2.0",
			`{"profile":"wacz","home":{"url":"http://h/","ts":"2024-01-01T00:00:00Z"},"resources":[{"path":"x"}],` +
				`"organization":"O","contributors":[{"title":"Ann","email":"a@b"}]}`,
			Package{Profile: "wacz", HomeURL: "http://h/", HomeTime: "2024-01-01T00:00:00Z", Organization: "O",
				Creator: "Ann a@b", Resources: []Resource{{Path: "x", Bytes: -1}}}},
		{"a package of packages",
			`{"profile":"multi-wacz-package","id":"62b7","resources":[{"name":"w","path":"w.wacz","hash":"sha256:x",` +
				`"bytes":"5"}]}`,
			Package{Profile: "multi-wacz-package", ID: "62b7",
				Resources: []Resource{{"w", "w.wacz", Hash{Stated: "sha256"}, -1}}}},
		{"fields of other kinds", "\xef\xbb\xbf" +
			`{"title":5,"description":["x"],"created":null,"resources":[7,{"path":null}],"home":"x",` +
			`"relation":{"requires":"y"}}`,
			Package{Title: "5", Description: `["x"]`, Resources: []Resource{{Bytes: -1}, {Bytes: -1}}}},
	} {
		p, err := ReadPackage(strings.NewReader(c.in))
		if err != nil || fmt.Sprintf("%+v", *p) != fmt.Sprintf("%+v", c.want) {
			t.Errorf("%s: %v\n%+v\n%+v", c.name, err, p, c.want)
		}
	}
	for _, bad := range []string{"", "[]", "{", `{"resources":5}`, `{"relation":5}`} {
		if p, err := ReadPackage(strings.NewReader(bad)); err == nil || p != nil {
			t.Errorf("%q is a package: %+v", bad, p)
		}
	}
	if _, err := ReadPackage(io.LimitReader(spaces{}, maxPackage+5)); !errors.Is(err, errLarge) {
		t.Error(err)
	}
}

// spaces is an endless file.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestHashes(t *testing.T) {
	for _, c := range []struct{ algorithm, value, want, stated string }{
		{"", "sha256:" + hex256, "sha256:" + hex256, ""},
		{"", "SHA-256:" + strings.ToUpper(hex256), "sha256:" + hex256, ""}, {"sha256", hex256, "sha256:" + hex256, ""},
		{"", strings.Repeat("0", 32), "md5:" + strings.Repeat("0", 32), ""},
		{"sha224", hex256, "sha256:" + hex256, "sha224"},
		{"", "sha1:" + strings.Repeat("a", 40), "sha1:" + strings.Repeat("a", 40), ""},
		{"", "", "", ""}, {"", "sha256:xyz", "", "sha256"}, {"", "sha999:abcd", "sha999:abcd", "sha999"},
	} {
		h := ParseHash(c.algorithm, c.value)
		if h.String() != c.want || h.Stated != c.stated {
			t.Errorf("%q, %q: %+v", c.algorithm, c.value, h)
		}
		if known := h.new() != nil; known != (c.want != "" && c.stated != "sha999") {
			t.Errorf("%q is known: %v", h, known)
		}
	}
}

func TestPages(t *testing.T) {
	in := "\xef\xbb\xbf" + `{"format":"json-pages-1.0","id":"pages","title":"Seed Pages","hasText":"false"}` + "\n" +
		`{"id":"1","url":"http://a/","title":"A","loadState":4,"ts":"2024-05-01T10:00:00.5Z","mime":"text/html",` +
		`"status":200,"seed":true,"depth":0,"text":"héllo"}` + "\r\n\n" +
		`{"url":"http://b/","timestamp":"20240501100000","size":12}` + "\n" +
		`{"url":"http://c/","ts":1714557600000}` + "\n" + `{"url":"http://d/"}` + "\n" + "broken\n" +
		`{"title":"no url","ts":"2024-05-01T10:00:00Z"}` + "\n" +
		`{"url":"http://e/","ts":"2024-05-01T12:00:00+02:00","text":"` + strings.Repeat("x", 100<<10) + `"}`
	var got, bad []string
	for p, err := range Pages(strings.NewReader(in), func(f fault.Fault) { bad = append(bad, f.String()) }) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(p.Line, p.URL, p.Time.Format(" 15:04:05.9 "), p.Status, p.Seed, p.Depth,
			p.LoadState, p.Size, p.Text))
	}
	want := []string{"2http://a/ 10:00:00.5 200 true 0 4 -1 6", "4http://b/ 10:00:00 0 false -1 -1 12 0",
		"5http://c/ 10:00:00 0 false -1 -1 -1 0", "6http://d/ 00:00:00 0 false -1 -1 -1 0",
		"9http://e/ 10:00:00 0 false -1 -1 -1 102400"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || len(bad) != 3 {
		t.Errorf("%s\n%s", strings.Join(got, "\n"), strings.Join(bad, "\n"))
	}
	long := strings.Repeat("x", maxPage+1) + "\n" + `{"url":"http://a/","ts":"2024-05-01T10:00:00Z"}`
	n := 0
	for p, err := range Pages(strings.NewReader(long), func(fault.Fault) { n += 10 }) {
		if n++; err != nil || p.URL != "http://a/" {
			t.Error(p, err)
		}
	}
	if n != 11 {
		t.Errorf("a line that is too long, and the next: %d", n)
	}
}

func TestTimes(t *testing.T) {
	want := time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)
	for _, s := range []string{"2024-05-01T10:00:00Z", "2024-05-01T12:00:00+02:00", "2024-05-01T10:00:00",
		"2024-05-01 10:00:00", "20240501100000", "1714557600000", " 2024-05-01T10:00:00.000Z "} {
		if got, err := ParseTime(s); err != nil || !got.Equal(want) {
			t.Errorf("%q: %s, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "null", "5", "99999999999999999999", "2024-13-01T10:00:00Z"} {
		if got, err := ParseTime(s); err == nil {
			t.Errorf("%q: %s", s, got)
		}
	}
}

func TestLayout(t *testing.T) {
	for _, c := range []struct {
		name    string
		m       made
		faults  string
		verdict Verdict
	}{
		{"nothing", made{}, "WACZ-DATAPACKAGE-MISSING", NotChecked},
		{"no JSON", made{PackageName: "x"}, "WACZ-DATAPACKAGE", NotChecked},
		{"no profile", made{PackageName: `{"resources":[]}`},
			"WACZ-PROFILE WACZ-PAGES-MISSING WACZ-INDEX-MISSING WACZ-ARCHIVE-MISSING", NotChecked},
		{"another profile", made{PackageName: `{"profile":"tabular-data-package"}`},
			"WACZ-PROFILE WACZ-PAGES-MISSING WACZ-INDEX-MISSING WACZ-ARCHIVE-MISSING", NotChecked},
		{"packages on the web",
			made{PackageName: `{"profile":"multi-wacz","resources":[{"path":"https://a.test/x.wacz"}]}`}, "",
			NotChecked},
		{"no hash", made{PackageName: `{"profile":"multi-wacz","resources":[{"path":"x.wacz"},{"name":"y"}]}`,
			"x.wacz": "x"}, "WACZ-RESOURCE WACZ-RESOURCE", NotChecked},
		{"size alone differs",
			made{PackageName: `{"profile":"multi-wacz","resources":[{"path":"x.wacz","bytes":2,"hash":"` + sha("x") +
				`"}]}`, "x.wacz": "x"}, "WACZ-RESOURCE-SIZE", Fail},
	} {
		got, faults := checked(t, c.m, Options{})
		if faults != c.faults || got.Verdict() != c.verdict {
			t.Errorf("%s: %s, %s", c.name, faults, got.Verdict())
		}
	}
	skipped := good()
	skipped.describe(t, nil)
	if got, faults := checked(t, skipped, Options{SkipContent: true}); faults != "" || got.Verdict() != NotChecked ||
		got.Step(StepDigest).Verdict != Pass {
		t.Errorf("%s, %s", faults, got.Verdict())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Check(ctx, skipped.files(), Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestNames(t *testing.T) {
	for p, want := range map[string]bool{"indexes/index.cdx.gz": true, "indexes/index.idx": true, "index.cdxj": true,
		"archive/a.warc.gz": false, "pages/pages.jsonl": false} {
		if IsIndex(p) != want {
			t.Errorf("%s is an index: %v", p, !want)
		}
	}
	for p, want := range map[string]bool{"archive/a.warc.gz": true, "x.WARC": true, "warcs/a.warc.zst": true,
		"indexes/index.cdx.gz": false, "a.gz": false} {
		if IsContainer(p) != want {
			t.Errorf("%s is a container: %v", p, !want)
		}
	}
}

func FuzzPackage(f *testing.F) {
	f.Add([]byte(`{"profile":"data-package","resources":[{"path":"p","hash":"sha256:00","bytes":1}],` +
		`"relation":{"requires":["x",{}]},"pages":[{"url":"a"}]}`))
	f.Add([]byte(`{"path":"datapackage.json","hash":"sha256:00","signedData":{"hash":"x","signature":"AA==",` +
		`"publicKey":"AA==","domainCert":"-----BEGIN"}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := made{PackageName: string(b), DigestName: string(b), "p": "x"}
		c, err := Check(context.Background(), m.files(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s := c.Step(StepResources); s == nil || s.Verdict == Pass &&
			(c.Package == nil || len(c.Package.Resources) == 0) {
			t.Errorf("%+v", c)
		}
	})
}

func FuzzPages(f *testing.F) {
	f.Add([]byte("{\"format\":\"x\"}\n{\"url\":\"http://a/\",\"ts\":\"2024-05-01T10:00:00Z\",\"seed\":1," +
		"\"status\":\"200\"}\n\n{"))
	f.Fuzz(func(t *testing.T, b []byte) {
		line := int64(0)
		for p, err := range Pages(strings.NewReader(string(b)), nil) {
			if err != nil || p.URL == "" || p.Line <= line || p.Offset > int64(len(b)) {
				t.Errorf("%+v, %v", p, err)
			}
			line = p.Line
		}
	})
}
