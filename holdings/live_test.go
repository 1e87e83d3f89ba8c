package holdings_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
	"quire/preserve/aip"
	"quire/repository/store"
)

// one returns a package with one page.
func one(id, rights string) holdingstest.Package {
	return holdingstest.Package{ID: id, Rights: rights,
		Containers: map[string]string{"a.warc": holdingstest.Response("1", "http://"+id+".example/", date1, "text/html",
			"<p>"+id)}}
}

// what returns the access of a reader to the page of a package: the text of the page, the reason
// for the denial, or "nothing" if the page is not listed.
func what(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, who holdings.Reader, id string) string {
	t.Helper()
	all := r.Find(h, who, "http://"+id+".example/")
	if len(all) == 0 {
		return "nothing"
	}
	text := read(t, h, who, all[0])
	if all[0].Allowed != (text == "<p>"+id) {
		t.Errorf("the list states %+v, reading returns %q", all[0].Decision, text)
	}
	return strings.TrimSuffix(text, id)
}

// TestNewVersion: a newer version without the right applies from the next query on, and so does a
// collection.
func TestNewVersion(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(one("a", "access: open"))
	r.Ingest(one("b", "access: open"))
	h := r.Open(holdings.Options{})
	if a, b := what(t, r, h, public, "a"), what(t, r, h, public, "b"); a != "<p>" || b != "<p>" {
		t.Fatal(a, b)
	}
	r.Ingest(one("a", "access: restricted"))
	if got := what(t, r, h, public, "a"); got != "denied: restricted" {
		t.Error(got)
	}
	r.Collect("c", "Collection", "access: onsite", "b")
	if got := what(t, r, h, public, "b"); got != "denied: onsite" {
		t.Error(got)
	}
	if got := what(t, r, h, onsite, "b"); got != "<p>" {
		t.Error(got)
	}
	r.Collect("c", "Collection", "access: open", "b")
	if got := what(t, r, h, public, "b"); got != "<p>" {
		t.Error(got)
	}
}

// TestNewMember: a package that a new version of a collection names is closed while another collection is read.
func TestNewMember(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	for _, id := range []string{"a", "b", "c"} {
		r.Ingest(one(id, "access: open"))
	}
	r.Collect("c1", "First", "access: open", "a")
	r.Collect("c2", "Second", "access: open", "a")
	var during func()
	h := r.Open(holdings.Options{Wait: time.Nanosecond, Progress: func(p holdings.Progress) {
		if p.Package == "c2" && during != nil {
			during()
		}
	}})
	seen := map[string]string{}
	during = func() {
		for _, id := range []string{"a", "b", "c"} {
			seen[id] = what(t, r, h, public, id)
		}
	}
	r.Collect("c1", "First", "access: onsite", "a", "b")
	r.Collect("c2", "Second", "access: open", "a", "c")
	if err := h.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "denied: blocked", "b": "denied: blocked", "c": "<p>"}
	if !maps.Equal(seen, want) {
		t.Errorf("before the second one was read: %v", seen)
	}
	during()
	if want = map[string]string{"a": "denied: onsite", "b": "denied: onsite", "c": "<p>"}; !maps.Equal(seen, want) {
		t.Errorf("then: %v", seen)
	}
}

// TestWhileReading: while containers are read, which may take hours, rights of packages apply at
// once.
func TestWhileReading(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(one("a", "access: open"))
	reading, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	h := r.Open(holdings.Options{Wait: time.Minute, Progress: func(p holdings.Progress) {
		if p.Package == "slow" && p.Bytes > 0 {
			once.Do(func() { close(reading) })
			<-goOn
		}
	}})
	r.Ingest(one("slow", "access: open"))
	if got := what(t, r, h, public, "slow"); got != "nothing" && got != "<p>" {
		t.Error(got)
	}
	<-reading
	r.Ingest(one("a", "access: restricted"))
	if got := what(t, r, h, public, "a"); got != "denied: restricted" {
		t.Error(got)
	}
	close(goOn)
	if err := h.Ready(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := what(t, r, h, public, "slow"); got != "<p>" {
		t.Error(got)
	}
}

// TestUnreadable: a package is closed to all if its newest version is unreadable. The packages of
// an unreadable collection are closed, too.
func TestUnreadable(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(one("a", "access: open"))
	r.Ingest(one("b", "access: open"))
	r.Ingest(one("c", "access: open"))
	r.Collect("coll", "Collection", "access: open", "b")
	var mu sync.Mutex
	var told []string
	o := holdings.Options{Dir: filepath.Join(r.Dir, "access"), Problem: func(err error) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, err.Error())
	}}
	h := r.Open(o)
	breakMETS := func(id string) {
		t.Helper()
		broken := 0
		err := filepath.WalkDir(r.Dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.Name() == aip.METSName && strings.Contains(path, "copy-") {
				text, readErr := os.ReadFile(path)
				if readErr != nil || !strings.Contains(string(text), `OBJID="`+id+`"`) {
					return readErr
				}
				broken++
				return os.WriteFile(path, append(text, ' '), 0o666)
			}
			return err
		})
		if err != nil || broken == 0 {
			t.Fatal(err, broken)
		}
	}
	r.Ingest(one("a", "access: onsite"))
	breakMETS("a")
	breakMETS("coll")
	_ = h.Close()
	h = r.Open(o)
	for _, who := range []holdings.Reader{public, staff} {
		// After a restart the members of the collection are unknown: everything is closed.
		for _, id := range []string{"a", "b", "c"} {
			if got := what(t, r, h, who, id); got != "denied: blocked" {
				t.Errorf("%s, %s: %q", who.Class, id, got)
			}
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.ContainsFunc(told, func(s string) bool { return strings.Contains(s, "package a: ") }) {
		t.Errorf("told %q", told)
	}
}

// TestRules: the rules are checked at each query; an embargo ends by the clock.
func TestRules(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(one("a", "access: open\nembargo: {until: 2027-01-31, access: restricted}"))
	r.Ingest(one("b", "access: open"))
	told := 0
	h := r.Open(holdings.Options{Rules: r.Rules("rules: []\n"), Problem: func(error) { told++ }})
	c := r.Find(h, public, "http://a.example/")[0]
	if c.Until != "2027-02-01" || c.Allowed {
		t.Errorf("%+v", c.Decision)
	}
	r.Clock.Set(time.Date(2027, 1, 31, 23, 59, 59, 0, time.UTC))
	if got := what(t, r, h, public, "a"); got != "denied: restricted" {
		t.Error(got)
	}
	r.Clock.Set(time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC))
	if got := what(t, r, h, public, "a"); got != "<p>" {
		t.Error(got)
	}
	for _, step := range []struct{ rules, a, b string }{
		{"rules: [{packages: a, access: blocked}]\n", "denied: blocked", "<p>"},
		{"rules: [{packages: a, access: blocked, hidden: true}]\n", "nothing", "<p>"},
		{"rules: [{packages: a, access: blokced}]\n", "denied: blocked", "<p>"},
		// an unknown key may be a misspelt condition
		{"rules: [{pakages: a, access: blocked}]\n", "nothing", "nothing"},
		{"rules: [{urls: [/x], access: blocked}]\n", "denied: blocked", "denied: blocked"},
		{"rules: [", "denied: blocked", "denied: blocked"},
		{"rules: []\n", "<p>", "<p>"},
	} {
		r.Rules(step.rules)
		if a, b := what(t, r, h, public, "a"), what(t, r, h, public, "b"); a != step.a || b != step.b {
			t.Errorf("%q: %q, %q; want %q, %q", step.rules, a, b, step.a, step.b)
		}
	}
	if told == 0 {
		t.Error("the error in the rules was not reported")
	}
}

// testCapability: with a capability for one package, its holder has public access to all others,
// even through a revisit.
func testCapability(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, cases []holdingstest.Case) {
	bound := holdings.Reader{Class: holdings.Staff, Packages: []string{"open"}}
	for _, c := range cases {
		all := r.Find(h, staff, c.URL)
		if len(all) != 1 {
			t.Fatalf("%s: %d captures", c.URL, len(all))
		}
		d := h.Judge(bound, all[0].Capture)
		want := c.Public == holdingstest.Allowed
		if c.Package == "open" && all[0].Payload == nil {
			want = c.Staff == holdingstest.Allowed
		}
		if d.Allowed != want {
			t.Errorf("%s: %+v, want %v", c.Name, d, want)
		}
	}
}

// TestFollow: a follower is notified of existing and new packages.
func TestFollow(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(one("a", "access: open"))
	h := r.Open(holdings.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	changes := make(chan string, 10)
	ended := make(chan error, 1)
	go func() {
		ended <- h.Follow(ctx, func(c holdings.Change) error {
			changes <- fmt.Sprint(c.Package, c.Gone)
			return nil
		})
	}()
	if got := <-changes; got != "afalse" {
		t.Error(got)
	}
	r.Ingest(one("b", "access: open"))
	if err := h.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	if got := <-changes; got != "bfalse" {
		t.Error(got)
	}
	r.Ingest(one("a", "access: restricted"))
	if err := h.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	if got := <-changes; got != "afalse" {
		t.Error(got)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// testCounts: for every class of readers, the counts equal the number of listed captures.
func testCounts(t *testing.T, r *holdingstest.Repository, o holdings.Options) {
	for _, o := range []holdings.Options{o, {}} {
		h := r.Open(o)
		for _, who := range []holdings.Reader{public, onsite, staff,
			{Class: holdings.Staff, Packages: []string{"open", "parts"}}} {
			want := map[string][2]int{}
			for _, c := range holdingstest.Captures(t, h, who, captures.Query{}) {
				n := want[c.Timestamp[:4]]
				if c.Allowed {
					n[0]++
				} else {
					n[1]++
				}
				want[c.Timestamp[:4]] = n
			}
			counts, err := h.Counts(context.Background(), who, captures.Query{}, captures.Year)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string][2]int{}
			for _, c := range counts {
				got[c.Period] = [2]int{c.Captures, c.Denied}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%+v counts %v, want %v", who, got, want)
			}
		}
	}
}

// testPackages tests packages, collections and files, for each class of readers.
func testPackages(t *testing.T, h *holdings.Holdings) {
	ctx := context.Background()
	verdicts := map[string]string{}
	for p, err := range h.Packages(ctx, public) {
		if err != nil {
			t.Fatal(err)
		}
		verdicts[p.ID] = fmt.Sprint(p.Verdict, " ", p.Allowed)
	}
	for id, want := range map[string]string{
		"open": "open true", "onsite": "onsite false", "restricted": "restricted false", "unstated": "restricted false",
		"embargoed": "onsite false",
		"collected": "restricted false", "overridden": "open true", "ruled-open": "open true",
		"too-open": "restricted false", "parts": "open true", "dated": "open true",
	} {
		if verdicts[id] != want {
			t.Errorf("%s is %q, want %q", id, verdicts[id], want)
		}
	}
	p, err := h.Package(ctx, public, "secret")
	if err != nil || len(p.Harvests) != 1 || len(p.Events) == 0 || len(p.Versions) != 1 || len(p.Rights) != 1 ||
		p.Harvests[0].Start.IsZero() {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, f := range p.Files {
		if f.Allowed != (f.Path == "logs/open.log") {
			t.Errorf("%s: %+v", f.Path, f.Decision)
		}
	}
	if p, err = h.Package(ctx, public, "open"); err != nil || len(p.Files) == 0 {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, f := range p.Files {
		if f.Allowed {
			t.Errorf("%s may reveal hidden content: %+v", f.Path, f.Decision)
		}
	}
	for _, c := range []struct {
		who        holdings.Reader
		pkg, path  string
		want, fail string
	}{
		{staff, "secret", "logs/secret.log", "SECRET of the log\n", ""},
		{public, "secret", "logs/secret.log", "", "restricted"},
		{staff, "secret", "logs/open.log", "of the open log\n", ""},
		{public, "secret", "logs/none.log", "", "not in"},
		{public, "secret", "mets.xml", "", "not in"},
		{staff, "secret", "containers/a.warc", "", "not in"},
		{staff, "secret", "../secret/logs/open.log", "", "not in"},
		{public, "none", "logs/open.log", "", "not in"},
	} {
		f, err := h.OpenFile(ctx, c.who, c.pkg, c.path)
		if c.fail != "" {
			if err == nil || !strings.Contains(err.Error(), c.fail) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if text, err := io.ReadAll(f); string(text) != c.want || err != nil || f.Size != int64(len(c.want)) {
			t.Errorf("%+v: %q, %v", c, text, err)
		}
		_ = f.Close()
	}
	var collections []string
	for c, err := range h.Collections(ctx, public) {
		if err != nil {
			t.Fatal(err)
		}
		collections = append(collections, fmt.Sprint(c.ID, " ", c.Verdict, " ", c.Packages))
	}
	if got := strings.Join(collections,
		"; "); got != "closed restricted [collected]; open-collection open [open too-open]" {
		t.Error(got)
	}
	for name, want := range map[string]string{"all": "[] true", "open": "[open] true", "closed": "[collected] true",
		"none": "[] false"} {
		packages, known := h.InCollection(name)
		if got := fmt.Sprint(packages, " ", known); got != want || name == "all" && packages != nil {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestDamagedCopy: a damaged copy is skipped and reported.
func TestDamagedCopy(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(one("a", "access: open"))
	told := 0
	h := r.Open(holdings.Options{Problem: func(error) { told++ }})
	var containers []string
	err := filepath.WalkDir(r.Dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == "a.warc" && strings.Contains(path, "copy-") {
			containers = append(containers, path)
		}
		return err
	})
	if err != nil || len(containers) != 2 {
		t.Fatal(err, containers)
	}
	slices.Sort(containers)
	text, err := os.ReadFile(containers[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(containers[0], []byte(strings.Replace(string(text), "<p>a", "<p>b", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := what(t, r, h, public, "a"); got != "<p>" || told != 1 {
		t.Errorf("%q, reported %d times", got, told)
	}
	if err := os.Remove(containers[1]); err != nil {
		t.Fatal(err)
	}
	c := r.Find(h, public, "http://a.example/")[0]
	if content, err := h.Read(context.Background(), public, c.Capture); err == nil {
		text, _ := io.ReadAll(content.Body)
		t.Errorf("damaged bytes are returned: %q", text)
	}
}

// TestRulesOfReadOnly: rules also apply to a read-only repository with its indexes elsewhere.
func TestRulesOfReadOnly(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "one", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", "<p>one"),
	}})
	r.Write(filepath.Join(r.Dir, "repo", "access", holdings.RulesName),
		"rules:\n  - {access: blocked, urls: [\"http://a.example/\"]}\n")
	s, err := store.Open(t.Context(), filepath.Join(r.Dir, "repo"),
		store.Options{Describe: aip.Describe, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // only read
	h, err := holdings.Of(t.Context(), s, holdings.Options{Unstated: holdings.Open, Location: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close() }() // only read
	if err := h.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := holdingstest.Captures(t, h, holdings.Reader{Class: holdings.Public},
		captures.Query{URL: "http://a.example/"})
	if len(found) != 1 || found[0].Allowed {
		t.Errorf("%+v", found)
	}
	if !strings.HasPrefix(h.Dir(), cache) {
		t.Errorf("indexes are in %s", h.Dir())
	}
}

// TestRulesOfTheRepository: the rules file in a repository applies without configuration; it is
// optional, and applies as soon as it exists.
func TestRulesOfTheRepository(t *testing.T) {
	var told atomic.Value
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "one", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", "<p>one"),
	}})
	h := r.Open(holdings.Options{Dir: filepath.Join(r.Dir, "access"), Unstated: holdings.Open,
		Problem: func(err error) { told.Store(err.Error()) }})
	allowed := func() bool {
		for c, err := range h.Captures(t.Context(), holdings.Reader{Class: holdings.Public},
			captures.Query{URL: "http://a.example/"}) {
			if err != nil {
				t.Fatal(err)
			}
			return c.Allowed
		}
		t.Fatal("no capture")
		return false
	}
	file := filepath.Join(r.Dir, "access", holdings.RulesName)
	if !allowed() {
		t.Error("there are no rules, and it is closed")
	}
	if err := os.WriteFile(file, []byte("rules:\n  - {access: blocked, urls: [\"http://a.example/\"], message: no}\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if allowed() {
		t.Error("rules that came are not in force")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if allowed() {
		t.Error("unreadable rules open closed content")
	}
	if said, _ := told.Load().(string); !strings.Contains(said, holdings.RulesName) {
		t.Errorf("the removal of the rules was reported as %q", said)
	}
}
