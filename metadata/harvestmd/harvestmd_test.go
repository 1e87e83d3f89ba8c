package harvestmd

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/jacoelho/xsd"

	"quire/metadata/xmlstream"
)

// whole has every part, with every field.
func whole() []Part {
	n := xmlstream.IntOf
	return []Part{
		&Run{System: "heritrix", ID: "20240102", State: Limited,
			Facts:  []Fact{{"end reason", "Finished - Timelimit hit", "crawl-report.txt"}, {"host", "a\x00b <&", ""}},
			Counts: []Fact{{"Total Seeds Crawled", "3", "crawl-report.txt"}}},
		&Definition{[]Fact{{"schedule", "weekly", "harvestInfo.xml"}}},
		&Settings{Facts: []Fact{{"robots policy", "ignore", "order.xml"}},
			Limits: []Fact{{"max-time-sec", "0", "order.xml"}},
			Files:  []File{{"order.xml", true}, {"seeds.txt", false}}},
		&Hosts{"hosts-report.txt", 7, []Host{{Name: "dns:", Documents: n(2), Bytes: n(0)},
			{"x.example", n(1), n(2), n(3), n(4), n(5), n(6), n(7), n(8), n(9), n(10), "2 SIZE_LIMIT",
				[]Missed{{"robots", 4}}}}},
		&Types{"mimetype-report.txt", 1, []Type{{"text/html", 1, 2}}},
		&Statuses{"responsecode-report.txt", 2, []Status{{200, 5}, {-404, 1}}},
		&Seeds{"seeds-report.txt", 1, []Seed{{"http://x.example/", 301, "CRAWLED", "http://y.example/"}}},
		&Containers{"arcfiles-report.txt", 2, []Container{{"x.arc", n(5), "2024", false},
			{Name: "y.arc", Absent: true}}},
	}
}

func written(t *testing.T, p Part) string {
	t.Helper()
	var b strings.Builder
	x := xmlstream.NewWriter(&b, xmlstream.Options{})
	if err := p.Write(x); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Each part is valid by the schema.
func TestSchema(t *testing.T) {
	engine, err := xsd.Compile(context.Background(), xsd.Bytes("harvestmd.xsd", []byte(Schema)))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range whole() {
		doc := written(t, p)
		if err := engine.Validate(context.Background(), strings.NewReader(doc)); err != nil {
			t.Errorf("%v\n%s", err, doc)
		}
		wrong := strings.Replace(doc, `="`, `X="`, 2) // the namespace, and an attribute that does not exist
		wrong = strings.Replace(wrong, `harvestX="`, `harvest="`, 1)
		if err := engine.Validate(context.Background(), strings.NewReader(wrong)); err == nil && wrong != doc {
			t.Errorf("valid: %s", wrong)
		}
	}
	if err := engine.Validate(context.Background(), strings.NewReader(written(t, &Run{State: "lost"}))); err == nil {
		t.Error("a state that does not exist is valid")
	}
}

// Facts come back as written; limits and counts get names.
func TestReadFacts(t *testing.T) {
	var got []Fact
	for _, p := range whole() {
		x := xmlstream.NewReader(strings.NewReader(written(t, p)), xmlstream.Limits{})
		if _, err := x.Root(); err != nil {
			t.Fatal(err)
		}
		if err := ReadFacts(x, func(f Fact) { got = append(got, f) }); err != nil {
			t.Fatal(err)
		}
		if err := x.Finish(); err != nil {
			t.Fatal(err)
		}
	}
	want := []Fact{{"end reason", "Finished - Timelimit hit", "crawl-report.txt"}, {"host", "a\x00b <&", ""},
		{"counted", "Total Seeds Crawled=3", "crawl-report.txt"}, {"schedule", "weekly", "harvestInfo.xml"},
		{"robots policy", "ignore", "order.xml"}, {"limit", "max-time-sec=0", "order.xml"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

func TestReadFactsOfAnotherNamespace(t *testing.T) {
	x := xmlstream.NewReader(strings.NewReader(`<run xmlns="urn:other"/>`), xmlstream.Limits{})
	if _, err := x.Root(); err != nil {
		t.Fatal(err)
	}
	if err := ReadFacts(x, func(Fact) {}); err == nil {
		t.Error("it was read")
	}
}

func TestNotes(t *testing.T) {
	for f, want := range map[Fact]string{
		{"host", "a", "x.warc"}: "host: a (from x.warc)", {"seed", "http://a/", ""}: "seed: http://a/",
	} {
		if got := f.Note(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	named, ok := Fact{"limit", "max-time=5", "x"}.Named()
	if !ok || named != (Fact{"max-time", "5", "x"}) {
		t.Errorf("%v, %v", named, ok)
	}
	if _, ok := (Fact{"limit", "=5", "x"}).Named(); ok {
		t.Error("a limit without a name has one")
	}
}
