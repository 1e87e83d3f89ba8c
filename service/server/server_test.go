package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/service/oidc"
	"quire/service/role"
	"quire/service/servicetest"
	"quire/service/token"
)

// buffer is a log that several goroutines write.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

type tested struct {
	*Server
	*servicetest.Service
	tokens map[role.Role]string
	log    *buffer
	issuer *servicetest.Issuer
}

// made returns a service on a repository with a package, with a token for each role.
func made(t *testing.T) *tested {
	t.Helper()
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "harbour", Rights: "access: open\n", Containers: map[string]string{
		"a.warc": holdingstest.Response("a", "http://harbour.example/", "2024-01-02T03:04:05Z", "text/html",
			"<title>Harbour</title>")}})
	m := &tested{Service: servicetest.New(t, r, holdings.Options{}), tokens: map[role.Role]string{}, log: &buffer{}}
	all := token.In(filepath.Join(r.Dir, "tokens"))
	for _, one := range role.All() {
		_, text, err := all.Add("the "+string(one), []role.Role{one}, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		m.tokens[one] = text
	}
	m.issuer = servicetest.NewIssuer(t)
	var err error
	m.Server, err = New(Options{Config: Config{URL: "http://operate.example", OIDC: &oidc.Settings{Issuer: m.issuer.URL,
		ClientID: "quire", Roles: map[string]role.Role{"operators": role.Operator}}}, Desk: m.Desk, Tokens: all,
		Version: "1.0.0",
		Log:     slog.New(slog.NewJSONHandler(m.log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *tested) get(path, bearer string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	if bearer != "" {
		r.Header.Set("Authorization", bearer)
	}
	w := httptest.NewRecorder()
	m.ServeHTTP(w, r)
	return w
}

func TestTokens(t *testing.T) {
	t.Parallel()
	m := made(t)
	const path = "/api/v1/jobs"
	operator := m.tokens[role.Operator]
	for name, c := range map[string]struct {
		bearer string
		status int
	}{
		"none":             {"", 401},
		"empty":            {"Bearer ", 401},
		"another scheme":   {"Basic " + operator, 401},
		"wrong":            {"Bearer " + operator + "x", 401},
		"of a reader":      {"Bearer " + m.tokens[role.Reader], 403},
		"of an operator":   {"Bearer " + operator, 200},
		"in lower case":    {"bearer " + operator, 200},
		"two":              {"Bearer " + operator + " " + operator, 401},
		"as a query alone": {"", 401},
	} {
		if w := m.get(path, c.bearer); w.Code != c.status || w.Header().Get("X-Request-Id") == "" {
			t.Errorf("%s: %d %s, not %d", name, w.Code, w.Body, c.status)
		}
	}
	if w := m.get(path+"?access_token="+operator, ""); w.Code != 401 {
		t.Errorf("in the query: %d", w.Code)
	}
	said := m.log.String()
	for one, text := range m.tokens {
		if strings.Contains(said, text) || strings.Contains(said, text[len(text)-20:]) {
			t.Errorf("the log has the token of %s", one)
		}
	}
	if !strings.Contains(said, `"by":"the operator"`) || !strings.Contains(said, `"status":403`) {
		t.Errorf("the log: %s", said)
	}
	if err := os.WriteFile(filepath.Join(m.Dir, "tokens", "tokens.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if w := m.get(path, "Bearer "+operator); w.Code != http.StatusServiceUnavailable ||
		strings.Contains(w.Body.String(), m.Dir) {
		t.Errorf("with a damaged file of tokens: %d %s", w.Code, w.Body)
	}
}

// TestOpenToAll are the answers that need no token: they say nothing of the holdings.
func TestOpenToAll(t *testing.T) {
	t.Parallel()
	m := made(t)
	for path, want := range map[string]string{"/healthz": "ok\n",
		"/readyz":       "catalogue: ok\nqueue: ok\ncopies: ok 2 of 2\n",
		"/openapi.json": `"openapi":"3.1.0"`, "/openapi.yaml": "openapi: 3.1.0"} {
		w := m.get(path, "")
		if w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %.300s", path, w.Code, w.Body)
		}
		text := w.Body.String()
		if strings.Contains(strings.ToLower(text), "harbour") || strings.Contains(text, m.Dir) {
			t.Errorf("%s says %s", path, text)
		}
	}
	for _, path := range []string{"/none", "/", "/packages", "/metrics/x"} {
		if w := m.get(path, ""); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/sign-in" {
			t.Errorf("%s: %d", path, w.Code)
		}
		if w := m.get(path, "Bearer "+m.tokens[role.Operator]); w.Code != http.StatusSeeOther {
			t.Errorf("a token for the API opens the page %s: %d", path, w.Code)
		}
	}
	if w := m.get("/api/v2/packages", "Bearer "+m.tokens[role.Operator]); w.Code != http.StatusNotFound {
		t.Errorf("no API: %d", w.Code)
	}
}

// TestReady takes the copies away, one after the other.
func TestReady(t *testing.T) {
	t.Parallel()
	m := made(t)
	if err := os.Rename(filepath.Join(m.Dir, "copy-1"), filepath.Join(m.Dir, "away")); err != nil {
		t.Fatal(err)
	}
	if w := m.get("/readyz", ""); w.Code != http.StatusServiceUnavailable ||
		!strings.Contains(w.Body.String(), "copies: not ready 1 of 2") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

var sample = regexp.MustCompile(`(?m)^quire_([a-z_]+)(\{[^}]*\})? `)

func TestMetrics(t *testing.T) {
	t.Parallel()
	m := made(t)
	if w := m.post("/api/v1/jobs", `{"kind": "audit"}`, m.tokens[role.Operator]); w.Code != 201 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	m.get("/api/v1/packages/harbour", "Bearer "+m.tokens[role.Reader])
	for one, status := range map[role.Role]int{role.Reader: 403, role.Curator: 403, role.Approver: 403, "": 401} {
		w := m.get("/metrics", "Bearer "+m.tokens[one])
		if w.Code != status || strings.Contains(w.Body.String(), "quire_") {
			t.Errorf("%s: %d, not %d", one, w.Code, status)
		}
	}
	w := m.get("/metrics", "Bearer "+m.tokens[role.Auditor])
	text := w.Body.String()
	for _, want := range []string{`quire_jobs{queue="audit",state="waiting"} 1`, "quire_packages 1",
		`quire_copy_packages{copy="copy-1",state="good"} 1`, `quire_copy_packages{copy="copy-2",state="owed"} 0`,
		`quire_copy_up{copy="copy-1"} 1`, "quire_workers 0", "quire_purges_requested 0", "quire_metrics_failed 0",
		`quire_build_info{version="1.0.0"} 1`, "quire_jobs_oldest_waiting_seconds{", "quire_repository_free_bytes ",
		`operation="GET /api/v1/packages/{id}",status="200"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	for _, s := range sample.FindAllString(text, -1) {
		if strings.Contains(s, "harbour") || strings.Contains(s, "the ") {
			t.Errorf("a label names a thing or a person: %s", s)
		}
	}
	dashboard, err := os.ReadFile("../../deploy/grafana/quire.json")
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(dashboard) {
		t.Error("the dashboard is no JSON")
	}
	for _, name := range regexp.MustCompile(`quire_[a-z_]+`).FindAllString(string(dashboard), -1) {
		if !strings.Contains(text, "# TYPE "+strings.TrimSuffix(strings.TrimSuffix(name, "_count"), "_bucket")+" ") &&
			name != "quire_copy_free_bytes" && name != "quire_audit_overdue_seconds" {
			t.Errorf("the dashboard asks for %s", name)
		}
	}
}

// TestMetricsAway: numbers that are not known are absent, and not 0.
func TestMetricsAway(t *testing.T) {
	t.Parallel()
	m := made(t)
	if err := errors.Join(m.Desk.Queue.Close(), m.Store.Close()); err != nil {
		t.Fatal(err)
	}
	text := m.get("/metrics", "Bearer "+m.tokens[role.Auditor]).Body.String()
	for _, name := range []string{"packages", "workers", "purges_requested", "copy_up", "jobs"} {
		if regexp.MustCompile(`(?m)^quire_` + name + `[ {]`).MatchString(text) {
			t.Errorf("there is %s: %s", name, text)
		}
	}
	if !regexp.MustCompile(`(?m)^quire_metrics_failed [1-9]`).MatchString(text) {
		t.Errorf("no question failed: %s", text)
	}
}

// TestFolders refuses folders in which jobs could change stored packages.
func TestFolders(t *testing.T) {
	t.Parallel()
	m := made(t)
	root, _, _ := m.Store.Catalogue()
	for _, folder := range []string{m.Dir, root, filepath.Join(root, "access"),
		filepath.Join(m.Dir, "copy-1", "ocfl")} {
		for _, as := range []string{"reports", "folder"} {
			d := *m.Desk
			if as == "reports" {
				d.Reports = folder
			} else {
				d.Folders = []string{d.Folders[0], folder}
			}
			if _, err := New(Options{Desk: &d, Tokens: m.o.Tokens}); err == nil {
				t.Errorf("%s is taken as %s", folder, as)
			}
		}
	}
}

func (m *tested) post(path, body, bearer string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+bearer)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	m.ServeHTTP(w, r)
	return w
}

// TestPanic answers, and logs the reason with the request.
func TestPanic(t *testing.T) {
	t.Parallel()
	m := made(t)
	m.mux.HandleFunc("/panic", func(http.ResponseWriter, *http.Request) { panic("a nil map") })
	w := m.get("/panic", "")
	if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "nil map") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if said := m.log.String(); !strings.Contains(said, "a nil map") ||
		!strings.Contains(said, w.Header().Get("X-Request-Id")) {
		t.Errorf("the log: %s", said)
	}
}

// TestLog: each line of a request has its id, and the line of the request its operation and person.
func TestLog(t *testing.T) {
	t.Parallel()
	m := made(t)
	w := m.post("/api/v1/jobs", `{"kind": "audit"}`, m.tokens[role.Operator])
	id, lines := w.Header().Get("X-Request-Id"), strings.Split(strings.TrimSpace(m.log.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("%q", lines)
	}
	for _, line := range lines {
		if strings.Count(line, `"request":"`+id+`"`) != 1 || !strings.Contains(line, `"by":"the operator"`) {
			t.Errorf("%s", line)
		}
	}
	if !strings.Contains(lines[1], `"operation":"POST /api/v1/jobs"`) {
		t.Errorf("%s", lines[1])
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "in"), 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(text string) string {
		file := filepath.Join(dir, "operate.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	c, err := Load(write("name: Archive\nurl: https://Operate.example/\nfolders: [in]\nreports: in\n"))
	if err != nil || c.URL != "https://operate.example" || c.Folders[0] != filepath.Join(dir, "in") ||
		c.Reports != c.Folders[0] {
		t.Errorf("%+v, %v", c, err)
	}
	for text, want := range map[string]string{"odd: 1\n": "odd", "folders: [none]\n": "none",
		"url: ftp://x\n":       "line 1",
		"url: http://x/path\n": "not the URL", "reports: operate.yaml\n": "no folder",
		"oidc: {roles: {x: boss}}\n": "no role", "oidc: {odd: x}\n": "odd"} {
		if _, err := Load(write(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestOIDC is a program with a token of the institution, and a person that signs in there.
func TestOIDC(t *testing.T) {
	t.Parallel()
	m := made(t)
	for name, c := range map[string]struct {
		changes map[string]any
		status  int
	}{"valid": {nil, 200}, "no role": {map[string]any{"roles": []string{"x"}}, 401}, "another audience": {
		map[string]any{"aud": "x"}, 401}} {
		bearer := "Bearer " + m.issuer.Sign(t, "RS256", m.issuer.Claims(c.changes))
		if w := m.get("/api/v1/jobs", bearer); w.Code != c.status {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if w := m.get("/api/v1/withdrawals", bearer); w.Code < 400 {
			t.Errorf("%s has a role of others: %d", name, w.Code)
		}
	}
	if w := m.get("/sign-in", ""); !strings.Contains(w.Body.String(), "/sign-in/elsewhere") {
		t.Errorf("%s", w.Body)
	}
	w := m.get("/sign-in/elsewhere", "")
	to, err := url.Parse(w.Header().Get("Location"))
	if err != nil || w.Code != http.StatusSeeOther || !strings.HasPrefix(to.String(), m.issuer.URL+"/authorize") ||
		to.Query().Get("redirect_uri") != "http://operate.example/sign-in/back" {
		t.Fatalf("%d %s, %v", w.Code, to, err)
	}
	m.issuer.Give("a-code", servicetest.SentTo{Challenge: to.Query().Get("code_challenge"),
		Claims: m.issuer.Claims(map[string]any{"nonce": to.Query().Get("nonce")})})
	back := "/sign-in/back?code=a-code&state=" + to.Query().Get("state")
	if w := m.get(back, ""); w.Code != http.StatusForbidden || len(w.Result().Cookies()) > 0 {
		t.Errorf("another browser: %d", w.Code)
	}
	send := func(path string, cookies []*http.Cookie) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		for _, c := range cookies {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		m.ServeHTTP(w, r)
		return w
	}
	w = send(back, w.Result().Cookies())
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `http-equiv="refresh"`) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	w = send("/jobs", w.Result().Cookies())
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<strong>ada") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	m.issuer.Close()
	if w := m.get("/api/v1/jobs", "Bearer "+m.tokens[role.Operator]); w.Code != 200 {
		t.Errorf("without the provider, a token: %d", w.Code)
	}
}
