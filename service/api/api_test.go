package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/repository/catalogue"
	"quire/repository/jobs"
	"quire/service/desk"
	"quire/service/role"
	"quire/service/servicetest"
)

// made returns an API on a repository with one open package and one closed one.
func made(t *testing.T) (*API, *servicetest.Service) {
	t.Helper()
	r := holdingstest.New(t)
	for _, id := range []string{"closed", "open"} {
		p := holdingstest.Package{ID: id, Containers: map[string]string{id + ".warc": holdingstest.Response(id,
			"http://"+id+".example/", "2024-01-02T03:04:05Z", "text/html", "<title>Title of "+id+"</title>"+id)}}
		if id == "open" {
			p.Rights = "access: open\n"
		}
		r.Ingest(p)
	}
	return of(t, servicetest.New(t, r, holdings.Options{}))
}

func of(t *testing.T, s *servicetest.Service) (*API, *servicetest.Service) {
	t.Helper()
	a, err := New(s.Desk, Options{Version: "1.0.0", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return a, s
}

// as returns a person with a role.
func as(r role.Role) *role.Person {
	return &role.Person{Name: "the " + string(r), Roles: []role.Role{r}}
}

// ask sends a request as a person, nil for an unknown one.
func ask(t *testing.T, a *API, who *role.Person, method, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if who != nil {
		r = r.WithContext(who.In(r.Context()))
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w
}

// operation is an operation of the description.
type operation struct{ id, method, path string }

func operations(t *testing.T, a *API) (all []operation) {
	t.Helper()
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]struct{ OperationID string }
	}
	if err := json.Unmarshal(a.json, &doc); err != nil || doc.OpenAPI != "3.1.0" {
		t.Fatalf("%s, %v", doc.OpenAPI, err)
	}
	for path, methods := range doc.Paths {
		for method, o := range methods {
			all = append(all, operation{o.OperationID, strings.ToUpper(method), base + path})
		}
	}
	slices.SortFunc(all, func(a, b operation) int { return strings.Compare(a.id, b.id) })
	return all
}

var parameter = regexp.MustCompile(`\{[a-z]+\}`)

// TestRoles is the matrix of all operations and all roles. A request without the role is refused before it is read:
// its answer is the same whether the thing is there or not.
func TestRoles(t *testing.T) {
	a, s := made(t)
	all := operations(t, a)
	if len(all) < 30 {
		t.Fatalf("%d operations", len(all))
	}
	for _, o := range all {
		rule, ok := role.Find(o.id)
		if !ok {
			t.Errorf("%s has no roles", o.id)
			continue
		}
		for _, id := range []string{"open", "closed", "7", "no such", "report-20261130-000000-AAAAAAAA.html"} {
			path := parameter.ReplaceAllString(o.path, url.PathEscape(id))
			if w := ask(t, a, nil, o.method, path, "{}"); w.Code != http.StatusUnauthorized ||
				w.Header().Get("WWW-Authenticate") == "" {
				t.Errorf("%s without a person: %d %s", o.id, w.Code, w.Body)
			}
			if w := ask(t, a, &role.Person{Name: "x"}, o.method, path, "{}"); w.Code != http.StatusForbidden {
				t.Errorf("%s without a role: %d %s", o.id, w.Code, w.Body)
			}
			for _, r := range role.All() {
				w := ask(t, a, as(r), o.method, path, "{}")
				may := slices.Contains(rule.Roles, r)
				if may == (w.Code == http.StatusForbidden) || w.Code == http.StatusUnauthorized {
					t.Errorf("%s %s: %d %s", r, o.id, w.Code, w.Body)
				}
				text := w.Body.String()
				if !may && (strings.Contains(text, "Title of") || strings.Contains(text, "example")) {
					t.Errorf("%s %s is told %s", r, o.id, text)
				}
				if w.Code >= 500 {
					t.Errorf("%s %s: %d %s", r, o.id, w.Code, w.Body)
				}
			}
		}
	}
	if len(s.Said) == 0 {
		t.Error("no report was asked for")
	}
}

// TestReader compares the packages that each role sees with the matrix of rights.
func TestReader(t *testing.T) {
	r, o, cases := holdingstest.Matrix(t)
	a, _ := of(t, servicetest.New(t, r, o))
	hidden := map[string]bool{}
	for p, err := range a.desk.Holdings.Packages(t.Context(), holdings.Reader{Class: holdings.Staff}) {
		if err != nil {
			t.Fatal(err)
		}
		hidden[p.ID] = true
	}
	staff := len(hidden)
	for p, err := range a.desk.Holdings.Packages(t.Context(), holdings.Reader{Class: holdings.Public}) {
		if err != nil {
			t.Fatal(err)
		}
		delete(hidden, p.ID)
	}
	if len(hidden) == 0 || staff == len(hidden) {
		t.Fatalf("%d of %d packages are hidden", len(hidden), staff)
	}
	var all strings.Builder
	for after := ""; ; {
		w := ask(t, a, as(role.Reader), "GET", base+"/packages?limit=3"+after, "")
		var list struct {
			Items []PackageRow
			Next  string
		}
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		all.WriteString(w.Body.String())
		for _, p := range list.Items {
			if hidden[p.ID] || p.Status != "" || p.Version != 0 {
				t.Errorf("a reader sees %+v", p)
			}
			w := ask(t, a, as(role.Reader), "GET", base+"/packages/"+url.PathEscape(p.ID), "")
			all.WriteString(w.Body.String())
			if w.Code != 200 {
				t.Errorf("%s: %d", p.ID, w.Code)
			}
		}
		if list.Next == "" {
			break
		}
		after = "&after=" + url.QueryEscape(list.Next)
	}
	for id := range hidden {
		w := ask(t, a, as(role.Reader), "GET", base+"/packages/"+url.PathEscape(id), "")
		none := ask(t, a, as(role.Reader), "GET", base+"/packages/none", "")
		if w.Code != http.StatusNotFound || w.Body.String() != none.Body.String() {
			t.Errorf("%s: %d %s, unlike %s", id, w.Code, w.Body, none.Body)
		}
		if w := ask(t, a, as(role.Auditor), "GET", base+"/packages/"+url.PathEscape(id), ""); w.Code != 200 {
			t.Errorf("an auditor does not see %s: %d", id, w.Code)
		}
	}
	for _, c := range cases {
		if c.Of(holdings.Public) != holdingstest.Allowed && strings.Contains(all.String(), c.Body) {
			t.Errorf("a reader learns %s", c.Name)
		}
	}
	for _, text := range holdingstest.PurgedTexts {
		if strings.Contains(all.String(), text) {
			t.Errorf("a reader learns of a tombstone: %s", text)
		}
	}
}

// TestPurge needs two persons, and one of them is an approver.
func TestPurge(t *testing.T) {
	a, _ := made(t)
	request := `{"package": "closed", "because": "the court decided", "authority": "court"}`
	both := &role.Person{Name: "the curator", Roles: []role.Role{role.Curator, role.Approver}}
	for _, c := range []struct {
		who        *role.Person
		path, body string
		status     int
	}{
		{as(role.Approver), "/purges", request, 403},
		{as(role.Curator), "/purges", `{"package": "none", "because": "x", "authority": "y"}`, 404},
		{as(role.Curator), "/purges", `{"package": "closed", "because": "", "authority": "y"}`, 422},
		{as(role.Curator), "/purges", request, 201},
		{as(role.Curator), "/purges", request, 422},
		{as(role.Curator), "/purges/P1/approve", `{"package": "closed"}`, 403},
		{as(role.Operator), "/purges/P1/approve", `{"package": "closed"}`, 403},
		{both, "/purges/P1/approve", `{"package": "closed"}`, 422},
		{as(role.Approver), "/purges/P1/approve", `{"package": "open"}`, 422},
		{as(role.Approver), "/purges/P9/approve", `{"package": "closed"}`, 404},
		{as(role.Approver), "/purges/P1/approve", `{"package": "closed"}`, 200},
		{as(role.Approver), "/purges/P1/cancel", `{"because": "too late"}`, 422},
	} {
		if w := ask(t, a, c.who, "POST", base+c.path, c.body); w.Code != c.status {
			t.Errorf("%s %s %s: %d %s, not %d", c.who.Name, c.path, c.body, w.Code, w.Body, c.status)
		}
	}
	if w := ask(t, a, as(role.Auditor), "GET", base+"/packages/closed/versions", ""); w.Code != http.StatusGone {
		t.Errorf("the purged package: %d %s", w.Code, w.Body)
	}
	w := ask(t, a, as(role.Auditor), "GET", base+"/purges", "")
	for _, want := range []string{`"state":"purged"`, `"by":"the curator"`, `"by":"the approver"`} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("no %s in %s", want, w.Body)
		}
	}
}

// TestDocuments: documents of the repository are no packages. Their content has operations and roles of its own.
func TestDocuments(t *testing.T) {
	a, s := made(t)
	if w := ask(t, a, as(role.Curator), "POST", base+"/withdrawals",
		`{"named": "http://open.example/secret", "because": "Jane Doe", "authority": "court"}`); w.Code != 201 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	id := catalogue.DocumentPrefix + "withdrawals"
	if all, err := s.Store.Versions(t.Context(), id); err != nil || len(all) == 0 {
		t.Fatalf("no document: %v, %v", all, err)
	}
	for _, path := range []string{"", "/versions", "/files", "/copies", "/rights"} {
		for _, r := range role.All() {
			w := ask(t, a, as(r), "GET", base+"/packages/"+url.PathEscape(id)+path, "")
			if w.Code != 404 && w.Code != 403 || strings.Contains(w.Body.String(), "Jane") {
				t.Errorf("%s %s: %d %s", r, path, w.Code, w.Body)
			}
		}
	}
	s.Said = nil
	for _, body := range []string{
		`{"kind": "export", "arguments": ["` + id + `"], "flags": {"out": "x", "as": "warc"}}`,
		`{"kind": "audit", "arguments": ["open", "` + id + `"]}`} {
		if w := ask(t, a, as(role.Operator), "POST", base+"/jobs", body); w.Code != 404 || len(s.Said) > 0 {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	for path, body := range map[string]string{"/holds": `{"package": "` + id + `", "because": "x"}`,
		"/purges": `{"package": "` + id + `", "because": "x", "authority": "y"}`} {
		if w := ask(t, a, as(role.Curator), "POST", base+path, body); w.Code != 404 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestDecisions withdraws, holds, and ends both.
func TestDecisions(t *testing.T) {
	a, _ := made(t)
	curator := as(role.Curator)
	if w := ask(t, a, as(role.Reader), "GET", base+"/packages", ""); !strings.Contains(w.Body.String(), `"id":"open"`) {
		t.Fatalf("%s", w.Body)
	}
	for _, c := range []struct {
		path, body string
		status     int
		want       string
	}{
		{"/withdrawals", `{"named": "open", "because": "x", "authority": "court", "until": "yesterday"}`, 422, "until"},
		{"/withdrawals", `{"named": "open", "because": "x", "authority": "court"}`, 201, `"id":"W1"`},
		{"/withdrawals/W1/lift", `{"because": "x", "authority": "court"}`, 200, `"lifted"`},
		{"/withdrawals/W1/lift", `{"because": "x", "authority": "court"}`, 200, `"lifted"`},
		{"/withdrawals/W7/lift", `{"because": "x", "authority": "court"}`, 404, "W7"},
		{"/holds", `{"package": "open", "because": "a trial"}`, 201, `"in_force":true`},
		{"/purges", `{"package": "open", "because": "x", "authority": "y"}`, 422, "H1"},
		{"/holds/H1/lift", `{"because": "it ended"}`, 200, `"in_force":false`},
	} {
		w := ask(t, a, curator, "POST", base+c.path, c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s %s: %d %s, not %d with %s", c.path, c.body, w.Code, w.Body, c.status, c.want)
		}
		seen := ask(t, a, as(role.Reader), "GET", base+"/packages/open", "").Code
		if c.want == `"id":"W1"` && seen != http.StatusNotFound {
			t.Errorf("withdrawn and still there: %d", seen)
		}
	}
}

// TestWithdrawWithoutSolr: a withdrawal is in force although Solr does not answer. The answer says so, and a job
// deletes the content later.
func TestWithdrawWithoutSolr(t *testing.T) {
	a, s := made(t)
	folder := filepath.Join(s.Desk.Holdings.Dir(), "text")
	if err := os.MkdirAll(folder, 0o750); err != nil {
		t.Fatal(err)
	}
	note := `{"URL": "http://127.0.0.1:1/solr", "Collection": "own", "Open": "others"}`
	if err := os.WriteFile(filepath.Join(folder, "solr.json"), []byte(note), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second request completes the first
		w := ask(t, a, as(role.Curator), "POST", base+"/withdrawals",
			`{"named": "open", "because": "x", "authority": "court"}`)
		var got Withdrawal
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if w.Code != http.StatusCreated || got.ID != "W1" || got.Left == nil || got.Left.Job != 1 ||
			!strings.Contains(got.Left.Why, "in force") || strings.Contains(w.Body.String(), "127.0.0.1") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
	if seen := ask(t, a, as(role.Reader), "GET", base+"/packages/open", "").Code; seen != http.StatusNotFound {
		t.Errorf("withdrawn and still there: %d", seen)
	}
	if len(s.Said) != 2 || strings.Join(s.Said[0].Words, " ") != "withdraw finish W1" || s.Said[0].Attempts < 2 ||
		s.Said[0].By != "the curator" {
		t.Errorf("%+v", s.Said)
	}
	s.Desk.Submit = func(context.Context, desk.Commanded) ([]jobs.Submitted, error) {
		return nil, errors.New("the queue is away")
	}
	w := ask(t, a, as(role.Curator), "POST", base+"/withdrawals",
		`{"named": "closed", "because": "x", "authority": "court"}`)
	if w.Code != http.StatusCreated || !strings.Contains(w.Body.String(), "withdraw finish W2") ||
		strings.Contains(w.Body.String(), `"job"`) {
		t.Errorf("without a queue: %d %s", w.Code, w.Body)
	}
	if err := os.Remove(filepath.Join(folder, "solr.json")); err != nil {
		t.Fatal(err)
	}
	w = ask(t, a, as(role.Curator), "POST", base+"/withdrawals",
		`{"named": "closed", "because": "x", "authority": "court"}`)
	if w.Code != http.StatusCreated || strings.Contains(w.Body.String(), `"left"`) {
		t.Errorf("without Solr: %d %s", w.Code, w.Body)
	}
}

// TestSubmit refuses commands that could do more than the service offers.
func TestSubmit(t *testing.T) {
	a, s := made(t)
	operator := as(role.Operator)
	outside := filepath.Join(s.Dir, "outside")
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	folder := s.Desk.Folders[0]
	if err := os.Symlink(outside, filepath.Join(folder, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "delivery"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ body, want string }{
		{`{"kind": "audit"}`, "audit"},
		{`{"kind": "audit", "arguments": ["open", "--repair"], "flags": {"sample": "1%"}}`,
			"audit --sample=1% -- open --repair"},
		{`{"kind": "audit", "flags": {"repair": "true", "due": "false"}}`, "audit --repair"},
		{`{"kind": "ingest", "arguments": ["delivery"]}`, "ingest -- " + folder + "/delivery"},
		{`{"kind": "convert", "arguments": ["delivery"], "flags": {"out": "new/one"}}`,
			"convert --out=" + folder + "/new/one -- " + folder + "/delivery"},
		{`{"kind": "audit", "flags": {"schedule": "none"}}`, ""},
		{`{"kind": "audit", "flags": {"repair": "yes"}}`, ""},
		{`{"kind": "audit", "arguments": [""]}`, ""},
		{`{"kind": "audit", "arguments": ["a\u0000b"]}`, ""},
		{`{"kind": "index", "arguments": ["x"]}`, ""},
		{`{"kind": "serve"}`, ""},
		{`{"kind": "migrate"}`, ""},
		{`{"kind": "ingest"}`, ""},
		{`{"kind": "ingest", "arguments": ["link"]}`, ""},
		{`{"kind": "ingest", "arguments": ["link/in"]}`, ""},
		{`{"kind": "ingest", "arguments": ["."]}`, ""},
		{`{"kind": "ingest", "arguments": ["../outside"]}`, ""},
		{fmt.Sprintf(`{"kind": "ingest", "arguments": [%q]}`, outside), ""},
		{`{"kind": "ingest", "arguments": ["/etc"]}`, ""},
		{`{"kind": "export", "arguments": ["open"]}`, ""},
		{`{"kind": "export", "arguments": ["open"], "flags": {"out": "x", "as": "warc"}}`,
			"export --as=warc --out=" + folder + "/x -- open"},
		{`{"kind": "export", "arguments": ["open"], "flags": {"out": "x"}}`, ""},
		{`{"kind": "export", "arguments": ["open"], "flags": {"out": "x", "as": "aip"}}`, ""},
		{`{"kind": "export", "arguments": ["open"], "flags": {"out": "/tmp/x", "as": "warc"}}`, ""},
		{`{"kind": "export", "arguments": ["open"], "flags": {"out": "x", "as": "warc", "for": "staff"}}`, ""},
		{`{"kind": "inspect", "arguments": ["delivery"], "flags": {"clamd": "unix:/x"}}`, ""},
	} {
		s.Said = nil
		w := ask(t, a, operator, "POST", base+"/jobs", c.body)
		got := ""
		for _, said := range s.Said {
			got += strings.Join(said.Words, " ")
			if said.By != operator.Name {
				t.Errorf("%s: by %q", c.body, said.By)
			}
		}
		status := http.StatusCreated
		if c.want == "" {
			status = http.StatusUnprocessableEntity
		}
		if w.Code != status || got != c.want {
			t.Errorf("%s: %d %s: %q, not %q", c.body, w.Code, w.Body, got, c.want)
		}
	}
}

// TestJobs shows, cancels and retries a job.
func TestJobs(t *testing.T) {
	a, _ := made(t)
	operator := as(role.Operator)
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", "/jobs", `{"kind": "audit"}`, 201, `"job":1`},
		{"POST", "/jobs", `{"kind": "audit"}`, 201, `"already":true`},
		{"GET", "/jobs/1", "", 200, `"state":"waiting"`},
		{"GET", "/jobs?state=waiting&queue=audit", "", 200, `"by":"the operator"`},
		{"GET", "/jobs?state=done", "", 200, `"items":[]`},
		{"GET", "/queues", "", 200, `"waiting":1`},
		{"POST", "/jobs/1/retry", "", 409, "waiting"},
		{"POST", "/jobs/1/cancel", "", 200, `"state":"cancelled"`},
		{"POST", "/jobs/1/retry", "", 201, `"job":3`},
		{"GET", "/jobs/99", "", 404, "job 99"},
		{"GET", "/jobs/none", "", 422, "job"},
		{"GET", "/jobs?limit=1", "", 200, `"next":3`},
		{"GET", "/jobs?before=3", "", 200, `"id":1`},
		{"GET", "/jobs?state=odd", "", 422, "state"},
		{"GET", "/jobs?limit=5000", "", 422, "limit"},
		{"POST", "/queues/*/pause", "", 200, `"paused":true`},
		{"POST", "/queues/none/pause", "", 422, "none"},
		{"GET", "/jobs?odd=1", "", 422, "odd"},
		{"POST", "/jobs", `{"kind": "audit", "odd": 1}`, 422, "odd"},
		{"POST", "/jobs", `{`, 400, "JSON"},
		{"POST", "/jobs", `{"kind": "audit", "source": "` + strings.Repeat("a", maxBody) + `"}`, 413, "large"},
		{"GET", "/none", "", 404, "openapi"},
		{"GET", "/packages/%00", "", 400, ""},
	} {
		w := ask(t, a, operator, c.method, base+c.path, c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s %s: %d %s, not %d with %s", c.method, c.path, w.Code, w.Body, c.status, c.want)
		}
		if w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s may be cached", c.path)
		}
	}
}

// TestWatching reads lists of a repository in which little happened.
func TestWatching(t *testing.T) {
	a, s := made(t)
	auditor := as(role.Auditor)
	name := "report-20261130-120000-ABCDEFGH.html"
	if err := os.WriteFile(filepath.Join(s.Desk.Reports, name), []byte("<p>report"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Desk.Reports, "other.html"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/copies": `"good":2`, "/audits": `"items":[]`, "/audits/due": `"items"`, "/incidents": `"total":0`,
		"/statistics?by=host": `"name":"open.example"`, "/reports": name, "/reports/" + name: "<p>report",
		"/statistics?by=type&package=open&container=containers/open.warc": `"name":"response"`,
		"/packages/open/versions": `"number":1`, "/packages/open/copies": `"state":"good"`,
		"/packages/open/files?limit=1": `"next"`, "/packages/open/rights": `"class":"public"`,
		"/whoami": `"may":["whoami"`,
	} {
		if w := ask(t, a, auditor, "GET", base+path, ""); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, not with %s", path, w.Code, w.Body, want)
		}
	}
	for _, path := range []string{"/reports/other.html", "/reports/..%2Fother.html", "/packages/none/versions",
		"/packages/none/rights", "/statistics?package=none", "/statistics?collection=none",
		"/statistics?package=open&container=none"} {
		if w := ask(t, a, auditor, "GET", base+path, ""); w.Code != 404 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestNull refuses null in a body wherever it is: the description of the API has no null.
func TestNull(t *testing.T) {
	a, s := made(t)
	for _, c := range []struct{ path, body string }{
		{"/jobs", `{"kind": "audit", "select": null}`},
		{"/jobs", `{"kind": "audit", "arguments": null}`},
		{"/jobs", `{"kind": "audit", "arguments": [null]}`},
		{"/jobs", `{"kind": "audit", "flags": {"sample": null}}`},
		{"/reports", `{"format": null}`},
		{"/reports", `null`},
	} {
		w := ask(t, a, as(role.Operator), "POST", base+c.path, c.body)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), errNull.Error()) || s.Said != nil {
			t.Errorf("%s %s: %d %s", c.path, c.body, w.Code, w.Body)
		}
	}
	if strings.Contains(string(a.json), `"null"`) {
		t.Error("the description allows null")
	}
}

// TestElsewhere has addresses, methods and parameters that no operation has.
func TestElsewhere(t *testing.T) {
	a, _ := made(t)
	for _, c := range []struct {
		method, path, allow string
		status              int
	}{
		{"GET", "/nothing", "", http.StatusNotFound},
		{"GET", "/jobs/1/retry", "POST", http.StatusMethodNotAllowed},
		{"PATCH", "/jobs", "GET, HEAD, POST", http.StatusMethodNotAllowed},
		{"HEAD", "/jobs", "", http.StatusOK},
		{"GET", "/jobs?state=failed,lost&limit=5", "", http.StatusOK},
		{"GET", "/jobs?limit=", "", http.StatusBadRequest},
		{"GET", "/jobs?state", "", http.StatusBadRequest},
		{"GET", "/jobs?limit=1&limit=2", "", http.StatusBadRequest},
	} {
		w := ask(t, a, as(role.Operator), c.method, base+c.path, "")
		if w.Code != c.status || w.Header().Get("Allow") != c.allow {
			t.Errorf("%s %s: %d, Allow: %q", c.method, c.path, w.Code, w.Header().Get("Allow"))
		}
	}
}
