package withdrawal_test

import (
	"context"
	"crypto/sha512"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/access/thumbnail"
	"quire/access/withdrawal"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/holdings/rights"
	"quire/preserve/aip"
	"quire/repository/store"
)

const date = "2015-01-02T03:04:05Z"

// page returns a package without rights statement, with a page and one below it.
func page(id string) holdingstest.Package {
	at := "http://" + id + ".example/"
	return holdingstest.Package{ID: id, Containers: map[string]string{
		"a.warc": holdingstest.Response("1", at, date, "text/html", "<p>"+id) +
			holdingstest.Response("2", at+"private/x", date, "text/html", "<p>private")}}
}

// access returns "open", "closed" or "hidden" for a reader and a URL.
func access(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, class holdings.Class, url string) string {
	t.Helper()
	all := r.Find(h, holdings.Reader{Class: class}, url)
	switch {
	case len(all) == 0:
		return "hidden"
	case all[0].Allowed:
		return "open"
	}
	return "closed"
}

// opened returns holdings that are open already.
func opened(h *holdings.Holdings) withdrawal.Opener {
	return func() (*holdings.Holdings, error) { return h, nil }
}

func request(named string, now time.Time) withdrawal.Request {
	return withdrawal.Request{Named: named, Because: "the letter of the owner", Authority: "Court of Bruges, 2026/17",
		By: "Ada", Now: now}
}

// TestWithdraw: a withdrawal closes at once, in holdings that are open; it is an event of each package
// concerned, and its certificate has the digests.
func TestWithdraw(t *testing.T) {
	ctx := context.Background()
	r := holdingstest.New(t)
	r.Ingest(page("a"))
	r.Ingest(page("b"))
	h := r.Open(holdings.Options{Unstated: holdings.Open})
	const url = "http://a.example/private/"
	if got := access(t, r, h, holdings.Public, url+"x"); got != "open" {
		t.Fatal(got)
	}
	plan, err := withdrawal.Plan(ctx, r.Store, h, request(url, r.Clock.Now()))
	if err != nil || plan.Captures != 1 || plan.Packages != 1 {
		t.Errorf("%+v, %v", plan, err)
	}
	if list, err := withdrawal.List(ctx, r.Store); err != nil || len(list) != 0 {
		t.Errorf("the plan was carried out: %+v, %v", list, err)
	}
	unable := func() (*holdings.Holdings, error) { return nil, errors.New("the rules cannot be read") }
	if _, err := withdrawal.Withdraw(ctx, r.Store, unable, request(url, r.Clock.Now())); err == nil {
		t.Error("incomplete events are no error")
	}
	if got := access(t, r, h, holdings.Public, url+"x"); got != "hidden" {
		t.Errorf("%s, while its events are incomplete", got)
	}
	small := r.Write(filepath.Join(h.Dir(), thumbnail.DirName, "a-thumbnail"), "of the page")
	c, err := withdrawal.Withdraw(ctx, r.Store, opened(h), request(url, r.Clock.Now()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(small); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a thumbnail is kept: %v", err)
	}
	for class, want := range map[holdings.Class]string{holdings.Public: "hidden", holdings.OnSite: "hidden",
		holdings.Staff: "closed"} {
		if got := access(t, r, h, class, url+"x"); got != want {
			t.Errorf("%s: %s, want %s", class, got, want)
		}
	}
	if got := access(t, r, h, holdings.Public, "http://a.example/"); got != "open" {
		t.Errorf("the page above is %s", got)
	}
	w := c.Withdrawal
	if w.ID != "W1" || w.Captures != 1 || w.Packages != 1 || len(w.In) != 1 || w.In[0].Package != "a" || w.URL != url {
		t.Errorf("%+v", w)
	}
	checkCertificate(t, r, c)
	again, err := withdrawal.Withdraw(ctx, r.Store, opened(h), request(url, r.Clock.Now().Add(time.Minute)))
	if err != nil || again.Withdrawal.ID != "W1" || !again.Withdrawal.At.Equal(w.At) || len(again.Events) != 1 ||
		again.Events[0].ID != c.Events[0].ID {
		t.Errorf("the same again: %+v, %v", again, err)
	}
	whole, err := withdrawal.Withdraw(ctx, r.Store, opened(h), request("b", r.Clock.Now()))
	if err != nil || whole.Withdrawal.ID != "W2" || whole.Withdrawal.Package != "b" || whole.Withdrawal.Captures != 2 {
		t.Fatalf("%+v, %v", whole, err)
	}
	if got := access(t, r, h, holdings.Public, "http://b.example/"); got != "hidden" {
		t.Error(got)
	}
}

// checkCertificate compares a certificate with the repository, and reads it in both forms.
func checkCertificate(t *testing.T, r *holdingstest.Repository, c *withdrawal.Certificate) {
	t.Helper()
	v, text, err := r.Store.Document(context.Background(), store.WithdrawalsDocument, c.Document.Version)
	if err != nil || v.SHA512 != fmt.Sprintf("%x", sha512.Sum512(text)) || v.SHA512 != c.Document.SHA512 ||
		!strings.Contains(string(text), c.Withdrawal.Because) {
		t.Errorf("document %+v, %v", c.Document, err)
	}
	if len(c.Events) != 1 || c.Events[0].Package != "a" {
		t.Fatalf("%+v", c.Events)
	}
	e := c.Events[0]
	d, err := r.Store.Show(context.Background(), e.Package)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Places {
		text, err := os.ReadFile(filepath.Join(p.Path, "logs", e.File))
		if err != nil || fmt.Sprintf("%x", sha512.Sum512(text)) != e.SHA512 {
			t.Errorf("%s: %v", p.Copy, err)
		}
		for _, want := range []string{">withdrawal<", "the letter of the owner", "authority: Court of Bruges",
			">Ada<"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("the event has no %q: %s", want, text)
			}
		}
	}
	dir := t.TempDir()
	if err := errors.Join(c.Write(filepath.Join(dir, "c.json")), c.Write(filepath.Join(dir, "c.html"))); err != nil {
		t.Fatal(err)
	}
	if err := c.Write(filepath.Join(dir, "c.html")); err == nil {
		t.Error("a certificate was overwritten")
	}
	file, err := os.ReadFile(filepath.Join(dir, "c.json"))
	var back withdrawal.Certificate
	if err != nil || json.Unmarshal(file, &back) != nil || back.Events[0] != e || back.Document != c.Document {
		t.Errorf("%s, %v", file, err)
	}
	html, err := os.ReadFile(filepath.Join(dir, "c.html"))
	for _, want := range []string{c.Withdrawal.Named, "Court of Bruges, 2026/17", e.SHA512, c.Document.SHA512,
		"1 in 1 package"} {
		if err != nil || !strings.Contains(string(html), want) {
			t.Errorf("the page has no %q (%v)", want, err)
		}
	}
}

// TestSurvives: after the loss of catalogue, indexes and rules file, a withdrawn page stays closed, even
// if pages without rights statement are open.
func TestSurvives(t *testing.T) {
	ctx := context.Background()
	r := holdingstest.New(t)
	r.Ingest(page("a"))
	h := r.Open(holdings.Options{Unstated: holdings.Open})
	q := request("http://a.example/private/", r.Clock.Now())
	if _, err := withdrawal.Withdraw(ctx, r.Store, opened(h), q); err != nil {
		t.Fatal(err)
	}
	places := r.Store.Copies()
	if err := errors.Join(h.Close(), r.Store.Close()); err != nil {
		t.Fatal(err)
	}
	var copies []string
	for _, p := range places { // into a folder that never was the repository
		to := filepath.Join(t.TempDir(), p.Name)
		if err := os.CopyFS(to, os.DirFS(p.Path)); err != nil {
			t.Fatal(err)
		}
		copies = append(copies, to)
	}
	s, err := store.Init(ctx, filepath.Join(t.TempDir(), "again"),
		store.InitOptions{Describe: aip.Describe, Rebuild: true, Copies: copies})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	again, err := holdings.Of(ctx, s, holdings.Options{Unstated: holdings.Open, Location: time.UTC, Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if err := again.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{"http://a.example/": "open", "http://a.example/private/x": "hidden"} {
		if got := access(t, r, again, holdings.Public, url); got != want {
			t.Errorf("%s is %s, want %s", url, got, want)
		}
	}
	c, err := withdrawal.Certify(ctx, s, "W1")
	if err != nil || len(c.Events) != 1 || c.Withdrawal.By != "Ada" {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestEnds: a withdrawal ends after its last day without an action, or when it is lifted, with an
// event.
func TestEnds(t *testing.T) {
	ctx := context.Background()
	r := holdingstest.New(t)
	r.Clock.Set(time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	r.Ingest(page("a"))
	r.Ingest(page("b"))
	h := r.Open(holdings.Options{Unstated: holdings.Open})
	q := request("http://a.example/", r.Clock.Now())
	q.Until, q.Message = "2026-12-31", "Withdrawn until the end of the year."
	if _, err := withdrawal.Withdraw(ctx, r.Store, opened(h), q); err != nil {
		t.Fatal(err)
	}
	for moment, want := range map[time.Time]string{
		time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC): "closed",
		time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC):      "open",
	} {
		r.Clock.Set(moment)
		if got := access(t, r, h, holdings.Public, "http://a.example/"); got != want {
			t.Errorf("%s: %s, want %s", moment, got, want)
		}
	}
	r.Clock.Set(time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC))
	if _, err := withdrawal.Withdraw(ctx, r.Store, opened(h), request("b", r.Clock.Now())); err != nil {
		t.Fatal(err)
	}
	lifting := rights.Lifting{Because: "an error", Authority: "the board", By: "Bob", At: r.Clock.Now()}
	c, err := withdrawal.Lift(ctx, r.Store, opened(h), "W2", lifting)
	if err != nil {
		t.Fatal(err)
	}
	if got := access(t, r, h, holdings.Public, "http://b.example/"); got != "open" {
		t.Error(got)
	}
	if len(c.Events) != 2 || c.Events[0].Type != "withdrawal" || c.Events[1].Type != "reinstatement" ||
		c.Withdrawal.Lifted == nil || c.Withdrawal.Captures != 2 || c.Document.Version >= 4 {
		t.Errorf("%+v", c)
	}
	if again, err := withdrawal.Lift(ctx, r.Store, opened(h), "W2", lifting); err != nil || len(again.Events) != 2 {
		t.Errorf("the same again: %v", err)
	}
	lifting.Because = "another reason"
	if _, err := withdrawal.Lift(ctx, r.Store, opened(h), "W2", lifting); !errors.Is(err, withdrawal.ErrLifted) {
		t.Error(err)
	}
	if _, err := withdrawal.Lift(ctx, r.Store, opened(h), "W9", lifting); !errors.Is(err, withdrawal.ErrNone) {
		t.Error(err)
	}
	list, err := withdrawal.List(ctx, r.Store)
	if err != nil || len(list) != 2 || list[0].Lifted != nil || list[1].Lifted == nil {
		t.Errorf("%+v, %v", list, err)
	}
	if again, err := withdrawal.Withdraw(ctx, r.Store, opened(h), request("b", r.Clock.Now())); err != nil ||
		again.Withdrawal.ID != "W3" || len(again.Events) != 1 {
		t.Errorf("after it was lifted: %+v, %v", again, err)
	}
}

// TestRefused: a withdrawal that means nothing is refused, and changes nothing.
func TestRefused(t *testing.T) {
	ctx := context.Background()
	r := holdingstest.New(t)
	r.Ingest(page("a"))
	r.Collect("coll", "Collection", "access: open", "a")
	h := r.Open(holdings.Options{})
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for name, change := range map[string]func(*withdrawal.Request){
		"no reason":     func(q *withdrawal.Request) { q.Because = " " },
		"no authority":  func(q *withdrawal.Request) { q.Authority = "" },
		"over":          func(q *withdrawal.Request) { q.Until = "2026-11-22" },
		"no day":        func(q *withdrawal.Request) { q.Until = "next year" },
		"nothing":       func(q *withdrawal.Request) { q.Named = "" },
		"no URL":        func(q *withdrawal.Request) { q.Named = "/path" },
		"a collection":  func(q *withdrawal.Request) { q.Named = "coll" },
		"open":          func(q *withdrawal.Request) { q.Access = rights.Open },
		"no package":    func(q *withdrawal.Request) { q.Package = "none" },
		"two packages":  func(q *withdrawal.Request) { q.Named, q.Package = "a", "coll" },
		"the documents": func(q *withdrawal.Request) { q.Named = "urn:quire:document:withdrawals" },
	} {
		q := request("http://a.example/", now)
		change(&q)
		if _, err := withdrawal.Withdraw(ctx, r.Store, opened(h), q); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
