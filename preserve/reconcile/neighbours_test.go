package reconcile

import (
	"fmt"
	"testing"

	"quire/source"
	"quire/source/detect"
)

// TestNeighbours: the containers of other harvests are found by bare name, and never a harvest's own.
func TestNeighbours(t *testing.T) {
	s := &detect.Source{Found: []detect.Found{
		{Claim: source.Claim{Reader: "bare", Root: "a", Files: []string{"a/x.warc.gz", "a/crawl.log"}}},
		{Claim: source.Claim{Reader: "bare", Root: "b", Files: []string{"b/x.warc.gz", "b/y.warc.gz"}}},
		{Claim: source.Claim{Reader: "bare", Root: "c", Files: []string{"c/y.warc.gz", "c/z.warc"}}},
	}}
	near := neighboursIn(s)
	var got []string
	for i := range s.Found {
		o := near.otherThan(&s.Found[i])
		for _, name := range []string{"x.warc.gz", "y.warc.gz", "z.warc", "crawl.log", "none.warc"} {
			if at := o.at(bareName(name)); at != "" {
				got = append(got, fmt.Sprintf("%d %s", i, at))
			}
		}
	}
	want := "[0 bare c: c/y.warc.gz 0 bare c: c/z.warc 1 bare c: c/z.warc 2 bare b: b/x.warc.gz]"
	if fmt.Sprint(got) != want {
		t.Errorf("%v, not %s", got, want)
	}
	if len(near) != 3 {
		t.Errorf("%d names for 3 containers", len(near))
	}
	one := &detect.Source{Found: s.Found[:1]}
	if at := neighboursIn(one).otherThan(&one.Found[0]).at("x"); at != "" {
		t.Error(at)
	}
}
