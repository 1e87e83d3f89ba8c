package page

import (
	"context"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/access/withdrawal"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/repository/jobs"
	"quire/repository/store"
	"quire/service/role"
	"quire/service/servicetest"
	"quire/service/signin"
	"quire/service/token"
)

type tested struct {
	*Pages
	*servicetest.Service
	valid map[string]*role.Person // by token
}

// made returns pages on a repository with an open package and a closed one, whose title is hostile.
func made(t *testing.T) *tested {
	t.Helper()
	r := holdingstest.New(t)
	for _, id := range []string{"closed", "open"} {
		p := holdingstest.Package{ID: id, Containers: map[string]string{id + ".warc": holdingstest.Response(id,
			"http://"+id+".example/", "2024-01-02T03:04:05Z", "text/html",
			"<title>&lt;script&gt;alert(1)&lt;/script&gt; of "+id+"</title>")}}
		if id == "open" {
			p.Rights = "access: open\n"
		}
		r.Ingest(p)
	}
	m := &tested{Service: servicetest.New(t, r, holdings.Options{}), valid: map[string]*role.Person{}}
	for _, one := range role.All() {
		m.valid["token-"+string(one)] = &role.Person{Name: "the " + string(one), Roles: []role.Role{one}}
	}
	var err error
	m.Pages, err = New(Options{Name: "Archive <of> Boats", Desk: m.Desk, Sessions: &signin.Sessions{},
		Log: slog.New(slog.DiscardHandler), Token: func(_ context.Context, text string) (*role.Person, error) {
			if p := m.valid[text]; p != nil {
				return p, nil
			}
			return nil, token.ErrInvalid
		}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// browser is a browser with a session.
type browser struct {
	m      *tested
	cookie *http.Cookie
	form   string
}

func (m *tested) signedIn(t *testing.T, one role.Role) *browser {
	t.Helper()
	b := &browser{m: m}
	w := b.post("/sign-in", url.Values{"token": {"token-" + string(one)}}, "same-origin")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/" {
		t.Fatalf("sign-in: %d %s", w.Code, w.Body)
	}
	b.cookie = w.Result().Cookies()[0]
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.AddCookie(b.cookie)
	session, err := m.o.Sessions.Of(r)
	if err != nil {
		t.Fatal(err)
	}
	b.form = session.Form
	return b
}

func (b *browser) get(path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	return b.send(r)
}

func (b *browser) send(r *http.Request) *httptest.ResponseRecorder {
	if b.cookie != nil {
		r.AddCookie(b.cookie)
	}
	w := httptest.NewRecorder()
	b.m.Pages.ServeHTTP(w, r)
	return w
}

func (b *browser) post(path string, form url.Values, site string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", site)
	return b.send(r)
}

// routes are all pages, with the roles that may use them.
var routes = []struct {
	method, path string
	form         url.Values
	roles        []role.Role
}{
	{"GET", "/", nil, role.All()},
	{"GET", "/packages", nil, role.All()},
	{"GET", "/packages/open", nil, role.All()},
	{"GET", "/jobs", nil, []role.Role{role.Curator, role.Operator, role.Auditor}},
	{"GET", "/jobs/1", nil, []role.Role{role.Curator, role.Operator, role.Auditor}},
	{"GET", "/copies", nil, []role.Role{role.Operator, role.Auditor}},
	{"GET", "/decisions", nil, []role.Role{role.Curator, role.Approver, role.Auditor}},
	{"POST", "/jobs", url.Values{"kind": {"audit"}}, []role.Role{role.Curator, role.Operator}},
	{"POST", "/jobs/1/cancel", nil, []role.Role{role.Operator}},
	{"POST", "/jobs/1/retry", nil, []role.Role{role.Operator}},
	{"POST", "/purges/P1/approve", url.Values{"package": {"closed"}}, []role.Role{role.Approver}},
	{"POST", "/purges/P1/cancel", url.Values{"because": {"x"}}, []role.Role{role.Curator, role.Approver}},
}

// TestRoles asks for each page by each role, without a session, without the secret of the form, and from another host.
func TestRoles(t *testing.T) {
	m := made(t)
	if _, err := m.Desk.Queue.Submit(t.Context(), []jobs.Call{{Command: []string{"audit", "--", "closed"},
		Directory: m.Dir, By: "x", Queue: "audit", Priority: 1, Attempts: 1}}); err != nil {
		t.Fatal(err)
	}
	for _, one := range role.All() {
		b := m.signedIn(t, one)
		for _, r := range routes {
			send := func(b *browser, site, form string) *httptest.ResponseRecorder {
				if r.method == "GET" {
					return b.get(r.path)
				}
				values := url.Values{"form": {form}}
				for k, v := range r.form {
					values[k] = v
				}
				return b.post(r.path, values, site)
			}
			if w := send(&browser{m: m}, "same-origin", b.form); w.Code != http.StatusSeeOther ||
				w.Header().Get("Location") != "/sign-in" {
				t.Errorf("%s %s without a session: %d", r.method, r.path, w.Code)
			}
			if r.method == "POST" {
				if w := send(b, "cross-site", b.form); w.Code != http.StatusForbidden {
					t.Errorf("%s %s from another site: %d", one, r.path, w.Code)
				}
				if w := send(b, "same-origin", "X"); w.Code != http.StatusForbidden ||
					!strings.Contains(w.Body.String(), "not of your session") {
					t.Errorf("%s %s with a wrong form: %d", one, r.path, w.Code)
				}
			}
			w := send(b, "same-origin", b.form)
			may := slices.Contains(r.roles, one)
			if may == (w.Code == http.StatusForbidden) || w.Code >= 500 {
				t.Errorf("%s %s %s: %d %s", one, r.method, r.path, w.Code, w.Body)
			}
			if text := w.Body.String(); strings.Contains(text, "<script") || strings.Contains(text, "<of>") {
				t.Errorf("%s shows markup of others: %s", r.path, text)
			}
			if one == role.Reader && strings.Contains(w.Body.String(), "of closed") {
				t.Errorf("a reader learns the title of the closed package at %s: %s", r.path, w.Body)
			}
		}
	}
	reader := m.signedIn(t, role.Reader)
	if w := reader.get("/packages/closed"); w.Code != 200 || strings.Contains(w.Body.String(), "of closed") ||
		strings.Contains(w.Body.String(), "Versions") {
		t.Errorf("a closed package: %d %s", w.Code, w.Body)
	}
	_, err := m.Desk.Withdraw(t.Context(), m.valid["token-curator"], withdrawal.Request{Named: "closed", Because: "x",
		Authority: "y"})
	if err != nil {
		t.Fatal(err)
	}
	if w := reader.get("/packages/closed"); w.Code != http.StatusNotFound {
		t.Errorf("a hidden package: %d", w.Code)
	}
	if w := reader.get("/packages"); strings.Contains(w.Body.String(), "closed") {
		t.Errorf("a hidden package: %s", w.Body)
	}
	if w := reader.get("/none"); w.Code != http.StatusNotFound {
		t.Errorf("no page: %d", w.Code)
	}
}

// TestSignIn refuses wrong tokens, ends with the token, and keeps the cookie from scripts and other sites.
func TestSignIn(t *testing.T) {
	m := made(t)
	b := &browser{m: m}
	for _, wrong := range []string{"", "x", "token-operator "} {
		w := b.post("/sign-in", url.Values{"token": {wrong}}, "same-origin")
		if w.Code != http.StatusForbidden || len(w.Result().Cookies()) > 0 ||
			!strings.Contains(w.Body.String(), "not valid") {
			t.Errorf("%q: %d %s", wrong, w.Code, w.Body)
		}
	}
	if w := b.post("/sign-in", url.Values{"token": {"token-operator"}}, "cross-site"); w.Code != http.StatusForbidden ||
		len(w.Result().Cookies()) > 0 {
		t.Errorf("another host signs in: %d", w.Code)
	}
	if w := b.get("/sign-in?token=token-operator"); len(w.Result().Cookies()) > 0 {
		t.Error("a link signs in")
	}
	b = m.signedIn(t, role.Operator)
	if c := b.cookie; !c.HttpOnly || c.SameSite != http.SameSiteStrictMode {
		t.Errorf("%+v", c)
	}
	w := b.get("/")
	for _, header := range []string{"script-src", "unsafe-inline"} {
		if strings.Contains(w.Header().Get("Content-Security-Policy"), header) {
			t.Errorf("the policy allows %s", header)
		}
	}
	if !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") ||
		w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%v", w.Header())
	}
	delete(m.valid, "token-operator")
	if w := b.get("/jobs"); w.Code != http.StatusSeeOther {
		t.Errorf("after the token was revoked: %d", w.Code)
	}
	b = m.signedIn(t, role.Auditor)
	b.post("/sign-out", nil, "same-origin")
	if w := b.get("/"); w.Code != http.StatusSeeOther {
		t.Errorf("signed out: %d", w.Code)
	}
}

// TestDay goes through the day of an operator and an approver.
func TestDay(t *testing.T) {
	m := made(t)
	operator, approver := m.signedIn(t, role.Operator), m.signedIn(t, role.Approver)
	curator := m.signedIn(t, role.Curator)
	w := operator.post("/jobs", url.Values{"form": {operator.form}, "kind": {"audit"}, "argument": {"closed"},
		"repair": {"true"}}, "same-origin")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/jobs/1" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if said := m.Said[0]; !slices.Equal(said.Words, []string{"audit", "--repair", "--", "closed"}) ||
		said.By != "the operator" {
		t.Errorf("%+v", said)
	}
	w = operator.get("/jobs/1")
	for _, want := range []string{"audit --repair closed", `action="/jobs/1/cancel"`, `href="/packages/closed"`} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("no %s in %s", want, w.Body)
		}
	}
	if w := operator.get("/"); !strings.Contains(w.Body.String(), "no worker runs") {
		t.Errorf("%s", w.Body)
	}
	if w := operator.post("/jobs/1/cancel", url.Values{"form": {operator.form}}, "same-origin"); w.Code != 303 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := operator.get("/jobs/1"); !strings.Contains(w.Body.String(), `action="/jobs/1/retry"`) {
		t.Errorf("%s", w.Body)
	}
	if w := operator.post("/jobs/1/retry", url.Values{"form": {operator.form}}, "same-origin"); w.Code != 303 ||
		w.Header().Get("Location") != "/jobs/2" {
		t.Errorf("%d %s", w.Code, w.Header())
	}
	if w := operator.post("/jobs", url.Values{"form": {operator.form}, "kind": {"ingest"}, "argument": {"/etc"}},
		"same-origin"); w.Code != http.StatusUnprocessableEntity ||
		!strings.Contains(w.Body.String(), "not in a folder") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	p, err := m.Desk.RequestPurge(t.Context(), m.valid["token-curator"], purgeOf("closed"))
	if err != nil {
		t.Fatal(err)
	}
	if w := curator.get("/decisions"); strings.Contains(w.Body.String(), "/approve") {
		t.Errorf("a curator may approve: %s", w.Body)
	}
	if w := approver.get("/decisions"); !strings.Contains(w.Body.String(), `action="/purges/P1/approve"`) {
		t.Errorf("%s", w.Body)
	}
	approve := url.Values{"form": {approver.form}, "package": {"open"}}
	if w := approver.post("/purges/"+p.ID+"/approve", approve, "same-origin"); w.Code != 422 {
		t.Errorf("another package: %d", w.Code)
	}
	approve.Set("package", "closed")
	if w := approver.post("/purges/"+p.ID+"/approve", approve, "same-origin"); w.Code != 303 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := approver.get("/decisions"); !strings.Contains(w.Body.String(), "Approved by the approver") {
		t.Errorf("%s", w.Body)
	}
}

// TestLinks follows the links of the list of packages, also of ids that are no part of an address.
func TestLinks(t *testing.T) {
	m := made(t)
	const id = "sl/ash?x#y %2F"
	m.Ingest(holdingstest.Package{ID: id, Rights: "access: open\n", Containers: map[string]string{
		"a.warc": holdingstest.Response("a", "http://a.example/", "2024-01-02T03:04:05Z", "text/html", "a")}})
	list := regexp.MustCompile(`href="(/packages/[^"]+)"`)
	b := m.signedIn(t, role.Auditor)
	links := list.FindAllStringSubmatch(b.get("/packages").Body.String(), -1)
	if len(links) != 3 {
		t.Errorf("%d links", len(links))
	}
	seen := false
	for _, link := range links {
		w := b.get(html.UnescapeString(link[1]))
		if w.Code != 200 {
			t.Errorf("%s: %d", link[1], w.Code)
		}
		seen = seen || strings.Contains(w.Body.String(), id)
	}
	if !seen {
		t.Errorf("%v: none is %s", links, id)
	}
}

func TestStatic(t *testing.T) {
	m := made(t)
	b := &browser{m: m}
	for path, want := range map[string]string{"/static/quire.css": "text/css", "/static/operate.css": "text/css",
		"/static/quire.svg": "image/svg+xml", "/static/inter-latin.woff2": "font/woff2",
		"/static/OFL.txt": "text/plain"} {
		w := b.get(path)
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), want) || w.Body.Len() == 0 {
			t.Errorf("%s: %d %s", path, w.Code, w.Header())
		}
	}
	for _, path := range []string{"/static/none.css", "/static/..%2Fpage.go", "/static/"} {
		if w := b.get(path); w.Code == 200 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	words := []string{"audit", "--repo", "/r", "--repair", "--repo=/r", "--", "x"}
	if got := short(words); !slices.Equal(got, []string{"audit", "--repair", "x"}) {
		t.Errorf("%q", got)
	}
	if got := lastLines(strings.Repeat("a\n", 20)); got != strings.TrimSuffix(strings.Repeat("a\n", shownLines), "\n") {
		t.Errorf("%q", got)
	}
}

func purgeOf(id string) store.PurgeRequest {
	return store.PurgeRequest{Package: id, Because: "by order", Authority: "court"}
}

// TestReports shows jobs that ran, in each way.
func TestReports(t *testing.T) {
	m := made(t)
	one, two := 1, 2
	ran := jobs.Job{ID: 7, State: jobs.Problems, Queue: "audit", Command: []string{"audit", "--repo", "/r"}, By: "Ada",
		Started: time.Now(), Ended: time.Now(), Follows: 5, Failures: []jobs.Failure{{Attempt: 1, Error: "<b>lost"}},
		Report: &jobs.Report{ExitStatus: &one, Output: "FIXITY <i> copy-2", At: time.Now()}}
	failed, running := ran, ran
	failed.State, failed.Report = jobs.Failed, &jobs.Report{ExitStatus: &two, Messages: "no such folder"}
	running.State, running.Report = jobs.Running, &jobs.Report{Phase: "auditing", Done: 3, Total: 4}
	for name, c := range map[string]struct {
		page string
		body any
		want []string
	}{
		"problems": {"job.html", jobPage{Job: ran, Again: true}, []string{"1: the content has problems",
			"FIXITY &lt;i&gt;", "&lt;b&gt;lost", "/jobs/7/retry", "/jobs/5"}},
		"failed":  {"job.html", jobPage{Job: failed}, []string{"2: the call", "no such folder"}},
		"running": {"job.html", jobPage{Job: running, End: true}, []string{`max="4" value="3"`, "/jobs/7/cancel"}},
		"today": {"today.html", &today{Jobs: true, Retry: true, Failed: []jobs.Job{ran, failed},
			Running: []jobs.Job{running}, Came: []jobs.Job{ran}},
			[]string{"FIXITY", "no such folder", `value="3"`, "Retry"}},
		"jobs": {"jobs.html", jobsPage{Jobs: []jobs.Job{ran, running}, Submit: true, Folders: true,
			Workers: []jobs.WorkerState{{Host: "h"}}}, []string{`class="state warn"`, "h: 0 at once", "Ingest"}},
	} {
		w := httptest.NewRecorder()
		q := &request{Request: httptest.NewRequest(http.MethodGet, "/", nil), w: w, p: m.Pages,
			who: m.valid["token-operator"]}
		q.show(200, c.page, "Title", c.body)
		for _, want := range c.want {
			if w.Code != 200 || !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %d, no %s in %s", name, w.Code, want, w.Body)
			}
		}
	}
}
