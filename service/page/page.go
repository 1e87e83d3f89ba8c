package page

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"path"
	"strings"

	"quire/access/pages"
	"quire/service/desk"
	"quire/service/role"
	"quire/service/signin"
	"quire/service/token"
)

//go:embed templates static
var files embed.FS

// Options are the parts of the pages.
type Options struct {
	Name     string // of the archive
	Desk     *desk.Desk
	Sessions *signin.Sessions
	// Token returns the person of a token; an invalid one is token.ErrInvalid.
	Token     func(context.Context, string) (*role.Person, error)
	Elsewhere Elsewhere // nil for tokens alone
	// Seen is called with the name of the person of a request; nil for nothing.
	Seen func(ctx context.Context, name string)
	Log  *slog.Logger
}

// Elsewhere is a server at which persons sign in.
type Elsewhere interface {
	// Begin sends a browser there.
	Begin(w http.ResponseWriter, r *http.Request) error
	// Return ends the sign-in at the address Back. The error is token.ErrInvalid if it is refused.
	Return(w http.ResponseWriter, r *http.Request) (func(context.Context) (*role.Person, error), error)
}

const (
	begin = "/sign-in/elsewhere"
	// Back is the path to which browsers return from elsewhere.
	Back = "/sign-in/back"
)

// Pages answers browsers.
type Pages struct {
	o         Options
	mux       *http.ServeMux
	templates map[string]*template.Template
	foreign   *http.CrossOriginProtection
	bad       []error
}

// New returns the pages.
func New(o Options) (*Pages, error) {
	if o.Name == "" {
		o.Name = "Quire"
	}
	p := &Pages{o: o, mux: http.NewServeMux(), templates: map[string]*template.Template{},
		foreign: http.NewCrossOriginProtection()}
	if err := p.read(); err != nil {
		return nil, err
	}
	p.mux.HandleFunc("GET /sign-in", p.askToken)
	p.mux.HandleFunc("POST /sign-in", p.signIn)
	p.mux.HandleFunc("POST /sign-out", p.signOut)
	if o.Elsewhere != nil {
		p.mux.HandleFunc("GET "+begin, p.leave)
		p.mux.HandleFunc("GET "+Back, p.comeBack)
	}
	p.mux.HandleFunc("GET /static/{name}", p.static)
	p.route("GET /{$}", "whoami", p.overview)
	p.route("GET /jobs", "jobs-list", p.jobs)
	p.route("GET /jobs/{job}", "job-show", p.job)
	p.route("POST /jobs", "job-submit", p.submit)
	p.route("POST /jobs/{job}/retry", "job-retry", p.retry)
	p.route("POST /jobs/{job}/cancel", "job-cancel", p.cancel)
	p.route("GET /packages", "packages-list", p.packages)
	p.route("GET /packages/{id}", "package-show", p.one)
	p.route("GET /copies", "copies-list", p.copies)
	p.route("GET /decisions", "purges-list", p.decisions)
	p.route("POST /purges/{id}/approve", "purge-approve", p.approve)
	p.route("POST /purges/{id}/cancel", "purge-cancel", p.endPurge)
	p.route("GET /", "whoami", func(*request) error { return errNoPage })
	return p, errors.Join(p.bad...)
}

// read reads the templates.
func (p *Pages) read() error {
	frame, err := template.New("").Funcs(functions).ParseFS(files, "templates/layout.html")
	if err != nil {
		return err
	}
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil {
		return err
	}
	for _, name := range names {
		t, err := frame.Clone()
		if err == nil {
			t, err = t.ParseFS(files, name)
		}
		if err != nil {
			return err
		}
		p.templates[path.Base(name)] = t
	}
	return nil
}

// request is a request of a person that has signed in.
type request struct {
	*http.Request
	w    http.ResponseWriter
	p    *Pages
	who  *role.Person
	form string // the secret for forms
}

// errNoPage reports an address without a page.
var errNoPage = errors.New("there is no such page")

// route adds a page. One place decides: a page whose operation has no roles cannot be added.
func (p *Pages) route(pattern, operation string, do func(*request) error) {
	if _, ok := role.Find(operation); !ok {
		p.bad = append(p.bad, fmt.Errorf("the page %s has no roles", pattern))
		return
	}
	p.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		one, err := p.o.Sessions.Of(r)
		if err != nil && !errors.Is(err, signin.ErrNone) && !errors.Is(err, token.ErrInvalid) {
			p.fail(w, r, &request{Request: r, w: w, p: p}, err)
			return
		}
		if err != nil {
			http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
			return
		}
		if p.o.Seen != nil {
			p.o.Seen(r.Context(), one.Person.Name)
		}
		q := &request{Request: r, w: w, p: p, who: one.Person, form: one.Form}
		if r.Method == http.MethodPost && !one.Owns(r.PostFormValue("form")) {
			q.refuse(http.StatusForbidden, "This form is not of your session. Open the page again.")
			return
		}
		if !one.Person.May(operation) {
			q.refuse(http.StatusForbidden, "Your roles do not include this.")
			return
		}
		err = do(q)
		if r.Method == http.MethodPost {
			p.o.Log.InfoContext(r.Context(), "operation", "id", operation, "by", one.Person.Name,
				"succeeded", err == nil)
		}
		if err != nil {
			p.fail(w, r, q, err)
		}
	})
}

// fail answers an error. Errors of the system are for the log.
func (p *Pages) fail(_ http.ResponseWriter, r *http.Request, q *request, err error) {
	status, text, secret := desk.Public(err)
	switch {
	case errors.Is(err, errNoPage):
		status, text = http.StatusNotFound, "There is no such page."
	case secret:
		if r.Context().Err() == nil {
			p.o.Log.ErrorContext(r.Context(), "page failed", "path", r.URL.Path, "error", err)
		}
		text = strings.ToUpper(text[:1]) + text[1:] + "."
	case status == http.StatusNotFound:
		text = "This is not here: " + text
	}
	q.refuse(status, text)
}

func (q *request) refuse(status int, text string) {
	q.show(status, "refusal.html", http.StatusText(status), text)
}

const (
	maxForm = 64 << 10
	policy  = "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; " +
		"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

// ServeHTTP implements http.Handler.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := p.foreign.Check(r); err != nil {
		http.Error(w, "A page of another host requested this. Such requests are blocked.", http.StatusForbidden)
		return
	}
	p.mux.ServeHTTP(w, r)
}

// Pattern returns the pattern of addresses that a request matches.
func (p *Pages) Pattern(r *http.Request) string {
	_, pattern := p.mux.Handler(r)
	return pattern
}

// tab is a link to a main page.
type tab struct {
	URL, Text string
	Here      bool
}

// view is the data of the layout.
type view struct {
	Name, Title string
	Who         *role.Person
	Form        string
	Tabs        []tab
	Body        any
}

var tabs = []struct{ url, text, operation string }{
	{"/", "Today", "whoami"}, {"/jobs", "Jobs", "jobs-list"}, {"/packages", "Packages", "packages-list"},
	{"/copies", "Copies and audits", "copies-list"}, {"/decisions", "Decisions", "purges-list"},
}

// show answers a page. It is complete before its first byte is sent.
func (q *request) show(status int, name, title string, body any) {
	v := view{Name: q.p.o.Name, Title: title, Who: q.who, Form: q.form, Body: body}
	if q.who != nil {
		for _, t := range tabs {
			if q.who.May(t.operation) {
				v.Tabs = append(v.Tabs, tab{t.url, t.text, q.URL.Path == t.url})
			}
		}
	}
	var out bytes.Buffer
	if err := q.p.templates[name].ExecuteTemplate(&out, "layout", v); err != nil {
		q.p.o.Log.ErrorContext(q.Context(), "template", "name", name, "error", err)
		http.Error(q.w, "The service failed; its log has the reason.", http.StatusInternalServerError)
		return
	}
	q.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	q.w.WriteHeader(status)
	_, _ = q.w.Write(out.Bytes()) // a client that has gone needs no answer
}

// back sends the browser to a page after a form.
func (q *request) back(to string) error {
	http.Redirect(q.w, q.Request, to, http.StatusSeeOther)
	return nil
}

// static answers the stylesheets and the picture.
func (p *Pages) static(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	content, kind, ok := pages.Static(name)
	if name == "operate.css" {
		var err error
		content, err = files.ReadFile("static/operate.css")
		kind, ok = "text/css; charset=utf-8", err == nil
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "private, max-age=300")
	_, _ = w.Write(content) // a client that has gone needs no answer
}

// askToken shows the form for the token.
func (p *Pages) askToken(w http.ResponseWriter, r *http.Request) {
	p.signInPage(w, r, http.StatusOK, "")
}

func (p *Pages) signInPage(w http.ResponseWriter, r *http.Request, status int, problem string) {
	q := &request{Request: r, w: w, p: p}
	q.show(status, "signin.html", "Sign in", struct{ Problem, Elsewhere string }{problem, p.elsewhere()})
}

// elsewhere returns the link to the sign-in elsewhere, "" for none.
func (p *Pages) elsewhere() string {
	if p.o.Elsewhere == nil {
		return ""
	}
	return begin
}

// leave sends a browser to the sign-in elsewhere.
func (p *Pages) leave(w http.ResponseWriter, r *http.Request) {
	if err := p.o.Elsewhere.Begin(w, r); err != nil {
		p.fail(w, r, &request{Request: r, w: w, p: p}, err)
	}
}

// comeBack begins the session of a person that signed in elsewhere. The page that it answers goes on by itself: a
// redirect would still count as a request of the other site, without our cookie.
func (p *Pages) comeBack(w http.ResponseWriter, r *http.Request) {
	check, err := p.o.Elsewhere.Return(w, r)
	var who *role.Person
	if err == nil {
		who, err = check(r.Context())
	}
	q := &request{Request: r, w: w, p: p}
	switch {
	case errors.Is(err, token.ErrInvalid):
		p.o.Log.WarnContext(r.Context(), "sign-in refused", "from", r.RemoteAddr, "reason", err)
		p.signInPage(w, r, http.StatusForbidden, "The sign-in was refused. Your institution may give you no role here.")
	case err != nil:
		p.fail(w, r, q, err)
	default:
		p.o.Log.InfoContext(r.Context(), "signed in", "by", who.Name)
		p.o.Sessions.Begin(w, who.Name, check)
		q.show(http.StatusOK, "signedin.html", "Signed in", who.Name)
	}
}

func (p *Pages) signIn(w http.ResponseWriter, r *http.Request) {
	text := r.PostFormValue("token")
	check := func(ctx context.Context) (*role.Person, error) { return p.o.Token(ctx, text) }
	who, err := check(r.Context())
	switch {
	case errors.Is(err, token.ErrInvalid):
		p.o.Log.WarnContext(r.Context(), "sign-in refused", "from", r.RemoteAddr)
		p.signInPage(w, r, http.StatusForbidden, "This token is not valid.")
	case err != nil:
		p.fail(w, r, &request{Request: r, w: w, p: p}, err)
	default:
		p.o.Log.InfoContext(r.Context(), "signed in", "by", who.Name)
		p.o.Sessions.Begin(w, who.Name, check)
		http.Redirect(w, r, "/", http.StatusSeeOther)
	}
}

func (p *Pages) signOut(w http.ResponseWriter, r *http.Request) {
	p.o.Sessions.End(w, r)
	http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
}
