package arc

import (
	"fmt"
	"strings"
	"testing"
)

// TestJoinedLines checks lines joined by lost bytes: the end of one URL-record line is lost, and
// the next line follows its beginning. Addresses that contain addresses stay whole.
func TestJoinedLines(t *testing.T) {
	const next = "http://b.org/ 192.0.2.1 20080430204825 text/plain 6"
	for _, c := range []struct {
		before string
		joined bool
	}{
		{"dns:a.org 192.0.2.7 200804302", true},
		{"http://a.org/ 192.0.2.7", true},
		{"http://a.org/ 192.", true},
		{"https://a.org/ 192.0.2.7 20080430204825 text/", true},
		{"http://a.org/ 192.0.2.7 20080430204825 text/plain 1", true},
		{"http://a.org/ 192\x00\x00\x00", true},
		{"http://a.org/\x02", true},
		{"http://a.or", true},
		{"dns:a.or", true},
		{"http://a.org/", false},
		{"http://a.org?u=", false},
		{"http://a.org/a page ", false},
		{"http://a.org/a page and 1 ", false},
		{"http://a.org/\xe4", false},
	} {
		start, length := recordIn([]byte(c.before + next))
		want := 0
		if c.joined {
			want = len(c.before)
		}
		if start != want || length != 6 {
			t.Errorf("%q: a record of %d begins at %d, want %d", c.before, length, start, want)
		}
	}
}

// TestRecordsOfJoinedLinesAreRead checks that the record with the incomplete line is reported, and
// the record joined to it is read.
func TestRecordsOfJoinedLinesAreRead(t *testing.T) {
	block := "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
	version := line("filedesc://a.arc", len(block)) + block + "\n"
	behind := line("http://b.org/", 6) + "behind\n"
	for name, c := range map[string]struct {
		before string
		want   string
	}{
		"a line that broke off":         {"dns:a.org 192.0.2.7 2008", "ARC-GARBAGE@%d"},
		"another byte for the newline":  {line("http://a.org/", 12) + "\nhttp://c/ 1*", "ARC-LENGTH@%d"},
		"another byte, a control":       {line("http://a.org/", 12) + "\nhttp://c/ 1\x02", "ARC-LENGTH@%d"},
		"another byte, a letter before": {line("http://a.org/", 5) + "shortx", "ARC-LENGTH@%d"},
	} {
		found, faults := urls(t, strings.NewReader(version+c.before+behind))
		place := fmt.Sprintf("http://b.org/@%d", len(version)+len(c.before))
		if len(found) == 0 || found[len(found)-1] != place {
			t.Errorf("%s: found %v, not %s", name, found, place)
		}
		if want := fmt.Sprintf(c.want+" ARC-INFERRED@%d", len(version), len(version)+len(c.before)); faults != want {
			t.Errorf("%s: faults %s, want %s", name, faults, want)
		}
	}
}

// TestDamageBehindTheVersionLinesIsNoMetadata checks a version block of only its lines: it is
// complete, even if damaged data of the same length follows.
func TestDamageBehindTheVersionLinesIsNoMetadata(t *testing.T) {
	block := "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
	version := line("filedesc://a.arc", len(block)) + block + "\n"
	damaged := strings.Repeat("x", len(block)-2) + "\n"
	found, faults := urls(t, strings.NewReader(version+damaged+line("http://b.org/", 6)+"behind\n"))
	if want := fmt.Sprintf("[filedesc://a.arc@0 http://b.org/@%d]",
		len(version)+len(damaged)); fmt.Sprint(found) != want {
		t.Errorf("found %v, want %s", found, want)
	}
	want := fmt.Sprintf("ARC-GARBAGE@%d ARC-INFERRED@%d", len(version), len(version)+len(damaged))
	if faults != want {
		t.Errorf("faults %s, want %s", faults, want)
	}
}
