package servicetest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Issuer is a small OpenID provider.
type Issuer struct {
	*httptest.Server
	key *rsa.PrivateKey

	mu    sync.Mutex
	codes map[string]SentTo // by code
}

// SentTo has the challenge that a browser brought to the provider, and the claims that its token gets.
type SentTo struct {
	Challenge string
	Claims    map[string]any
}

var keys = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// NewIssuer starts a provider.
func NewIssuer(t testing.TB) *Issuer {
	t.Helper()
	key, err := keys()
	if err != nil {
		t.Fatal(err)
	}
	i := &Issuer{key: key, codes: map[string]SentTo{}}
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(v)
	}
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize",
			"token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"RS256"}})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"keys": []any{map[string]any{"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "1",
			"n": base64.RawURLEncoding.EncodeToString(key.N.Bytes()),
			"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(key.E)).Bytes())}}})
	})
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		defer i.mu.Unlock()
		one, ok := i.codes[r.FormValue("code")]
		delete(i.codes, r.FormValue("code"))
		sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
		if !ok || base64.RawURLEncoding.EncodeToString(sum[:]) != one.Challenge {
			w.WriteHeader(http.StatusBadRequest)
			answer(w, map[string]any{"error": "invalid_grant"})
			return
		}
		answer(w, map[string]any{"access_token": "x", "token_type": "Bearer",
			"id_token": i.Sign(t, "RS256", one.Claims)})
	})
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

// Sign returns a token with claims.
func (i *Issuer) Sign(t testing.TB, alg string, claims map[string]any) string {
	t.Helper()
	part := func(v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			t.Error(err)
		}
		return base64.RawURLEncoding.EncodeToString(text)
	}
	signed := part(map[string]string{"alg": alg, "kid": "1"}) + "." + part(claims)
	if alg == "none" {
		return signed + "."
	}
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, i.key, crypto.SHA256, sum[:])
	if err != nil {
		t.Error(err)
	}
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// Claims are those of a valid token, with changes: nil removes one.
func (i *Issuer) Claims(changes map[string]any) map[string]any {
	all := map[string]any{"iss": i.URL, "aud": "quire", "sub": "ada", "exp": time.Now().Add(time.Hour).Unix(),
		"iat": time.Now().Unix(), "roles": []string{"operators", "others"}}
	for k, v := range changes {
		if all[k] = v; v == nil {
			delete(all, k)
		}
	}
	return all
}

// Give makes the provider take a code.
func (i *Issuer) Give(code string, one SentTo) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.codes[code] = one
}
