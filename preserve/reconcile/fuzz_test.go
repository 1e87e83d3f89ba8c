package reconcile

import (
	"context"
	"iter"
	"testing"
	"time"

	"quire/model"
)

// nothing is a harvest without files and lines.
type nothing struct{ about model.Harvest }

func (n *nothing) About() *model.Harvest { return &n.about }

func (n *nothing) Fetches(context.Context, func(model.Finding)) iter.Seq2[model.Fetch, error] {
	return func(func(model.Fetch, error) bool) {}
}

// sightingsOf makes sightings of a few URLs, seconds and digests from any bytes, five for each.
func sightingsOf(data []byte) (all []sighting) {
	for len(data) >= 5 && len(all) < 2000 {
		b := data[:5]
		data = data[5:]
		s := sighting{
			kind: []kind{ofLog, ofRecord, ofLog, ofRecord, ofIndex, ofUnindexed, ofWanted, ofSeedRow, ofHostRow,
				ofLog}[b[0]%10], at: time.Date(2020, 1, 1, 0, 0, int(b[1]%8), int(b[1]), time.UTC).UnixMilli(),
			status: int(b[2]%4) * 100, digest: []string{"", "sha1:a", "sha1:b", "md5:c"}[b[2]>>4%4],
			container: int(b[3]%3) - 1, offset: int64(b[3]>>4) - 1,
			size: int64(b[4]%16) - 1, content: int64(b[4]>>4) - 1, stored: -1, line: int64(len(all)),
			what: []string{"response", "revisit", "conversion", revisitByTime}[b[0]>>4%4], marks: uint64(b[4]),
		}
		if b[1] == 255 {
			s.at = noTime
		}
		if s.kind == ofUnindexed || s.kind == ofRecord {
			s.container = max(0, s.container)
		}
		s.set([]string{"http://a.example/", "<http://A.example:80>", "http://b.example/%7e", "dns:a.example",
			"http://b.example/"}[b[1]>>5%5])
		all = append(all, s)
	}
	return all
}

// FuzzJoin joins any sightings: each line and each record is joined once or is a difference, and
// nothing is counted twice.
func FuzzJoin(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x10\x33\x01\x01\x02\x10\x33"))
	f.Add([]byte("\x04\x01\x12\x10\x33\x05\x01\x12\x20\x33\x06\x01\x12\x10\x33\x07\x22\x02\x00\x00\x08\x00\x00\x00\x22"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newRun(context.Background(), &nothing{}, nil, Options{Memory: 4 << 10})
		r.shelf.add("x.arc", 100)
		r.shelf.find("y.arc")
		r.hasHosts = true
		r.out.Witnesses.Log.Present = true
		var lines, records int64
		for _, s := range sightingsOf(data) {
			switch {
			case s.kind == ofLog && s.status > 0:
				lines++
			case s.kind == ofRecord:
				records++
				r.records.content++
			}
			if err := r.see(&s); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.matchURLs(); err != nil {
			t.Fatal(err)
		}
		if err := r.finish(); err != nil {
			t.Fatal(err)
		}
		joined := r.out.Joined.Place + r.out.Joined.Digest + r.out.Joined.Second + r.out.Joined.Near +
			r.out.Joined.AnyTime + r.out.Joined.Size
		if got := r.diffs.count(LoggedWithoutRecord); got+joined != lines {
			t.Errorf("%d lines: %d joined, %d without a record", lines, joined, got)
		}
		if got := r.diffs.count(RecordWithoutLine); got+joined != records {
			t.Errorf("%d records: %d joined, %d without a line", records, joined, got)
		}
		var hosts, logged, lost int64
		for _, h := range r.out.Hosts {
			hosts += h.Explained + h.Lost + h.Unexplained
			logged += h.Fetched
			lost += h.LostCaptures
		}
		if lost != r.out.LostCaptures {
			t.Errorf("the hosts lost %d captures, the harvest %d", lost, r.out.LostCaptures)
		}
		if sum := r.out.Totals.Explained + r.out.Totals.Lost + r.out.Totals.Unexplained; hosts != sum ||
			logged != lines {
			t.Errorf("%d differences of hosts, %d in total; %d lines of %d", hosts, sum, logged, lines)
		}
		if textOf(r.out) == "" {
			t.Error("no text")
		}
	})
}

func (d *differences) count(k Kind) int64 {
	if diff := d.byKind[k]; diff != nil {
		return diff.Count
	}
	return 0
}

// A URL without a host, or with a host that was never requested, is counted with its scheme.
func TestHostOf(t *testing.T) {
	for uri, want := range map[string]string{
		"http://U:p@Example.org:81/a": "example.org", "dns:Example.org": "dns:", "urn:x": "urn:",
		"metadata://gnu.org/software/wget/warc/wget.log": "metadata:",
	} {
		if once, _ := canonical(uri); hostOf(once) != want {
			t.Errorf("%s: %s; want %s", uri, hostOf(once), want)
		}
	}
}

// FuzzCanonical checks that the canonical form is unique and has no zero byte, which would break
// the order of the keys.
func FuzzCanonical(f *testing.F) {
	for _, uri := range []string{"http://example.org", "<HTTP://u:p@Example.org:80/%7Ea b?%zz#x>", "dns:Example.org",
		"urn:x", "http:", "", "https://[::1]:443"} {
		f.Add(uri)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		once, _ := canonical(uri)
		twice, how := canonical(once)
		if once != twice && uri[0] != '<' || how&^inBrackets != 0 && uri[0] != '<' {
			t.Errorf("%q is %q, and that is %q (%b)", uri, once, twice, how)
		}
		for i := range len(once) {
			if once[i] == 0 {
				t.Errorf("%q has a zero byte", once)
			}
		}
		s := sighting{kind: ofLog, at: 7}
		s.set(uri)
		var back sighting
		if err := back.parse(s.key(nil), s.value(nil)); err != nil || back.at != 7 || back.url() != s.written &&
			s.written != "" {
			t.Errorf("%q: %+v, %v", uri, back, err)
		}
	})
}
