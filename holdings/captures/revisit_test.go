package captures

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func revisit(id, url, date string, fields ...string) string {
	return record("revisit", id, url, date, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
		append(fields, "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest")...)
}

// TestRevisits: a revisit finds its original in any package, whenever it is added; if it is
// removed, the next best one. The result is never a revisit.
func TestRevisits(t *testing.T) {
	x := open(t, filepath.Join(t.TempDir(), DirName))
	stated := "WARC-Payload-Digest: " + helloSHA1
	p := packages{
		"a": {"a.warc": revisit("a1", url, "2020-03-01T00:00:00Z", stated) +
			revisit("a2", url, "2020-04-01T00:00:00Z", stated, "WARC-Refers-To-Target-URI: "+url,
				"WARC-Refers-To-Date: 2020-03-01T00:00:00Z")},
		"b": {"b.warc": record("response", "b1", "http://other.example/", "2019-01-01T00:00:00Z", page("hello"))},
		"c": {"c.warc": record("response", "c0", "http://a.example/0", "2020-01-01T00:00:00Z", page("0")) +
			record("response", "c1", url, "2020-01-01T00:00:00Z", page("hello")) +
			record("response", "c2", url, "2020-02-01T00:00:00Z", page("hello")) +
			record("response", "c3", url, "2020-03-15T00:00:00Z", page("hello"))},
		"d": {"d.warc": revisit("d1", url, "2021-01-01T00:00:00Z", stated, "WARC-Refers-To-Target-URI: "+url,
			"WARC-Refers-To-Date: 2020-01-01T00:00:00Z") +
			revisit("d2", url, "2021-01-02T00:00:00Z", "WARC-Refers-To-Target-URI: "+url,
				"WARC-Refers-To-Date: 2020-02-01T00:00:00Z") +
			revisit("d3", url, "2021-01-03T00:00:00Z", "WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")},
	}
	revisits := func() string {
		all := strings.Split(ask(t, x, Query{URL: url}), " | ")
		var short []string
		for _, c := range all {
			if strings.Contains(c, typeRevisit) {
				_, to, _ := strings.Cut(c, typeRevisit)
				short = append(short, c[:1]+to)
			}
		}
		return strings.Join(short, " ")
	}
	for _, step := range []struct{ pkg, want string }{
		{"a", "a a"},
		{"b", "a>b#1 a>b#1"},
		{"c", "a>c#3 a>c#4"},
		{"d", "a>c#3 a>c#4 d>c#2 d>c#3 d"},
	} {
		if err := p.add(t, x, step.pkg); err != nil {
			t.Fatal(err)
		}
		if got := revisits(); got != step.want {
			t.Errorf("after %s: %q, want %q", step.pkg, got, step.want)
		}
	}
	if err := x.Remove(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	if got, want := revisits(), "a>b#1 a>b#1 d>b#1 d d"; got != want {
		t.Errorf("without c: %q, want %q", got, want)
	}
	for c, err := range x.Captures(t.Context(), Query{URL: url, Closest: "20200301000000"}) {
		if err != nil || c.Payload.URL != "http://other.example/" || c.Payload.Harvest != 1 || c.Length != 5 ||
			c.MIME != "text/html" {
			t.Errorf("%+v %+v, %v", c, c.Payload, err)
		}
		break
	}
}

// TestNoChains: in a chain of three hundred revisits, each finds the original record.
func TestNoChains(t *testing.T) {
	x := open(t, filepath.Join(t.TempDir(), DirName))
	text := record("response", "0", url, "2020-01-01T00:00:00Z", page("hello"))
	for i := range 300 {
		text += revisit(fmt.Sprint(i+1), url, fmt.Sprintf("2020-01-02T00:%02d:%02dZ", i/60, i%60),
			"WARC-Payload-Digest: "+helloSHA1,
			"WARC-Refers-To-Target-URI: "+url,
			fmt.Sprintf("WARC-Refers-To-Date: 2020-01-02T00:%02d:%02dZ", (i-1)/60, (i+59)%60))
	}
	if err := (packages{"p": {"c.warc": text}}).add(t, x, "p"); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(ask(t, x, Query{URL: url}), "revisit>p#1"); n != 300 {
		t.Errorf("%d of 300 revisits found their payload", n)
	}
}
