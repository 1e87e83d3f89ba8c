package heritrix

import (
	"iter"
	"strings"
	"testing"

	"quire/format/fault"
	"quire/internal/lines"
)

// all reads a report, and returns its rows and the number of faulty lines.
func all[Row any](t testing.TB, read func(report fault.Sink) iter.Seq2[Row, error]) (rows []Row, faults int) {
	t.Helper()
	for row, err := range read(func(fault.Fault) { faults++ }) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows, faults
}

func TestHosts(t *testing.T) {
	old, faults := all(t, func(report fault.Sink) iter.Seq2[HostRow, error] {
		return Hosts(strings.NewReader("[#urls] [#bytes] [host]\n314 84910592 www.nzcee.co.nz \nmany 166 dns:\n3\n"),
			report)
	})
	equal(t, "three columns", old, []HostRow{{"www.nzcee.co.nz", 314, 84910592, -1, -1, -1, -1, -1, -1, -1, -1}})
	if faults != 2 {
		t.Errorf("%d faults, want 2", faults)
	}
	rows, _ := all(t, func(report fault.Sink) iter.Seq2[HostRow, error] {
		return Hosts(strings.NewReader("[#urls] [#bytes] [host] [#robots] [#remaining] [#novel-urls] [#novel-bytes] "+
			"[#dup-by-hash-urls] [#dup-by-hash-bytes] [#not-modified-urls] [#not-modified-bytes]\n1 2 a 3 4 5 6 7 8 "+
			"9 10 \n"), report)
	})
	equal(t, "eleven columns", rows, []HostRow{{"a", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}})
}

func TestCodes(t *testing.T) {
	want := []CodeRow{{200, 296}, {-404, 23}}
	for name, text := range map[string]string{
		"Heritrix 1": "[rescode] [#urls]\n200 296\n-404 23\n",
		"Heritrix 3": "[#urls] [rescode]\n296 200\n23 -404\n",
	} {
		rows, faults := all(t, func(report fault.Sink) iter.Seq2[CodeRow, error] {
			return Codes(strings.NewReader(text), report)
		})
		equal(t, name, rows, want)
		if faults != 0 {
			t.Errorf("%s: %d faults", name, faults)
		}
	}
}

func TestOtherReports(t *testing.T) {
	types, _ := all(t, func(report fault.Sink) iter.Seq2[TypeRow, error] {
		return Types(strings.NewReader("[#urls] [#bytes] [mime-types]\n157 1823693 text/html\n"), report)
	})
	equal(t, "types", types, []TypeRow{{"text/html", 157, 1823693}})
	old, faults := all(t, func(report fault.Sink) iter.Seq2[TypeRow, error] {
		return Types(strings.NewReader("[mime-types]                       [#urls]     [#bytes]\nnot set             "+
			"                    86        26633\n"), report)
	})
	equal(t, "types, 2005", old, []TypeRow{{"not set", 86, 26633}})
	if faults != 0 {
		t.Errorf("%d faults", faults)
	}
	seeds, _ := all(t, func(report fault.Sink) iter.Seq2[SeedRow, error] {
		return Seeds(strings.NewReader("[code] [status] [seed] [redirect]\n301 CRAWLED http://www.netarkivet.dk/ "+
			"http://netarkivet.dk/\n-2 NOTCRAWLED http://b/\n"), report)
	})
	equal(t, "seeds", seeds, []SeedRow{{301, "CRAWLED", "http://www.netarkivet.dk/", "http://netarkivet.dk/"},
		{-2, "NOTCRAWLED", "http://b/", ""}})
	sources, _ := all(t, func(report fault.Sink) iter.Seq2[SourceRow, error] {
		return Sources(strings.NewReader("[source] [host] [#urls]\nhttp://a/ a 7\n"), report)
	})
	equal(t, "sources", sources, []SourceRow{{"http://a/", "a", 7}})
}

func TestLongLines(t *testing.T) {
	var lengths []int
	var offsets []int64
	err := scanLines(strings.NewReader(strings.Repeat("x", 3*lines.DefaultMax)+"\r\nend"),
		func(line string, offset int64) bool {
			lengths, offsets = append(lengths, len(line)), append(offsets, offset)
			return true
		})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "lengths", lengths, []int{lines.DefaultMax, 3})
	equal(t, "offsets", offsets, []int64{0, 3*lines.DefaultMax + 2})
}

func FuzzReports(f *testing.F) {
	f.Add("[rescode] [#urls]\n200 296\n")
	f.Add("[#urls] [#bytes] [host]\n1 2 a\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, _ := all(t, func(report fault.Sink) iter.Seq2[HostRow, error] {
			return Hosts(strings.NewReader(text), report)
		})
		for _, r := range rows {
			if r.Host == "" || r.URLs < 0 || r.Bytes < 0 {
				t.Errorf("%+v", r)
			}
		}
		codes, _ := all(t, func(report fault.Sink) iter.Seq2[CodeRow, error] {
			return Codes(strings.NewReader(text), report)
		})
		for _, r := range codes {
			if r.URLs < 0 {
				t.Errorf("%+v", r)
			}
		}
	})
}
