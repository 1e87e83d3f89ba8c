package archive

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/format/warc"
	"quire/holdings/rights"
	"quire/internal/clamdtest"
	"quire/internal/repotest"

	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/preserve/pack"
)

// later returns a clock after the creation of the packages.
func later() *repotest.Clock {
	return repotest.NewClock(time.Now().Add(time.Hour).Truncate(time.Second))
}

func TestIdentifiers(t *testing.T) {
	for _, u := range []string{
		"http://a.example/", "http://a.example/a b?c=d&e=%20#f", "http://a.example/\xff\x00é", "urn:mirror-file:x",
		"http://a.example/:::", "",
	} {
		for _, date := range []time.Time{{}, time.Date(2015, 1, 2, 3, 4, 5, 0, time.UTC),
			time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)} {
			c := Capture{URL: u, Date: date, Mark: 0x0123456789abcdef}
			got, err := ParseIdentifier(c.Identifier())
			if err != nil || got != c {
				t.Errorf("%q comes back as %+v, %v", c.Identifier(), got, err)
			}
		}
	}
	if got := (&Capture{URL: "http://a.example/x y", Date: time.Date(2015, 1, 2, 3, 4, 5, 0, time.UTC),
		Mark: 1}).Identifier(); got != "urn:x-quire:capture:20150102030405:0000000000000001:http://a.example/x%20y" {
		t.Error(got)
	}
	for _, bad := range []string{
		"", "http://a.example/", scheme, scheme + "2015:0000000000000001:x",
		scheme + "20150102030405:000000000000001:x", scheme + "20150102030405:000000000000000A:x",
		scheme + "20150102030405:0000000000000001:a%2fb", scheme + "20150102030405:0000000000000001:a b",
		scheme + "20150102030405:0000000000000001:%41", scheme + "20159902030405:0000000000000001:x",
	} {
		if c, err := ParseIdentifier(bad); err == nil {
			t.Errorf("%q is parsed as %+v", bad, c)
		}
	}
}

// The captures of a repository are listed, found and served, and an ingest is visible at once.
func TestLive(t *testing.T) {
	r, c := newRepo(t), later()
	a := r.open("oai", all(c))
	ctx := context.Background()
	if got := list(t, a, provider.Query{}); len(got) != 0 {
		t.Errorf("an empty repository has %v", got)
	}
	for _, err := range a.Sets(ctx, "") {
		if !errors.Is(err, provider.ErrNoSets) {
			t.Errorf("sets of nothing: %v", err)
		}
	}
	first := c.Now()
	r.Ingest(repotest.Package{ID: "one", Containers: map[string]string{
		"a.warc": response("1", "http://a.example/", date1, "text/html; charset=utf-8", "<p>one") +
			repotest.Record("request", "2", "http://a.example/", date1, "application/http;msgtype=request",
				"GET / HTTP/1.1\r\n\r\n") +
			repotest.Record("metadata", "3", "http://a.example/", date1, "application/warc-fields", "via: x\r\n") +
			repotest.Record("resource", "4", "dns:a.example", date1, "text/dns", "a.example 1") +
			repotest.Record("resource", "5", "http://b.example/x.svg", date1, "image/svg+xml", "<svg/>") +
			// two captures of one second
			response("6", "http://a.example/", date1, "text/html", "<p>two"),
		"b.warc": response("1", "http://a.example/", date1, "text/html; charset=utf-8", "<p>one"), // the first again
	}})
	c.Add(time.Second)
	got := list(t, a, provider.Query{})
	if u := urls(t, got); u != "http://a.example/ http://a.example/ http://b.example/x.svg" &&
		u != "http://a.example/ http://b.example/x.svg http://a.example/" &&
		u != "http://b.example/x.svg http://a.example/ http://a.example/" {
		t.Errorf("listed: %s", u)
	}
	for i, h := range got {
		if !h.Datestamp.After(first) || h.Datestamp.After(c.Now()) {
			t.Errorf("datestamp %s of a record after %s", h.Datestamp, first)
		}
		if i > 0 && got[i-1].Identifier >= h.Identifier {
			t.Errorf("%s is before %s", got[i-1].Identifier, h.Identifier)
		}
		if again, err := a.Header(ctx, h.Identifier); err != nil || fmt.Sprint(again) != fmt.Sprint(h) {
			t.Errorf("%+v by itself, %v; %+v in the list", again, err, h)
		}
		rest := list(t, a, provider.Query{After: provider.Position{Datestamp: h.Datestamp, Identifier: h.Identifier}})
		if len(rest) != len(got)-i-1 {
			t.Errorf("%d behind record %d of %d", len(rest), i, len(got))
		}
	}
	for set, n := range map[string]int{
		"mime": 3, "mime:text": 2, "mime:text:html": 2, "mime:image": 1, "mime:image:svg~xml": 1, "host": 3,
		"host:a.example": 2, "host:b.example": 1,
		"year": 3, "year:2015": 3, "year:2016": 0, "collection": 0, "mime:nothing": 0,
	} {
		if got := list(t, a, provider.Query{Set: set}); len(got) != n {
			t.Errorf("%d in %s, want %d", len(got), set, n)
		}
	}
	var sets []string
	for s, err := range a.Sets(ctx, "host") {
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, s.Spec)
	}
	if s := strings.Join(sets,
		" "); s != "host:a.example host:b.example mime mime:image mime:image:svg~xml mime:text mime:text:html "+
		"year year:2015" {
		t.Errorf("sets: %s", s)
	}
	bodies := map[string]bool{}
	for _, h := range got {
		res, err := a.Resource(ctx, h.Identifier)
		if err != nil {
			t.Fatal(err)
		}
		b, err := res.Open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(b)
		if err != nil || int64(len(text)) != res.Size || b.Close() != nil {
			t.Errorf("%s: %q of %d bytes, %v", h.Identifier, text, res.Size, err)
		}
		bodies[string(text)] = true
		switch {
		case res.URL == "http://a.example/" &&
			(res.Status != 200 || res.Proto != "HTTP/1.1" || len(res.Header) != 3 || res.Header[1].Value != "test" ||
				res.MIMEType != "text/html"),
			res.URL == "http://b.example/x.svg" &&
				(res.Status != 0 || res.Header != nil || res.MIMEType != "image/svg+xml"):
			t.Errorf("%+v", res)
		}
		if !res.Captured.Equal(time.Date(2015, 1, 2, 3, 4, 5, 0, time.UTC)) || res.Withheld != "" ||
			len(res.Events) == 0 {
			t.Errorf("%+v", res)
		}
	}
	if !bodies["<p>one"] || !bodies["<p>two"] || !bodies["<svg/>"] {
		t.Errorf("bodies: %v", bodies)
	}
}

// A record of an older version that the newer one lacks is deleted, at the time of the newer
// version. A rebuilt index gives the same result.
func TestVersions(t *testing.T) {
	r, c := newRepo(t), later()
	a := r.open("oai", all(c))
	one, two, three := response("1", "http://a.example/1", date1, "text/html", "1"),
		response("2", "http://a.example/2", date1, "text/html", "2"),
		response("3", "http://a.example/3", date2, "text/html", "3")
	r.Ingest(repotest.Package{ID: "p", Containers: map[string]string{"a.warc": one + two}})
	c.Add(time.Second)
	before := list(t, a, provider.Query{})
	if u := urls(t, before); u != "http://a.example/1 http://a.example/2" &&
		u != "http://a.example/2 http://a.example/1" {
		t.Fatal(u)
	}
	r.Ingest(repotest.Package{ID: "p", Containers: map[string]string{"b.warc": two + three}})
	r.Ingest(repotest.Package{ID: "q", Containers: map[string]string{"a.warc": one}})
	c.Add(2 * time.Second)
	after := list(t, a, provider.Query{From: before[0].Datestamp.Add(time.Second)})
	if len(after) != 3 {
		t.Fatalf("changes since: %+v", after)
	}
	for _, h := range after {
		u := urls(t, []protocol.Header{h})
		if h.Deleted != (u == "-http://a.example/1") || h.Datestamp.After(c.Now()) {
			t.Errorf("%+v", h)
		}
		_, err := a.Resource(context.Background(), h.Identifier)
		if h.Deleted != errors.Is(err, provider.ErrNotFound) || !h.Deleted && err != nil {
			t.Errorf("%s: %v", h.Identifier, err)
		}
	}
	if n := len(list(t, a, provider.Query{})); n != 4 {
		t.Errorf("%d in all", n)
	}
	// The provider answered lists in between, so the datestamps are later than the datestamps from
	// the history. The identifiers and states are the same.
	again := r.open("again", all(c))
	if a, b := statesOf(list(t, a, provider.Query{})), statesOf(list(t, again, provider.Query{})); a != b {
		t.Errorf("made again:\n%s\nwas:\n%s", b, a)
	}
	third := r.open("third", all(c))
	if a, b := fmt.Sprint(list(t, again, provider.Query{})), fmt.Sprint(list(t, third, provider.Query{})); a != b {
		t.Errorf("made again:\n%s\nwas:\n%s", b, a)
	}
}

const embargo = `
access: open
embargo: {until: 2099-12-31, access: restricted}
rules:
  - urls: http://b.example/
    access: restricted
`

// Only open records are shown. An embargo ends automatically, with the datestamp of that day. A
// record closed later is deleted.
func TestRights(t *testing.T) {
	r, c := newRepo(t), later()
	a := r.open("oai", settings{Options: Options{Now: c.Now}})
	one := map[string]string{"a.warc": response("1", "http://a.example/", date1, "text/html", "1") +
		response("2", "http://b.example/", date1, "text/html", "2")}
	r.Ingest(repotest.Package{ID: "silent", Containers: one})
	r.Ingest(repotest.Package{ID: "open", Containers: one, Rights: "access: open\n"})
	r.Ingest(repotest.Package{ID: "onsite", Containers: one, Rights: "access: onsite\n"})
	r.Ingest(repotest.Package{ID: "embargo", Containers: one, Rights: embargo})
	r.Ingest(repotest.Package{ID: "leave", Containers: one,
		Rights: "access: open\npermissions: [{basis: license, granted-by: X, to: 2050-06-30, allows: [show]}]\n"})
	c.Add(time.Second)
	if got := urls(t, list(t, a, provider.Query{})); strings.Count(got, "http") != 4 || strings.Contains(got, "-") {
		t.Errorf("open are %s", got)
	}
	onsite := r.open("onsite", settings{Options: Options{Now: c.Now, Class: rights.ReadingRoom}})
	if got := urls(t, list(t, onsite, provider.Query{})); strings.Count(got, "http") != 6 {
		t.Errorf("in the reading room: %s", got)
	}
	end := time.Date(2050, 7, 1, 0, 0, 0, 0, time.UTC)
	c.Set(end.Add(-time.Second))
	if got := list(t, a, provider.Query{}); len(got) != 4 {
		t.Errorf("on the last day of the leave: %v", got)
	}
	c.Set(end)
	got := list(t, a, provider.Query{From: end})
	if u := urls(t, got); u != "-http://a.example/ -http://b.example/" &&
		u != "-http://b.example/ -http://a.example/" || !got[0].Datestamp.Equal(end) {
		t.Errorf("when leave has ended: %+v", got)
	}
	end = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
	c.Set(end.Add(time.Hour))
	got = list(t, a, provider.Query{From: end})
	if u := urls(t, got); u != "http://a.example/" || !got[0].Datestamp.Equal(end) {
		t.Errorf("when the embargo has ended: %+v", got)
	}
	if n := len(list(t, a, provider.Query{})); n != 5 {
		t.Errorf("%d in all", n)
	}
	// A later version is closed.
	r.Ingest(repotest.Package{ID: "open", Containers: one, Rights: "access: onsite\n"})
	c.Add(time.Second)
	got = list(t, a, provider.Query{From: end.Add(time.Second)})
	if u := urls(t, got); strings.Count(u, "-http") != 2 {
		t.Errorf("when it was closed: %+v", got)
	}
}

// An infected capture is not shown. If a container is reported as infected without details, none of
// its captures is shown.
func TestInfected(t *testing.T) {
	for _, profile := range []pack.Profile{pack.Compact, pack.Full} {
		r, c := newRepo(t), later()
		r.Ingest(repotest.Package{ID: "p", Scan: true, Profile: profile, Containers: map[string]string{
			"a.warc": response("1", "http://a.example/", date1, "text/html", "1") +
				response("2", "http://a.example/virus", date1, "text/plain", clamdtest.EICAR()),
		}})
		a := r.open("oai", all(c))
		if got := urls(t, list(t, a, provider.Query{})); got != "http://a.example/" {
			t.Errorf("%s: shown are %s", profile, got)
		}
	}
}

// A damaged copy is skipped and reported. If all copies are damaged, reading the record is an
// error.
func TestDamage(t *testing.T) {
	r, c := newRepo(t), later()
	big := strings.Repeat("0123456789abcdef", small/8) // twice the size of small
	r.Ingest(repotest.Package{ID: "p",
		Containers: map[string]string{"a.warc": response("1", "http://a.example/1", date1, "text/html", "the body") +
			response("2", "http://a.example/2", date1, "text/html", big)}})
	o := all(c)
	var told []string
	o.Problem = func(err error) { told = append(told, err.Error()) }
	a := r.open("oai", o)
	headers := list(t, a, provider.Query{})
	read := func() (good int) {
		for _, h := range headers {
			res, err := a.Resource(context.Background(), h.Identifier)
			if err != nil {
				continue
			}
			b, err := res.Open(context.Background())
			if err != nil {
				continue
			}
			text, err := io.ReadAll(b)
			if err != nil || string(text) != big && string(text) != "the body" {
				t.Errorf("wrong bytes, or %v", err)
			}
			_ = b.Close()
			good++
		}
		return good
	}
	if read() != 2 || len(told) != 0 {
		t.Errorf("whole: %v", told)
	}
	for i, want := range []int{2, 0} {
		spoil(t, filepath.Join(r.Dir, fmt.Sprint("copy-", i+1)))
		if got := read(); got != want || len(told) == 0 {
			t.Errorf("%d copies damaged: %d read, reported %v", i+1, got, told)
		}
	}
}

// spoil changes a byte of each body in a copy.
func spoil(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Base(path) != "a.warc" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		changed := strings.NewReplacer("the body", "the b0dy", "0123456789abcdef01",
			"0123456789abcdef02").Replace(string(text))
		if err := os.Chmod(path, 0o644); err != nil {
			return err
		}
		return os.WriteFile(path, []byte(changed), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A process killed during indexing leaves an index that the next one continues. The result is the
// same as without interruption.
func TestKilled(t *testing.T) {
	r, c := newRepo(t), later()
	for i := range 3 {
		r.Ingest(repotest.Package{ID: fmt.Sprint("p", i),
			Containers: map[string]string{"a.warc": response("1", "http://a.example/", date1, "text/html", "1"),
				"b.warc": response("2", "http://a.example/2", date2, "text/css", "2")}})
	}
	whole := fmt.Sprint(list(t, r.open("whole", all(c)), provider.Query{}))
	for _, point := range []string{"read", "publish"} {
		for n := range 3 {
			dir := fmt.Sprint(point, n)
			dead, stop := make(chan bool), make(chan bool)
			o := all(c)
			o.Problem = func(error) {}
			o.Wait = time.Millisecond
			at := 0
			o.pause = func(p string) error {
				if p == point {
					if at++; at == n+1 {
						close(dead)
						<-stop
						return errors.New("killed")
					}
				}
				return nil
			}
			a := r.open(dir, o)
			<-dead
			var busy *provider.BusyError
			for _, err := range a.List(context.Background(), provider.Query{}) {
				if !errors.As(err, &busy) || busy.After <= 0 {
					t.Errorf("%s: a list before all is known: %v", dir, err)
				}
			}
			a.follower.Stop() // results no longer reach the index, as after a kill
			close(stop)
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(list(t, r.open(dir, all(c)), provider.Query{})); got != whole {
				t.Errorf("killed at %s %d:\n%s\nwant\n%s", point, n, got, whole)
			}
		}
	}
}

// A record ingested during a harvest, and indexed after lists of that time, is in the next harvest,
// which starts at the time of the first answer.
func TestMark(t *testing.T) {
	r, c := newRepo(t), later()
	o := all(c)
	hold := make(chan bool, 10)
	o.pause = func(p string) error {
		if p == "publish" {
			<-hold
		}
		return nil
	}
	o.Wait = 20 * time.Millisecond
	hold <- true
	r.Ingest(repotest.Package{ID: "one",
		Containers: map[string]string{"a.warc": response("1", "http://a.example/1", date1, "text/html", "1")}})
	a := r.open("oai", o)
	if err := a.Ready(context.Background()); err != nil {
		t.Fatal(err)
	}
	r.Ingest(repotest.Package{ID: "two",
		Containers: map[string]string{"a.warc": response("1", "http://a.example/2", date1, "text/html", "2")}})
	c.Add(time.Hour)
	asked := c.Now()
	if got := urls(t, list(t, a, provider.Query{})); got != "http://a.example/1" {
		t.Errorf("while it is indexed: %s", got)
	}
	hold <- true
	if err := a.Ready(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := list(t, a, provider.Query{From: asked}); len(got) != 0 {
		t.Errorf("in the second of the last answer appears %v", got)
	}
	c.Add(time.Second)
	got := list(t, a, provider.Query{From: asked})
	if u := urls(t, got); u != "http://a.example/2" || !got[0].Datestamp.Equal(asked.Add(time.Second)) {
		t.Errorf("since: %+v", got)
	}
	// The mark persists.
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	c.Set(asked.Add(-time.Minute)) // the clock was set back
	r.Ingest(repotest.Package{ID: "three",
		Containers: map[string]string{"a.warc": response("1", "http://a.example/3", date1, "text/html", "3")}})
	a = r.open("oai", all(c))
	if got := urls(t, list(t, a, provider.Query{})); strings.Contains(got, "/3") {
		t.Errorf("a late record has a datestamp in the past: %s", got)
	}
	c.Set(asked.Add(time.Minute))
	if got := urls(t, list(t, a, provider.Query{From: asked.Add(time.Second)})); !strings.Contains(got, "/3") {
		t.Errorf("the late record: %s", got)
	}
}

// Two processes cannot serve one repository.
func TestInUse(t *testing.T) {
	r, c := newRepo(t), later()
	r.open("oai", all(c))
	if _, err := r.tryOpen("oai", all(c)); !errors.Is(err, ErrInUse) {
		t.Error(err)
	}
}

// A broken index is rebuilt with the same content.
func TestBrokenIndex(t *testing.T) {
	r, c := newRepo(t), later()
	r.Ingest(repotest.Package{ID: "p",
		Containers: map[string]string{"a.warc": response("1", "http://a.example/", date1, "text/html", "1")}})
	a := r.open("oai", all(c))
	was := fmt.Sprint(list(t, a, provider.Query{}))
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.Dir, "oai", "index.db"), []byte(strings.Repeat("no database ", 1000)),
		0o666); err != nil {
		t.Fatal(err)
	}
	if is := fmt.Sprint(list(t, r.open("oai", all(c)), provider.Query{})); is != was {
		t.Errorf("%s\nwas %s", is, was)
	}
}

// revisitOf returns a revisit record of a body.
func revisitOf(id, uri, date, body string) string {
	sum := sha1.Sum([]byte(body))
	return repotest.Record("revisit", id, uri, date, "application/http;msgtype=response",
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-From: revisit\r\n\r\n",
		"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
		"WARC-Payload-Digest: "+warc.FormatDigest("sha1", sum[:]))
}

// A revisit has the payload of its original, anywhere in the repository, with its own head, but
// only while the original is shown.
func TestRevisit(t *testing.T) {
	r, c := newRepo(t), later()
	o := all(c)
	a := r.open("oai", o)
	r.Ingest(repotest.Package{ID: "p", Containers: map[string]string{
		"a.warc": response("1", "http://a.example/1", date1, "text/html", "the first") +
			revisitOf("2", "http://a.example/2", date2, "the first"),
		"b.warc": revisitOf("3", "http://a.example/3", date2, "elsewhere") +
			revisitOf("4", "http://a.example/4", date2, "nowhere"),
	}})
	c.Add(time.Second)
	if u := urls(t, list(t, a, provider.Query{})); u != "http://a.example/1 http://a.example/2" {
		t.Errorf("listed: %s", u)
	}
	s, err := a.Summary(context.Background())
	if err != nil || len(s.LeftOut) != 1 || s.LeftOut[0] != (LeftOut{outRevisit, 2}) {
		t.Errorf("%+v, %v", s, err)
	}
	r.Ingest(repotest.Package{ID: "q",
		Containers: map[string]string{"a.warc": response("1", "http://b.example/", date1, "text/html", "elsewhere")}})
	c.Add(2 * time.Second)
	bodies := func() (all []string) {
		for _, h := range list(t, a, provider.Query{}) {
			if h.Deleted {
				continue
			}
			res, err := a.Resource(context.Background(), h.Identifier)
			if err != nil {
				if !errors.Is(err, provider.ErrNotFound) {
					t.Error(err)
				}
				continue
			}
			body, err := res.Open(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(body)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, res.URL+" "+string(text)+" "+res.Header[1].Value)
		}
		slices.Sort(all)
		return all
	}
	want := []string{"http://a.example/1 the first test", "http://a.example/2 the first revisit",
		"http://a.example/3 elsewhere revisit", "http://b.example/ elsewhere test"}
	if got := bodies(); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	again := r.open("again", all(c))
	if is, was := statesOf(list(t, again, provider.Query{})), statesOf(list(t, a, provider.Query{})); is != was {
		t.Errorf("made again:\n%s\nwas\n%s", is, was)
	}
	r.Ingest(repotest.Package{ID: "q",
		Containers: map[string]string{"a.warc": response("1", "http://b.example/", date1, "text/html", "elsewhere")},
		Rights:     "access: restricted\n"})
	c.Add(2 * time.Second)
	if got := bodies(); !slices.Equal(got, want[:2]) {
		t.Errorf("when the original is closed: %q", got)
	}
}

// A digest of zeros is invented. It must not match records without a known digest, which are zero
// in the index.
func TestRevisitOfZeros(t *testing.T) {
	r, c := newRepo(t), later()
	a := r.open("oai", all(c))
	r.Ingest(repotest.Package{ID: "p", Containers: map[string]string{
		"a.warc": repotest.Record("conversion", "1", "http://a.example/1", date1, "text/plain", "x") +
			repotest.Record("revisit", "2", "http://a.example/2", date2, "application/http;msgtype=response",
				"HTTP/1.1 200 OK\r\n\r\n",
				"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
				"WARC-Payload-Digest: "+warc.FormatDigest("sha1", make([]byte, sha1.Size))),
	}})
	c.Add(time.Second)
	if u := urls(t, list(t, a, provider.Query{})); u != "http://a.example/1" {
		t.Errorf("listed: %s", u)
	}
	s, err := a.Summary(context.Background())
	if err != nil || len(s.LeftOut) != 1 || s.LeftOut[0] != (LeftOut{outUnstated, 1}) {
		t.Errorf("%+v, %v", s, err)
	}
}

// The newest version of a package may close its captures. While it is unreadable, no capture of the
// package is served or reported as deleted.
func TestUnreadableVersion(t *testing.T) {
	r, c := newRepo(t), later()
	one := response("1", "http://a.example/1", date1, "text/html", "1")
	r.Ingest(repotest.Package{ID: "p", Containers: map[string]string{"a.warc": one}})
	r.Ingest(repotest.Package{ID: "q",
		Containers: map[string]string{"a.warc": response("2", "http://a.example/2", date1, "text/html", "2")}})
	o := all(c)
	var told []string
	o.Problem = func(err error) { told = append(told, err.Error()) }
	a := r.open("oai", o)
	before := list(t, a, provider.Query{})
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	r.Ingest(repotest.Package{ID: "p",
		Containers: map[string]string{"a.warc": one,
			"b.warc": response("3", "http://a.example/3", date1, "text/html", "3")}})
	undo := blot(t, r.Dir)
	a = r.open("oai", o)
	if got := list(t, a, provider.Query{}); fmt.Sprint(got) != fmt.Sprint(before) || len(told) == 0 {
		t.Errorf("listed %v, reported %v; was %v", got, told, before)
	}
	for _, h := range before {
		_, err := a.Resource(context.Background(), h.Identifier)
		if inP := urls(t, []protocol.Header{h}) == "http://a.example/1"; inP != (err != nil) ||
			errors.Is(err, provider.ErrNotFound) {
			t.Errorf("%s: %v", h.Identifier, err)
		}
	}
	undo()
	c.Add(2 * time.Hour)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	a = r.open("oai", o)
	for _, h := range list(t, a, provider.Query{}) {
		if _, err := a.Resource(context.Background(), h.Identifier); err != nil || h.Deleted {
			t.Errorf("mended: %+v, %v", h, err)
		}
	}
}

// blot makes the METS of each second version unreadable in all copies. Undo restores it.
func blot(t *testing.T, dir string) (undo func()) {
	t.Helper()
	was := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, filepath.FromSlash("v2/content/mets.xml")) {
			return err
		}
		if was[path], err = os.ReadFile(path); err != nil {
			return err
		}
		if err := os.Chmod(path, 0o600); err != nil {
			return err
		}
		return os.WriteFile(path, []byte("<blot/>"), 0o600)
	})
	if err != nil || len(was) == 0 {
		t.Fatalf("%d METS, %v", len(was), err)
	}
	return func() {
		for path, text := range was {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Packages with revisits that refer to each other are indexed until they reach a stable state.
func TestRevisitsOfEachOther(t *testing.T) {
	r, c := newRepo(t), later()
	a := r.open("oai", all(c))
	for _, p := range [][2]string{{"p", "q"}, {"q", "p"}} {
		r.Ingest(repotest.Package{ID: p[0], Containers: map[string]string{
			"a.warc": response("1", "http://"+p[0]+".example/", date1, "text/html", "of "+p[0]) +
				revisitOf("2", "http://"+p[0]+".example/2", date2, "of "+p[1]),
		}})
	}
	c.Add(2 * time.Second)
	if got := urls(t, list(t, a, provider.Query{})); strings.Count(got, "http") != 4 {
		t.Errorf("listed: %s", got)
	}
	if err := a.Ready(t.Context()); err != nil {
		t.Error(err)
	}
}
