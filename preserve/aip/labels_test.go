package aip

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quire/metadata/mets"
)

// TestLabels: labels and links in batches give the findings of single ones, whatever their form and
// order.
func TestLabels(t *testing.T) {
	long := strings.Repeat("l", 2*maxKey)
	for _, c := range []struct {
		name   string
		labels []string
		links  [][2]string // from, to
		want   []string
		unique int64
	}{
		{"all there", []string{"P-1", "P-2", "P-1024", "P-99999999999999999"},
			[][2]string{{"P-1", "P-1024"}, {"P-99999999999999999", "P-2"}}, nil, 4},
		{"twice and thrice", []string{"P-7", "P-8", "P-7", "P-7"}, nil,
			[]string{`the xlink:label "P-7" occurs twice`, `the xlink:label "P-7" occurs twice`}, 2},
		{"no such label, named often", []string{"P-1"}, [][2]string{{"P-1", "P-2"}, {"P-2", "P-1"}, {"P-1", "P-2"}},
			[]string{`a smLink with xlink:from="P-2" leads to no label in the document`}, 1},
		{"numbers in other forms are other labels", []string{"P-1", "P-01", "7", "P-"},
			[][2]string{{"P-1", "P-001"}, {"7", "P-"}, {"P-01", "07"}},
			[]string{`a smLink with xlink:to="07" leads to no label in the document`,
				`a smLink with xlink:to="P-001" leads to no label in the document`}, 4},
		{"beyond 64 bits, and long", []string{"P-99999999999999999999", long + "1"},
			[][2]string{{"P-99999999999999999999", long + "1"}, {long + "1", long + "2"}},
			[]string{`a smLink with xlink:to="` + long + `2" leads to no label in the document`}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, found := newReferences("mets.xml"), newFindings()
			for _, l := range c.labels {
				r.label(l)
			}
			for _, l := range c.links {
				r.link(&mets.SmLink{From: l[0], To: l[1]})
			}
			if err := r.judge(found, true); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range found.sorted() {
				got = append(got, f.Message)
			}
			slices.Sort(got)
			if fmt.Sprint(got) != fmt.Sprint(c.want) || r.labels != c.unique {
				t.Errorf("%d labels, %q; want %d, %q", r.labels, got, c.unique, c.want)
			}
			if err := r.close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestManyLabels: labels of more pages than batches are open, in any order.
func TestManyLabels(t *testing.T) {
	r, found := newReferences("mets.xml"), newFindings()
	const pages, links = 3 * openBatches, 5
	for k := range links {
		for p := range pages {
			r.label(fmt.Sprintf("L-c1-b%d-%d", p, k))
			r.link(&mets.SmLink{From: fmt.Sprintf("L-c1-b%d-%d", pages-1-p, k),
				To: fmt.Sprintf("L-c1-b%d-0", p*7%pages)})
		}
	}
	r.link(&mets.SmLink{From: "L-c1-b3-5", To: "L-c1-b3-0"})
	err := r.judge(found, true)
	if err != nil || r.labels != pages*links || len(found.kept) != 1 || found.kept[0].Code != CodeLinkEnd {
		t.Errorf("%d labels, %+v, %v", r.labels, found.kept, err)
	}
	if err := r.close(); err != nil {
		t.Error(err)
	}
}
