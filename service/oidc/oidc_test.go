package oidc

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/service/role"
	"quire/service/servicetest"
	"quire/service/token"
)

func providerOf(t *testing.T, i *servicetest.Issuer, change func(*Settings)) *Provider {
	t.Helper()
	s := Settings{Issuer: i.URL, ClientID: "quire", Roles: map[string]role.Role{"operators": role.Operator,
		"curators": role.Curator, "bosses": role.Operator}}
	if change != nil {
		change(&s)
	}
	p, err := New(s, "http://operate.example/sign-in/oidc/back")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestBearer(t *testing.T) {
	t.Parallel()
	i := servicetest.NewIssuer(t)
	p := providerOf(t, i, nil)
	for name, c := range map[string]struct {
		changes map[string]any
		alg     string
		roles   []role.Role // nil if it is refused
	}{
		"valid": {nil, "RS256", []role.Role{role.Operator}},
		"two groups": {map[string]any{"roles": []string{"bosses", "curators", "operators"}}, "RS256",
			[]role.Role{role.Curator, role.Operator}},
		"one group":          {map[string]any{"roles": "curators"}, "RS256", []role.Role{role.Curator}},
		"two audiences":      {map[string]any{"aud": []string{"x", "quire"}}, "RS256", []role.Role{role.Operator}},
		"another audience":   {map[string]any{"aud": "x"}, "RS256", nil},
		"another issuer":     {map[string]any{"iss": "https://other.example"}, "RS256", nil},
		"too old":            {map[string]any{"exp": time.Now().Add(-time.Minute).Unix()}, "RS256", nil},
		"no end":             {map[string]any{"exp": nil}, "RS256", nil},
		"no group":           {map[string]any{"roles": nil}, "RS256", nil},
		"the name of a role": {map[string]any{"roles": []string{"approver"}}, "RS256", nil},
		"an odd claim":       {map[string]any{"roles": map[string]any{"operators": true}}, "RS256", nil},
		"no name":            {map[string]any{"sub": nil}, "RS256", nil},
		"lines in the name":  {map[string]any{"sub": "a\nb"}, "RS256", nil},
		"no signature":       {nil, "none", nil},
		"another algorithm":  {nil, "HS256", nil},
	} {
		who, err := p.Person(t.Context(), i.Sign(t, c.alg, i.Claims(c.changes)))
		if c.roles == nil && (!errors.Is(err, token.ErrInvalid) || who != nil) {
			t.Errorf("%s: %+v, %v", name, who, err)
		}
		if c.roles != nil && (err != nil || who.Name != "ada" || !slices.Equal(who.Roles, c.roles)) {
			t.Errorf("%s: %+v, %v", name, who, err)
		}
	}
	valid := i.Sign(t, "RS256", i.Claims(nil))
	parts := strings.Split(valid, ".")
	eve := strings.Split(i.Sign(t, "none", i.Claims(map[string]any{"sub": "eve"})), ".")
	forged := parts[0] + "." + eve[1] + "." + parts[2]
	for _, wrong := range []string{"", "x", "a.b.c", forged, valid + "x", strings.Repeat("a", maxToken) + "." + valid} {
		if who, err := p.Person(t.Context(), wrong); !errors.Is(err, token.ErrInvalid) {
			t.Errorf("%.40q: %+v, %v", wrong, who, err)
		}
	}
}

func TestClaims(t *testing.T) {
	t.Parallel()
	i := servicetest.NewIssuer(t)
	p := providerOf(t, i, func(s *Settings) {
		s.RolesClaim, s.NameClaim, s.Audience = "realm_access.roles", "email", "api"
	})
	claims := i.Claims(map[string]any{"aud": "api", "email": "ada@example.org",
		"realm_access": map[string]any{"roles": []string{"curators"}}})
	who, err := p.Person(t.Context(), i.Sign(t, "RS256", claims))
	if err != nil || who.Name != "ada@example.org" || !slices.Equal(who.Roles, []role.Role{role.Curator}) {
		t.Errorf("%+v, %v", who, err)
	}
}

// TestAway: a provider that does not answer is no invalid token.
func TestAway(t *testing.T) {
	t.Parallel()
	i := servicetest.NewIssuer(t)
	p := providerOf(t, i, nil)
	valid := i.Sign(t, "RS256", i.Claims(nil))
	i.Close()
	if _, err := p.Person(t.Context(), valid); err == nil || errors.Is(err, token.ErrInvalid) {
		t.Errorf("%v", err)
	}
	for _, s := range []Settings{{}, {Issuer: "x", ClientID: "y"}} {
		if _, err := New(s, ""); err == nil {
			t.Errorf("%+v", s)
		}
	}
}

// begun begins a sign-in, and returns the way to the provider and the cookie.
func begun(t *testing.T, p *Provider) (to url.Values, cookie *http.Cookie) {
	t.Helper()
	w := httptest.NewRecorder()
	if err := p.Begin(w, httptest.NewRequest(http.MethodGet, "/sign-in/oidc", nil)); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(w.Header().Get("Location"))
	if err != nil || w.Code != http.StatusSeeOther {
		t.Fatalf("%d %v", w.Code, err)
	}
	return u.Query(), w.Result().Cookies()[0]
}

// trial is a sign-in that a test changes.
type trial struct {
	cookie *http.Cookie
	one    *servicetest.SentTo
	back   url.Values
}

func TestFlow(t *testing.T) {
	t.Parallel()
	i := servicetest.NewIssuer(t)
	p := providerOf(t, i, nil)
	for name, c := range map[string]struct {
		change func(*trial)
		good   bool
	}{
		"good":            {func(*trial) {}, true},
		"another browser": {func(c *trial) { c.cookie.Value = "x" }, false},
		"another state":   {func(c *trial) { c.back.Set("state", "x") }, false},
		"an unknown state": {func(c *trial) {
			c.back.Set("state", "x")
			c.cookie.Value = "x"
		}, false},
		"another nonce": {func(c *trial) { c.one.Claims["nonce"] = "x" }, false},
		"no nonce":      {func(c *trial) { delete(c.one.Claims, "nonce") }, false},
		"another code":  {func(c *trial) { c.back.Set("code", "x") }, false},
		"a stolen code": {func(c *trial) { c.one.Challenge = "x" }, false},
		"refused":       {func(c *trial) { c.back.Set("error", "denied") }, false},
		"no role":       {func(c *trial) { delete(c.one.Claims, "roles") }, false},
	} {
		to, cookie := begun(t, p)
		if to.Get("code_challenge_method") != "S256" || to.Get("response_type") != "code" || to.Get("nonce") == "" ||
			to.Get("scope") != "openid" || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode {
			t.Fatalf("%v %+v", to, cookie)
		}
		one := servicetest.SentTo{Challenge: to.Get("code_challenge"),
			Claims: i.Claims(map[string]any{"nonce": to.Get("nonce")})}
		back := url.Values{"code": {"code of " + name}, "state": {to.Get("state")}}
		c.change(&trial{cookie, &one, back})
		i.Give("code of "+name, one)
		ask := func() error {
			r := httptest.NewRequest(http.MethodGet, "/sign-in/oidc/back?"+back.Encode(), nil)
			r.AddCookie(cookie)
			check, err := p.Return(httptest.NewRecorder(), r)
			if err == nil {
				who, err := check(t.Context())
				if err != nil || who.Name != "ada" || !slices.Equal(who.Roles, []role.Role{role.Operator}) {
					t.Errorf("%s: %+v, %v", name, who, err)
				}
			}
			return err
		}
		if err := ask(); c.good != (err == nil) || !c.good && !errors.Is(err, token.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
		if err := ask(); !errors.Is(err, token.ErrInvalid) {
			t.Errorf("%s, a second time: %v", name, err)
		}
	}
}

func TestFlowsAreBounded(t *testing.T) {
	t.Parallel()
	var f flows
	for n := range maxFlows + 1 {
		err := f.add(string(rune('a'+n)), flow{until: time.Now().Add(time.Hour)})
		if (err == nil) != (n < maxFlows) {
			t.Fatalf("%d: %v", n, err)
		}
	}
	f.all["a"] = flow{until: time.Now().Add(-time.Second)}
	if _, ok := f.take("a"); ok {
		t.Error("a sign-in that took too long")
	}
}
