package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"quire/internal/httpserver"
	"quire/service/api"
	"quire/service/desk"
	"quire/service/health"
	"quire/service/oidc"
	"quire/service/page"
	"quire/service/role"
	"quire/service/signin"
	"quire/service/token"
)

// Options are the parts of a service.
type Options struct {
	Config
	Desk    *desk.Desk
	Tokens  *token.Tokens
	Version string
	Log     *slog.Logger // nil for none
}

// Server answers the requests to a service.
type Server struct {
	o       Options
	mux     *http.ServeMux
	api     *api.API
	metrics *health.Metrics
	pages   *page.Pages
	oidc    *oidc.Provider // nil for none
}

// New returns a server.
func New(o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Log = slog.New(noting{o.Log.Handler()})
	for _, folder := range append([]string{o.Desk.Reports}, o.Desk.Folders...) {
		if folder == "" {
			continue
		}
		if err := o.Desk.Store.CheckApart(folder); err != nil {
			return nil, fmt.Errorf("a folder of the service: %w", err)
		}
	}
	s := &Server{o: o, mux: http.NewServeMux()}
	var err error
	if s.api, err = api.New(o.Desk, api.Options{Version: o.Version, URL: o.URL, Log: o.Log}); err != nil {
		return nil, fmt.Errorf("the API: %w", err)
	}
	s.metrics = health.NewMetrics(o.Desk.Store, o.Desk.Queue, o.Version, o.Log)
	signIn, err := s.provider()
	if err != nil {
		return nil, err
	}
	s.pages, err = page.New(page.Options{Name: o.Name, Elsewhere: signIn, Desk: o.Desk,
		Token: o.Tokens.Person, Log: o.Log,
		Seen:     func(ctx context.Context, name string) { noted(ctx).who = name },
		Sessions: &signin.Sessions{Secure: strings.HasPrefix(o.URL, "https:")}})
	if err != nil {
		return nil, fmt.Errorf("the pages: %w", err)
	}
	s.mux.HandleFunc(httpserver.HealthPath, httpserver.Health)
	s.mux.Handle("GET /readyz", health.NewReady(o.Desk.Store, o.Desk.Queue))
	s.mux.HandleFunc("GET /openapi.json", s.api.Description)
	s.mux.HandleFunc("GET /openapi.yaml", s.api.Description)
	s.mux.HandleFunc("GET /metrics", s.measure)
	s.mux.HandleFunc(api.Path, s.program)
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		noted(r.Context()).operation = cmp.Or(s.pages.Pattern(r), "none")
		s.pages.ServeHTTP(w, r)
	})
	return s, nil
}

// provider opens the OpenID provider of the settings. Browsers return to the URL of the service: without one, only
// programs use the provider.
func (s *Server) provider() (signIn page.Elsewhere, err error) {
	if s.o.OIDC == nil {
		return nil, nil //nolint:nilnil // tokens alone
	}
	back := ""
	if s.o.URL != "" {
		back = s.o.URL + page.Back
	}
	if s.oidc, err = oidc.New(*s.o.OIDC, back); err != nil || back == "" {
		return nil, err
	}
	return s.oidc, nil
}

// errNoToken reports a request without a token.
var errNoToken = errors.New("no token")

// person returns the person of a bearer token.
func (s *Server) person(ctx context.Context, r *http.Request) (*role.Person, error) {
	scheme, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") || text == "" {
		return nil, errNoToken
	}
	if text = strings.TrimSpace(text); s.oidc != nil && !strings.HasPrefix(text, token.Prefix) {
		return s.oidc.Person(ctx, text)
	}
	return s.o.Tokens.Person(ctx, text)
}

// identify returns the person of a request, nil for an unknown one. It answers if that cannot be found out.
func (s *Server) identify(w http.ResponseWriter, r *http.Request) (who *role.Person, ok bool) {
	who, err := s.person(r.Context(), r)
	if err != nil && !errors.Is(err, errNoToken) && !errors.Is(err, token.ErrInvalid) {
		s.o.Log.ErrorContext(r.Context(), "tokens", "error", err)
		http.Error(w, "the service cannot check tokens now", http.StatusServiceUnavailable)
		return nil, false
	}
	if who != nil {
		noted(r.Context()).who = who.Name
	}
	return who, true
}

// program answers the API. Cookies count for nothing: no page of another host acts for a person here.
func (s *Server) program(w http.ResponseWriter, r *http.Request) {
	who, ok := s.identify(w, r)
	if !ok {
		return
	}
	noted(r.Context()).operation = s.api.Pattern(r)
	if who != nil {
		r = r.WithContext(who.In(r.Context()))
	}
	s.api.ServeHTTP(w, r)
}

// measure answers Prometheus.
func (s *Server) measure(w http.ResponseWriter, r *http.Request) {
	who, ok := s.identify(w, r)
	switch {
	case !ok:
	case who == nil:
		w.Header().Set("WWW-Authenticate", `Bearer realm="quire"`)
		http.Error(w, "metrics need a valid token", http.StatusUnauthorized)
	case !who.May("metrics"):
		http.Error(w, "your roles do not include metrics", http.StatusForbidden)
	default:
		w.Header().Set("Cache-Control", "no-store")
		s.metrics.ServeHTTP(w, r)
	}
}

// note is what the log says of a request.
type note struct {
	id, who, operation string
}

type noteKey struct{}

// noted returns the note of a request.
func noted(ctx context.Context) *note {
	n, _ := ctx.Value(noteKey{}).(*note)
	return cmp.Or(n, &note{})
}

// noting is a log whose lines have the id of the request.
type noting struct{ slog.Handler }

// Handle implements slog.Handler.
func (h noting) Handle(ctx context.Context, r slog.Record) error {
	if n := noted(ctx); n.id != "" {
		r = r.Clone()
		r.AddAttrs(slog.String("request", n.id))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h noting) WithAttrs(all []slog.Attr) slog.Handler { return noting{h.Handler.WithAttrs(all)} }

// WithGroup implements slog.Handler.
func (h noting) WithGroup(name string) slog.Handler { return noting{h.Handler.WithGroup(name)} }

// recorder keeps the status of an answer.
type recorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController find the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// answerTime bounds an answer.
const answerTime = 10 * time.Minute

// ServeHTTP implements http.Handler: it gives each request an id, logs it, and counts it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begun := time.Now()
	n := &note{id: rand.Text()}
	out := &recorder{ResponseWriter: w}
	_ = http.NewResponseController(w).SetWriteDeadline(begun.Add(answerTime)) // a recorder of a test has none
	h := w.Header()
	h.Set("X-Request-Id", n.id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	r = r.WithContext(context.WithValue(r.Context(), noteKey{}, n))
	defer func() { s.done(out, r, n, begun, recover()) }()
	_, pattern := s.mux.Handler(r)
	n.operation = cmp.Or(pattern, "none")
	s.mux.ServeHTTP(out, r)
}

// done ends a request. A panic of a handler is an error for the client, and for the log with its place.
func (s *Server) done(w *recorder, r *http.Request, n *note, begun time.Time, panicked any) {
	if panicked != nil {
		s.o.Log.Error("panic", "request", n.id, "reason", panicked, "stack", string(debug.Stack()))
		if w.status == 0 {
			http.Error(w, "the service failed; its log has the reason", http.StatusInternalServerError)
		}
	}
	status, took := cmp.Or(w.status, http.StatusOK), time.Since(begun)
	s.metrics.Request(n.operation, status, took)
	s.o.Log.Info("request", "request", n.id, "method", r.Method, "path", r.URL.Path, "operation", n.operation,
		"status", status, "seconds", took.Seconds(), "by", n.who, "from", r.RemoteAddr)
}
