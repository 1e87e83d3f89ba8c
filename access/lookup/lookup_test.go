package lookup_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log"
	"testing"

	"quire/access/lookup"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
)

// listed is an archive of captures without contents.
type listed []holdings.Judged

func (l listed) Captures(context.Context, holdings.Reader, captures.Query) iter.Seq2[holdings.Judged, error] {
	return func(yield func(holdings.Judged, error) bool) {
		for _, c := range l {
			if !yield(c, nil) {
				return
			}
		}
	}
}

func (listed) Read(context.Context, holdings.Reader, *captures.Capture) (*holdings.Content, error) {
	return nil, errors.New("no contents")
}

func capture(timestamp string, open bool) holdings.Judged {
	return holdings.Judged{Capture: &captures.Capture{URL: "http://a.example/", Timestamp: timestamp},
		Decision: holdings.Decision{Allowed: open}}
}

func ExampleAt() {
	archive := listed{capture("20150102030405", false), capture("20150102030406", true)} // the nearest first
	query := captures.Query{URL: "http://a.example/"}
	c, err := lookup.At(context.Background(), archive, holdings.Reader{}, query, "20150102")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Timestamp)
	// Output: 20150102030406
}

// TestAt: a capture of the same second comes before an open one, and that before a closed one.
func TestAt(t *testing.T) {
	t.Parallel()
	const a, b = "20150102030405", "20150102030406"
	for name, c := range map[string]struct {
		all     listed
		at, got string
	}{
		"same second":  {listed{capture(a, false), capture(b, true)}, a, a},
		"open":         {listed{capture(a, false), capture(b, true)}, "20150102030404", b},
		"closed alone": {listed{capture(a, false)}, b, a},
		"none":         {nil, a, ""},
		"no time":      {listed{capture(a, true)}, "1", ""},
	} {
		found, err := lookup.At(t.Context(), c.all, holdings.Reader{}, captures.Query{}, c.at)
		got := ""
		if found != nil {
			got = found.Timestamp
		}
		if err != nil || got != c.got {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestBounds: a search ends, and returns open captures alone.
func TestBounds(t *testing.T) {
	t.Parallel()
	var many listed
	for range lookup.MaxExamined {
		many = append(many, capture("20150102030405", false))
	}
	many = append(many, capture("20160102030405", true))
	all, err := lookup.Open(t.Context(), many, holdings.Reader{}, captures.Query{}, 1)
	if err != nil || len(all) != 0 {
		t.Errorf("%d captures behind the limit, %v", len(all), err)
	}
	all, err = lookup.Open(t.Context(), many[1:], holdings.Reader{}, captures.Query{}, 1)
	if err != nil || len(all) != 1 {
		t.Errorf("%d captures, %v", len(all), err)
	}
}

// TestRights: captures beside a moment, and contents, are those that are open to the reader.
func TestRights(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	const at = "http://a.example/"
	for id, access := range map[string]string{"one": "open", "two": "restricted", "three": "open"} {
		year := map[string]string{"one": "2014", "two": "2015", "three": "2016"}[id]
		r.Ingest(holdingstest.Package{ID: id, Rights: "access: " + access, Containers: map[string]string{
			"a.warc": holdingstest.Response(id, at, year+"-01-02T03:04:05Z", "text/html", "<p>"+id)}})
	}
	h, public := r.Open(holdings.Options{}), holdings.Reader{Class: holdings.Public}
	query := captures.Query{URL: at}
	before, after, err := lookup.Beside(t.Context(), h, public, query, "20151231235959", 5)
	if err != nil || len(before) != 1 || len(after) != 1 || before[0].Package != "one" || after[0].Package != "three" {
		t.Fatalf("before %v, after %v, %v", before, after, err)
	}
	body, kind, err := lookup.Body(t.Context(), h, public, before[0].Capture, 4)
	if err != nil || string(body) != "<p>o" || kind != "text/html" {
		t.Errorf("%q of type %q, %v", body, kind, err)
	}
	closed, err := lookup.At(t.Context(), h, public, query, "20150102030405")
	if err != nil || closed == nil || closed.Allowed {
		t.Fatalf("%v, %v", closed, err)
	}
	var denied *holdings.DeniedError
	if _, _, err = lookup.Body(t.Context(), h, public, closed.Capture, 4); !errors.As(err, &denied) {
		t.Errorf("a closed content: %v", err)
	}
}
