package characterize

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/metadata/containermd"
	"quire/metadata/xmlstream"
	"quire/model"
)

// shown returns numbers in short: kind, name, count and bytes.
func shown(rows []model.Number) string {
	var all []string
	for _, r := range rows {
		all = append(all, fmt.Sprintf("%s %q %d %d", r.Kind, r.Name, r.Count, r.Bytes))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// at is in the year 2008.
var at = time.Date(2008, 4, 30, 0, 0, 0, 0, time.UTC)

// earlier is the containerMD of a WARC as earlier versions wrote it, without the sums of captures.
func earlier() *containermd.ContainerMD {
	n := func(v string, number, size int64) containermd.Count {
		return containermd.Count{Value: v, Number: xmlstream.IntOf(number), GlobalSize: xmlstream.IntOf(size)}
	}
	sums := containermd.Sums{Number: 3, First: at, Last: at, GlobalSize: xmlstream.IntOf(30)}
	return &containermd.ContainerMD{
		Container: containermd.Container{Fixity: []containermd.Fixity{{Size: xmlstream.IntOf(99)}},
			Assessment: &containermd.Assessment{Outcome: "valid", Notes: []string{"formats identified by x",
				"warning WARC-DATE × 7, first at byte 5: x × 9", "warning × 3"}}},
		Information: &containermd.Information{Sums: sums,
			Formats: []containermd.Format{{Name: "fmt/96 Hypertext Markup Language", Number: 2,
				GlobalSize: xmlstream.IntOf(20)}, {Name: "unidentified", Number: 1}},
			WARC: &containermd.WARCEntries{
				Response: &containermd.Records{Sums: sums, Hosts: []containermd.Count{n("x.example", 2, 5)},
					DeclaredMIMETypes: []containermd.Count{n("text/html", 3, 6)},
					BlockFormats:      []containermd.Summed{{Value: "application/http", Sums: sums}},
					Responses:         []containermd.Response{{Status: "200", Number: xmlstream.IntOf(3)}}},
				Resource: &containermd.Records{Sums: containermd.Sums{Number: 1, First: at, Last: at},
					Hosts: []containermd.Count{n("x.example", 1, 2), n("y.example", 1, 1)}},
			}}}
}

func TestNumbers(t *testing.T) {
	rows, exact := Numbers(earlier())
	want := `finding "WARC-DATE" 7 0
format "Hypertext Markup Language\tfmt/96\t" 2 20
format "unidentified\t\t" 1 0
host "x.example" 3 7
host "y.example" 1 1
identified "yes" 1 0
languages "no" 1 0
mime "text/html" 3 6
outcome "valid" 1 99
status "200" 3 0
type "resource" 1 0
type "response" 3 30
year "2008" 4 30`
	if got := shown(rows); got != want || exact {
		t.Errorf("of an earlier version: exact %t\n%s\nwant\n%s", exact, got, want)
	}
	for _, r := range rows {
		if r.Year != 2008 || r.Containers != 1 {
			t.Errorf("%+v", r)
		}
	}
	md := earlier()
	md.Information.Captures = &containermd.Captures{
		Years: []containermd.Count{{Value: "2009", Number: xmlstream.IntOf(1)}, {Value: "2007",
			Number: xmlstream.IntOf(1)}},
		Hosts:   []containermd.Count{},
		Formats: []containermd.CapturedFormat{{Name: "a\tb", PUID: "fmt/1", Number: 1}},
	}
	rows, exact = Numbers(md)
	want = `finding "WARC-DATE" 7 0
format "a b\tfmt/1\t" 1 0
identified "yes" 1 0
languages "no" 1 0
mime "text/html" 3 6
outcome "valid" 1 99
status "200" 3 0
type "resource" 1 0
type "response" 3 30
year "2007" 1 0
year "2009" 1 0`
	if got := shown(rows); got != want || !exact || rows[0].Year != 2007 {
		t.Errorf("exact %t, year %d\n%s\nwant\n%s", exact, rows[0].Year, got, want)
	}
	md.Information.Captures.Languages = []containermd.Count{{Value: "nl", Number: xmlstream.IntOf(2)}}
	rows, _ = Numbers(md)
	if got := shown(rows); !strings.Contains(got, "language \"nl\" 2 0\nlanguages \"yes\" 1 0") {
		t.Errorf("with languages:\n%s", got)
	}
	md.Information.Captures.Formats, md.Information.Captures.Languages = nil, []containermd.Count{}
	rows, _ = Numbers(md)
	if got := shown(rows); !strings.Contains(got, "languages \"yes\" 1 0") || strings.Contains(got, "language ") {
		t.Errorf("without texts:\n%s", got)
	}
	other, _ := Numbers(&containermd.ContainerMD{Container: containermd.Container{
		Assessment: &containermd.Assessment{Outcome: string(model.NotContainer)}}})
	if got := shown(other); !strings.Contains(got, `languages "yes" 1 0`) {
		t.Errorf("no container:\n%s", got)
	}
	if got := shown(rows); !strings.Contains(got, `identified "no" 1 0`) {
		t.Errorf("without identification:\n%s", got)
	}
}

// TestNumbersOfHostileMETS bounds names, their length, and numbers.
func TestNumbersOfHostileMETS(t *testing.T) {
	md := earlier()
	c := &containermd.Captures{}
	md.Information.Captures = c
	for i := range MaxNames + 500 {
		c.Hosts = append(c.Hosts, containermd.Count{Value: fmt.Sprint("host", i), Number: xmlstream.IntOf(2)})
	}
	c.Hosts = append(c.Hosts, containermd.Count{Value: "(other)", Number: xmlstream.IntOf(math.MaxInt64)})
	c.MIMETypes = []containermd.Count{{Value: strings.Repeat("é", 5000), Number: xmlstream.IntOf(1)}}
	c.Years = []containermd.Count{{Value: "-5", Number: xmlstream.IntOf(1)}, {Value: "x", Number: xmlstream.IntOf(1)}}
	rows, _ := Numbers(md)
	hosts := 0
	for _, r := range rows {
		if r.Year != 0 || len(r.Name) > maxNumberName+len("…") {
			t.Errorf("%+v", r)
		}
		if r.Kind == model.ByHost {
			hosts++
			if r.Name == "(other)" && r.Count != math.MaxInt64 {
				t.Errorf("%+v", r)
			}
		}
	}
	if hosts != MaxNames+1 {
		t.Errorf("%d hosts", hosts)
	}
}
