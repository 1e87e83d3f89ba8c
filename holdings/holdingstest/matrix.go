package holdingstest

import (
	"strings"
	"testing"
	"time"

	"quire/holdings"
	"quire/internal/repotest"
)

// Results of access for a reader.
const (
	Allowed = "allowed"
	Denied  = "denied" // visible, but closed
	Hidden  = "hidden" // its existence is hidden
)

// Case is one item of the [Matrix], with the expected access of each class of readers.
type Case struct {
	Name    string // the tested rule
	Package string
	URL     string
	At      string // timestamp, 14 digits
	// must never reach readers without access. It is unique, unless a case tests equal bytes
	Body    string
	Verdict holdings.Verdict

	Public, OnSite, Staff string
	Infected              bool
	Missing               bool // unreadable for all classes
}

// Of returns the access of a class.
func (c *Case) Of(class holdings.Class) string {
	switch class {
	case holdings.Staff:
		return c.Staff
	case holdings.OnSite:
		return c.OnSite
	}
	return c.Public
}

const matrixRules = `
rules:
  - packages: [open]
    urls: [http://open.example/hidden]
    access: blocked
    hidden: true
    comment: by order of a court that forbids to say so
    by: Ada
    on: 2026-11-01
  - packages: [open]
    urls: ["(example,open,)/staff/"]
    access: restricted
    hidden: true
  - name: takedown for a time
    urls: [http://open.example/taken-down]
    asked: {from: 2026-11-01, to: 2026-11-30}
    access: blocked
    message: Taken down until the court has decided.
  - urls: [http://open.example/not-yet]
    asked: {from: 2027-01-01}
    access: blocked
  - packages: [young]
    younger-than: 2 years
    access: onsite
    message: Open two years after it was captured.
  - digests: [` + "DIGEST" + `]
    access: blocked
  - types: [application/x-secret]
    access: restricted
  - packages: [never-scanned]
    scans: [not-scanned]
    access: restricted
  - packages: [dated]
    captured: {from: 2015-01-01, to: 2015-12-31}
    access: restricted
  - packages: [overridden]
    access: open
    override: rights
  - packages: [ruled-open]
    access: open
  - packages: [too-open]
    access: open
`

// Matrix builds a repository with one capture for each reason of open or closed access, and returns
// the expected access. Open the repository with the returned options: they set the clock to the
// time of the repository, noon of 23 November 2026.
func Matrix(t testing.TB) (*Repository, holdings.Options, []Case) {
	t.Helper()
	r := New(t)
	m := &matrix{r: r, packages: map[string]*Package{}}
	m.rights("open", "access: open")
	m.open()
	m.zones()
	m.infected()
	m.segments()
	m.ruled()
	m.withdrawn()
	m.purged()
	for _, id := range m.order {
		r.Ingest(*m.packages[id])
	}
	r.Collect("closed", "A closed collection", "access: restricted", "collected")
	r.Collect("open-collection", "A collection of what is open", "access: open", "open", "too-open")
	r.Withdraw(MatrixWithdrawals...)
	rules := strings.ReplaceAll(matrixRules, "DIGEST", Digest("SECRET of the digest"))
	return r, holdings.Options{Rules: r.Rules(rules)}, m.cases
}

// matrix builds the cases.
type matrix struct {
	r        *Repository
	packages map[string]*Package
	order    []string
	cases    []Case
	n        int
}

const date, again = "2015-01-02T03:04:05Z", "2025-06-07T08:09:10Z"

// rights starts a package with rights.
func (m *matrix) rights(id, rights string) *Package {
	p := &Package{ID: id, Rights: rights, Containers: map[string]string{}}
	m.packages[id] = p
	m.order = append(m.order, id)
	return p
}

// add adds a capture with its expected access; the default body is generated.
func (m *matrix) add(c Case, mime, when string) {
	m.n++
	if c.Body == "" {
		c.Body = "SECRET of " + c.Name
	}
	m.record(c, when, Response(c.Name, c.URL, when, mime, c.Body))
}

func (m *matrix) record(c Case, when, record string) {
	t, err := time.Parse(time.RFC3339, when)
	if err != nil {
		m.r.t.Fatal(err)
	}
	c.At = t.Format("20060102150405")
	m.packages[c.Package].Containers["a.warc"] += record + said(c, when)
	m.cases = append(m.cases, c)
}

// said returns the records that a harvest by OAI-PMH writes behind a capture: the output of a tool
// that repeats the content, and the document with all of it. They are closed like the content.
func said(c Case, when string) string {
	text := ""
	for _, part := range []string{"tool-output", "document"} {
		text += Record("metadata", c.Name+"-"+part, c.URL, when, "text/plain", "of "+part+": "+c.Body,
			"OAI-Part: "+part, "Tool-Label: repeat", "WARC-Concurrent-To: <urn:x:"+c.Name+">")
	}
	return text
}

// open adds captures of an open package, some closed by rules.
func (m *matrix) open() {
	const html = "text/html"
	m.add(Case{Name: "open", Package: "open", URL: "http://open.example/", Verdict: holdings.Open, Public: Allowed,
		OnSite: Allowed, Staff: Allowed}, html, date)
	m.add(Case{Name: "hidden", Package: "open", URL: "http://open.example/hidden", Verdict: holdings.Blocked,
		Public: Hidden, OnSite: Hidden, Staff: Denied}, html, date)
	m.add(Case{Name: "staff-only", Package: "open", URL: "http://open.example/staff/x", Verdict: holdings.Restricted,
		Public: Hidden, OnSite: Hidden, Staff: Allowed}, html, date)
	m.add(Case{Name: "taken-down", Package: "open", URL: "http://open.example/taken-down", Verdict: holdings.Blocked,
		Public: Denied, OnSite: Denied, Staff: Denied}, html, date)
	m.add(Case{Name: "not-yet", Package: "open", URL: "http://open.example/not-yet", Verdict: holdings.Open,
		Public: Allowed, OnSite: Allowed, Staff: Allowed}, html, date)
	m.add(Case{Name: "digest", Package: "open", URL: "http://open.example/digest", Body: "SECRET of the digest",
		Verdict: holdings.Blocked, Public: Denied, OnSite: Denied, Staff: Denied}, html, date)
	m.add(Case{Name: "type", Package: "open", URL: "http://open.example/type", Verdict: holdings.Restricted,
		Public: Denied, OnSite: Denied, Staff: Allowed}, "application/x-secret", date)
	lost := Case{Name: "lost", Package: "open", URL: "http://open.example/lost", Body: "nobody has this",
		Verdict: holdings.Open, Public: Allowed, OnSite: Allowed, Staff: Allowed, Missing: true}
	m.record(lost, again, Revisit("lost", lost.URL, again, html, lost.Body, lost.URL, date))
}

// zones adds rights statements of packages and collections.
func (m *matrix) zones() {
	const html = "text/html"
	for _, z := range []struct {
		id, rights            string
		verdict               holdings.Verdict
		public, onSite, staff string
	}{
		{"onsite", "access: onsite", holdings.Reading, Denied, Allowed, Allowed},
		{"restricted", "access: restricted", holdings.Restricted, Denied, Denied, Allowed},
		{"unstated", "", holdings.Restricted, Denied, Denied, Allowed},
		{"embargoed", "access: open\nembargo: {until: 2099-12-31, access: onsite}", holdings.Reading, Denied, Allowed,
			Allowed},
		{"embargo-over", "access: open\nembargo: {until: 2020-12-31, access: restricted}", holdings.Open, Allowed,
			Allowed, Allowed},
		{"collected", "access: open", holdings.Restricted, Denied, Denied, Allowed},
		{"young", "access: open", holdings.Reading, Denied, Allowed, Allowed},
		{"never-scanned", "access: open", holdings.Restricted, Denied, Denied, Allowed},
		{"dated", "access: open", holdings.Restricted, Denied, Denied, Allowed},
		{"overridden", "access: restricted", holdings.Open, Allowed, Allowed, Allowed},
		{"ruled-open", "", holdings.Open, Allowed, Allowed, Allowed},
		{"too-open", "access: restricted", holdings.Restricted, Denied, Denied, Allowed},
	} {
		m.rights(z.id, z.rights)
		when := date
		if z.id == "young" {
			when = again
		}
		m.add(Case{Name: z.id, Package: z.id, URL: "http://" + z.id + ".example/", Verdict: z.verdict, Public: z.public,
			OnSite: z.onSite, Staff: z.staff}, html, when)
	}
	m.add(Case{Name: "dated-later", Package: "dated", URL: "http://dated.example/later", Verdict: holdings.Open,
		Public: Allowed, OnSite: Allowed, Staff: Allowed}, html, again)
	m.add(Case{Name: "old-enough", Package: "young", URL: "http://young.example/old", Verdict: holdings.Open,
		Public: Allowed, OnSite: Allowed, Staff: Allowed}, html, date)

	m.rights("parts", "access: open\nrules:\n  - urls: [http://parts.example/private/]\n    access: restricted\n")
	m.add(Case{Name: "part-open", Package: "parts", URL: "http://parts.example/", Verdict: holdings.Open,
		Public: Allowed, OnSite: Allowed, Staff: Allowed}, html, date)
	m.add(Case{Name: "part-closed", Package: "parts", URL: "http://parts.example/private/x",
		Verdict: holdings.Restricted, Public: Denied, OnSite: Denied, Staff: Allowed}, html, date)
	// a harvested document with an open and a closed resource, behind the open one
	m.packages["parts"].Containers["a.warc"] += Record("metadata", "part-both", "http://parts.example/", date,
		"text/xml", "of both: SECRET of part-open, SECRET of part-closed", "OAI-Part: document",
		"OAI-Resources: http://parts.example/ http://parts.example/private/x", "WARC-Concurrent-To: <urn:x:part-open>")

	secret := m.rights("secret", "access: open")
	secret.Restrict = []string{"containers/a.warc", "logs/secret.log"}
	secret.Logs = map[string]string{"secret.log": "SECRET of the log\n", "open.log": "of the open log\n"}
	m.add(Case{Name: "secret-container", Package: "secret", URL: "http://secret.example/", Verdict: holdings.Restricted,
		Public: Denied, OnSite: Denied, Staff: Allowed}, html, date)
}

// infected adds bytestreams with a virus, and captures of the same bytes elsewhere.
func (m *matrix) infected() {
	virus := "SECRET of the virus " + EICAR()
	p := m.rights("infected", "access: open")
	p.Scan = true
	infected := Case{Name: "infected", Package: "infected", URL: "http://infected.example/virus", Body: virus,
		Verdict: holdings.Blocked, Public: Denied, OnSite: Denied, Staff: Denied, Infected: true}
	m.add(infected, "text/plain", date)
	m.add(Case{Name: "clean", Package: "infected", URL: "http://infected.example/clean", Verdict: holdings.Open,
		Public: Allowed, OnSite: Allowed, Staff: Allowed}, "text/html", date)

	m.rights("copied", "access: open")
	copied := infected
	copied.Name, copied.Package, copied.URL = "infected-copy", "copied", "http://copied.example/virus"
	m.add(copied, "text/plain", again)
	revisit := infected
	revisit.Name, revisit.Package, revisit.URL = "infected-revisit", "open", "http://open.example/virus-again"
	m.record(revisit, again, Revisit("infected-revisit", revisit.URL, again, "text/plain", virus, infected.URL, date))
}

// segments adds records in two segments, the head in one and the body in the other.
func (m *matrix) segments() {
	p := m.rights("segments", "access: open")
	p.Restrict = []string{"containers/b.warc"}
	m.inTwo(Case{Name: "segments-open", Package: "segments", URL: "http://segments.example/open",
		Verdict: holdings.Open, Public: Allowed, OnSite: Allowed, Staff: Allowed}, "a.warc")
	m.inTwo(Case{Name: "segments-secret-container", Package: "segments", URL: "http://segments.example/closed",
		Verdict: holdings.Restricted, Public: Denied, OnSite: Denied, Staff: Allowed}, "b.warc")
	m.inTwo(Case{Name: "segments-virus", Package: "infected", URL: "http://infected.example/segments",
		Body: "SECRET of segments-virus " + EICAR(), Verdict: holdings.Blocked, Public: Denied, OnSite: Denied,
		Staff: Denied, Infected: true}, "b.warc")
}

// inTwo adds a capture in two segments. The second is in a container of its own choice.
func (m *matrix) inTwo(c Case, second string) {
	if c.Body == "" {
		c.Body = "SECRET of " + c.Name
	}
	r := Response(c.Name, c.URL, date, "text/html", c.Body)
	parts := repotest.Segments(r, strings.Index(r, c.Body)-strings.Index(r, "HTTP/1.1"))
	m.record(c, date, parts[0])
	m.packages[c.Package].Containers[second] += parts[1]
}

// ruled adds revisits to an open package. Their originals are in other packages, with different
// access.
func (m *matrix) ruled() {
	const html = "text/html"
	for _, of := range []struct {
		name, url             string
		verdict               holdings.Verdict
		public, onSite, staff string
	}{
		{"restricted", "http://restricted.example/", holdings.Restricted, Denied, Denied, Allowed},
		{"onsite", "http://onsite.example/", holdings.Reading, Denied, Allowed, Allowed},
		{"part-closed", "http://parts.example/private/x", holdings.Restricted, Denied, Denied, Allowed},
		{"secret-container", "http://secret.example/", holdings.Restricted, Denied, Denied, Allowed},
		{"hidden", "http://open.example/hidden", holdings.Blocked, Hidden, Hidden, Denied},
		{"dated", "http://dated.example/", holdings.Restricted, Denied, Denied, Allowed},
		{"open", "http://open.example/", holdings.Open, Allowed, Allowed, Allowed},
	} {
		c := Case{Name: "revisit-of-" + of.name, Package: "open", URL: "http://open.example/revisit-of-" + of.name,
			Body: "SECRET of " + of.name, Verdict: of.verdict,
			Public: of.public, OnSite: of.onSite, Staff: of.staff}
		m.record(c, again, Revisit(c.Name, c.URL, again, html, c.Body, of.url, date))
	}
}
