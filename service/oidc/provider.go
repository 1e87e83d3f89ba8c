package oidc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"quire/service/role"
	"quire/service/token"
)

// Settings say which provider is trusted, and for which roles.
type Settings struct {
	Issuer     string               // its URL
	ClientID   string               // of the service, at the provider
	SecretFile string               // has the secret of the client; "" for a public client
	Audience   string               // of bearer tokens; "" means ClientID
	NameClaim  string               // the name of a person in decisions; "" means sub
	RolesClaim string               // groups of a person, with dots for claims in claims; "" means roles
	Roles      map[string]role.Role // by group; other groups have none
	Scopes     []string             // beside openid
}

// Provider is the provider. It is asked when the first person comes, so that the service starts without it.
type Provider struct {
	settings Settings
	back     string // the URL to which browsers return
	client   *http.Client

	mu     sync.Mutex
	found  *oidc.Provider
	failed time.Time // of the newest try
	err    error

	flows flows
}

const (
	askTime    = 10 * time.Second
	tryAgain   = 5 * time.Second
	maxToken   = 16 << 10
	maxSession = 2 * time.Hour
)

// New returns a provider. back is the URL of [Provider.Return], "" if no browser signs in.
func New(s Settings, back string) (*Provider, error) {
	switch {
	case s.Issuer == "" || s.ClientID == "":
		return nil, errors.New("oidc needs issuer and client-id")
	case len(s.Roles) == 0:
		return nil, errors.New("oidc needs roles: which groups have which role")
	}
	return &Provider{settings: s, back: back, client: &http.Client{Timeout: askTime}}, nil
}

// provider returns the provider after its discovery. It is not asked more often than every few seconds.
func (p *Provider) provider() (*oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found != nil {
		return p.found, nil
	}
	if p.err != nil && time.Since(p.failed) < tryAgain {
		return nil, p.err
	}
	found, err := oidc.NewProvider(p.context(context.Background()), p.settings.Issuer)
	if err != nil {
		p.err, p.failed = fmt.Errorf("the OpenID provider %s: %w", p.settings.Issuer, err), time.Now()
		return nil, p.err
	}
	p.found, p.err = found, nil
	return found, nil
}

func (p *Provider) context(ctx context.Context) context.Context {
	return oidc.ClientContext(ctx, p.client)
}

// Person returns the person of a JSON Web Token. The error is [token.ErrInvalid] if the token does not prove a person
// with a role.
func (p *Provider) Person(ctx context.Context, raw string) (*role.Person, error) {
	if len(raw) > maxToken || strings.Count(raw, ".") != 2 {
		return nil, token.ErrInvalid
	}
	who, _, err := p.verified(ctx, raw, cmp.Or(p.settings.Audience, p.settings.ClientID))
	return who, err
}

// verified checks the signature, the issuer, the audience and the times of a token.
func (p *Provider) verified(ctx context.Context, raw, audience string) (*role.Person, *oidc.IDToken, error) {
	found, err := p.provider()
	if err != nil {
		return nil, nil, err
	}
	t, err := found.Verifier(&oidc.Config{ClientID: audience}).Verify(p.context(ctx), raw)
	if err != nil {
		var network *url.Error
		if errors.As(err, &network) {
			return nil, nil, fmt.Errorf("the keys of the OpenID provider: %w", err)
		}
		return nil, nil, fmt.Errorf("%w: %w", token.ErrInvalid, err)
	}
	who, err := p.person(t)
	return who, t, err
}

// person returns the person of a valid token.
func (p *Provider) person(t *oidc.IDToken) (*role.Person, error) {
	var claims map[string]any
	if err := t.Claims(&claims); err != nil {
		return nil, fmt.Errorf("%w: %w", token.ErrInvalid, err)
	}
	claim, _ := claims[cmp.Or(p.settings.NameClaim, "sub")].(string)
	name, err := role.Name(claim)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", token.ErrInvalid, err)
	}
	who := &role.Person{Name: name}
	for _, group := range groups(claims, cmp.Or(p.settings.RolesClaim, "roles")) {
		if r, ok := p.settings.Roles[group]; ok && !slices.Contains(who.Roles, r) {
			who.Roles = append(who.Roles, r)
		}
	}
	if len(who.Roles) == 0 {
		return nil, fmt.Errorf("%w: %s has no role here", token.ErrInvalid, name)
	}
	slices.Sort(who.Roles)
	return who, nil
}

// groups returns the texts of a claim: one, or a list.
func groups(claims map[string]any, path string) (all []string) {
	at := claims[path]
	if at == nil {
		at = any(claims)
		for part := range strings.SplitSeq(path, ".") {
			inner, _ := at.(map[string]any)
			at = inner[part]
		}
	}
	switch v := at.(type) {
	case string:
		return []string{v}
	case []any:
		for _, one := range v {
			if s, ok := one.(string); ok {
				all = append(all, s)
			}
		}
	}
	return all
}

// config returns the client of the authorization code flow.
func (p *Provider) config() (*oauth2.Config, error) {
	found, err := p.provider()
	if err != nil {
		return nil, err
	}
	c := &oauth2.Config{ClientID: p.settings.ClientID, Endpoint: found.Endpoint(), RedirectURL: p.back,
		Scopes: append([]string{oidc.ScopeOpenID}, p.settings.Scopes...)}
	if p.settings.SecretFile != "" {
		secret, err := os.ReadFile(p.settings.SecretFile)
		if err != nil {
			return nil, fmt.Errorf("the secret of the OpenID client: %w", err)
		}
		c.ClientSecret = strings.TrimSpace(string(secret))
	}
	return c, nil
}
