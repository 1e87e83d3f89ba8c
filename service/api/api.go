package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"quire/service/desk"
	"quire/service/role"
)

// Options are the settings of the API.
type Options struct {
	Version string // of the program
	URL     string // of the service, for the description; "" for the requested host
	Log     *slog.Logger
}

// API answers requests below /api/v1/. The person that asks is in the context of a request (role.Person.In).
type API struct {
	mux  *http.ServeMux
	huma huma.API
	desk *desk.Desk
	log  *slog.Logger
	bad  []error // operations that have no roles
	used []string

	json, yaml []byte // the description
}

// Path is where the API is.
const Path = "/api/"

const (
	base     = "/api/v1"
	maxBody  = 64 << 10
	security = "bearer"
)

// New makes the API. It fails if the list of roles and the operations differ.
func New(d *desk.Desk, o Options) (*API, error) {
	config := huma.DefaultConfig("Quire", o.Version)
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.Formats = formats()
	config.CreateHooks = nil // no links to schemas: the description has them
	config.RejectUnknownQueryParameters = true
	config.Info.Description = "The service of a repository of web archives. Each operation names the roles that may " +
		"use it. A request has a token: Authorization: Bearer TOKEN."
	config.Servers = []*huma.Server{{URL: o.URL + base}}
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{security: {Type: "http", Scheme: "bearer",
		Description: "A token of quire token add, or a JSON Web Token of the OpenID provider."}}
	a := &API{mux: http.NewServeMux(), desk: d, log: o.Log}
	a.huma = humago.NewWithPrefix(a.mux, base, config)
	a.huma.UseMiddleware(a.decide)
	a.packages()
	a.decisions()
	a.work()
	a.watch()
	a.reports()
	if err := errors.Join(append(a.bad, a.complete()...)...); err != nil {
		return nil, err
	}
	a.mux.HandleFunc("/", a.elsewhere)
	var err error
	if a.json, err = json.Marshal(a.huma.OpenAPI()); err != nil {
		return nil, err
	}
	a.yaml, err = a.huma.OpenAPI().YAML()
	return a, err
}

// others are the operations that are no part of the API.
var others = []string{"metrics"}

// complete returns an error for each operation with roles that the API lacks.
func (a *API) complete() (all []error) {
	for _, o := range role.Operations() {
		if !slices.Contains(a.used, o.ID) && !slices.Contains(others, o.ID) {
			all = append(all, fmt.Errorf("the API lacks the operation %s", o.ID))
		}
	}
	return all
}

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if _, pattern := a.mux.Handler(r); pattern == "" || strings.Contains(r.URL.Path+r.URL.RawQuery, "\x00") ||
		strings.Contains(r.URL.RawQuery, "%00") {
		a.plain(w, http.StatusBadRequest, "the address has a character that no address has")
		return
	}
	for name, values := range r.URL.Query() {
		if len(values) > 1 || values[0] == "" { // huma takes the first, and an empty one for none
			a.plain(w, http.StatusBadRequest, fmt.Sprintf("the parameter %.100q is empty, or is there twice", name))
			return
		}
	}
	a.mux.ServeHTTP(w, r)
}

// Pattern returns the pattern of addresses that a request matches.
func (a *API) Pattern(r *http.Request) string {
	_, pattern := a.mux.Handler(r)
	return pattern
}

// elsewhere answers an address, or a method of it, that no operation has (RFC 9110, 15.5.5 and 15.5.6).
func (a *API) elsewhere(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut,
		http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := a.mux.Handler(other); pattern != "/" {
			allowed = append(allowed, method)
		}
	}
	if allowed == nil {
		a.plain(w, http.StatusNotFound, "no operation of the API has this address: see /openapi.json")
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	a.plain(w, http.StatusMethodNotAllowed, "this address has the methods "+strings.Join(allowed, ", "))
}

// Description answers /openapi.json and /openapi.yaml.
func (a *API) Description(w http.ResponseWriter, r *http.Request) {
	text, mime := a.json, "application/openapi+json"
	if strings.HasSuffix(r.URL.Path, ".yaml") {
		text, mime = a.yaml, "application/openapi+yaml"
	}
	w.Header().Set("Content-Type", mime)
	_, _ = w.Write(text) // a client that has gone needs no answer
}

// plain answers an error outside the operations.
func (a *API) plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(huma.NewError(status, text)) // a client that has gone needs no answer
}

// decide is the one decision on roles.
func (a *API) decide(ctx huma.Context, next func(huma.Context)) {
	who := role.Of(ctx.Context())
	id := ctx.Operation().OperationID
	switch {
	case who == nil:
		ctx.SetHeader("WWW-Authenticate", `Bearer realm="quire"`)
		_ = huma.WriteErr(a.huma, ctx, http.StatusUnauthorized, "this needs a valid token: Authorization: Bearer TOKEN")
	case !who.May(id):
		_ = huma.WriteErr(a.huma, ctx, http.StatusForbidden, "your roles do not include this: "+id)
	default:
		next(ctx)
	}
}

// call is an operation: its roles come from package role.
type call struct {
	id, method, path string
	status           int
	tag              string
}

// add adds an operation.
func add[I, O any](a *API, c call, do func(context.Context, *role.Person, *I) (*O, error)) {
	o, ok := role.Find(c.id)
	if !ok || slices.Contains(a.used, c.id) {
		a.bad = append(a.bad, fmt.Errorf("the operation %s has no roles, or is there twice", c.id))
		return
	}
	a.used = append(a.used, c.id)
	var names []string
	for _, r := range o.Roles {
		names = append(names, string(r))
	}
	errs := []int{400, 401, 403, 404, 409, 410, 422, 500, 503}
	if c.method != http.MethodGet {
		errs = append(errs, 408, 413, 415)
	}
	huma.Register(a.huma, huma.Operation{OperationID: c.id, Method: c.method, Path: c.path, DefaultStatus: c.status,
		Summary: o.Does, Description: "Roles: " + strings.Join(names, ", ") + ".", Tags: []string{c.tag},
		Security: []map[string][]string{{security: {}}}, Errors: errs, MaxBodyBytes: maxBody,
		RejectUnknownQueryParameters: true,
	}, func(ctx context.Context, in *I) (*O, error) {
		who := role.Of(ctx)
		out, err := do(ctx, who, in)
		if c.method != http.MethodGet {
			a.log.InfoContext(ctx, "operation", "id", c.id, "by", who.Name, "succeeded", err == nil)
		}
		if err != nil {
			return nil, a.problem(ctx, c.id, err)
		}
		return out, nil
	})
}

// problem returns an error for the client. It says nothing of errors of the system, which are for the log.
func (a *API) problem(ctx context.Context, id string, err error) error {
	status, text, secret := desk.Public(err)
	if secret && ctx.Err() == nil {
		a.log.ErrorContext(ctx, "operation failed", "id", id, "error", err)
	}
	return huma.NewError(status, text)
}
