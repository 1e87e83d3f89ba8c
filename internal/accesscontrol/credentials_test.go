package accesscontrol

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

func basic(user, password string) string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

func TestPasswords(t *testing.T) {
	users := file(t, "# harvesters", "kb:"+blowfish(t, "sesame"), "bnf:"+sha("ouvre-toi"), "",
		"nobody:"+blowfish(t, ""))
	w := newGateway(t, Config{Allow: []Agreement{{PasswordFile: users}}})
	const at = "198.51.100.1:1"
	rec := w.want(t, 401, at)
	if got := rec.Header()["Www-Authenticate"]; len(got) != 1 || got[0] != `Basic realm="harvest", charset="UTF-8"` {
		t.Errorf("%q", got)
	}
	for range 3 {
		w.want(t, 200, at, basic("kb", "sesame"))
		w.want(t, 200, at, basic("bnf", "ouvre-toi"))
	}
	w.want(t, 401, at, basic("kb", "Sesame"))
	w.want(t, 401, at, basic("kb", "sesame "))
	w.want(t, 401, at, basic("kb", ""))
	w.want(t, 401, at, basic("bnf", "sesame"))      // another user's password
	w.want(t, 401, at, basic("bl", "sesame"))       // unknown user with another user's password
	w.want(t, 401, at, basic("", "sesame"))         // no user
	w.want(t, 401, at, basic("kb", sha("sesame")))  // the hash is not the password
	w.want(t, 401, at, "Authorization: Basic a2I=") // no colon
	w.want(t, 401, at, "Authorization: Basic %%%")
	w.want(t, 401, at, "Authorization: Bearer sesame")
	w.want(t, 401, at, "Authorization: Digest username=kb")
	w.want(t, 401, at, basic("kb", strings.Repeat("x", maxCredentials)))
	w.want(t, 200, at, strings.Replace(basic("kb", "sesame"), "Basic", "bASIC", 1))
}

// TestTwoHeaders checks that two headers are refused: one could be meant for the server in front,
// the other for this one.
func TestTwoHeaders(t *testing.T) {
	w := newGateway(t, Config{Allow: []Agreement{{PasswordFile: file(t, "kb:"+sha("a"))}}})
	w.want(t, 401, "198.51.100.1:1", basic("kb", "a"), basic("kb", "b"))
	w.want(t, 401, "198.51.100.1:1", basic("kb", "b"), basic("kb", "a"))
	w.want(t, 401, "198.51.100.1:1", basic("kb", "a"), basic("kb", "a"))
}

func TestOneUser(t *testing.T) {
	users := file(t, "kb:"+sha("a"), "bnf:"+sha("b"))
	w := newGateway(t, Config{Allow: []Agreement{{PasswordFile: users, User: "kb"}}})
	w.want(t, 200, "198.51.100.1:1", basic("kb", "a"))
	w.want(t, 401, "198.51.100.1:1", basic("bnf", "b"))
	alone := newGateway(t, Config{Allow: []Agreement{{PasswordFile: file(t, sha("a")), User: "kb"}}})
	alone.want(t, 200, "198.51.100.1:1", basic("kb", "a"))
	alone.want(t, 401, "198.51.100.1:1", basic("", "a"))
	alone.want(t, 401, "198.51.100.1:1", basic("bnf", "a"))
}

func TestTokens(t *testing.T) {
	w := newGateway(t, Config{Allow: []Agreement{{TokenFile: file(t, sha("t1")+"  -", strings.ToUpper(sha("t2"))+" kb"),
		Rate: "2/m"}}})
	const at = "198.51.100.1:1"
	if rec := w.want(t, 401, at); rec.Header().Get("WWW-Authenticate") != `Bearer realm="harvest"` {
		t.Error(rec.Header())
	}
	w.want(t, 200, at, "Authorization: Bearer t1")
	w.want(t, 200, at, "Authorization: bearer  t1")
	w.want(t, 503, at, "Authorization: Bearer t1")
	w.want(t, 503, "192.0.2.1:1", "Authorization: Bearer t1") // a harvester is its user, whatever the address
	w.want(t, 200, at, "Authorization: Bearer t2")
	w.want(t, 401, at, "Authorization: Bearer t3")
	w.want(t, 401, at, "Authorization: Bearer ")
	w.want(t, 401, at, "Authorization: Bearer "+sha("t1"))
	w.want(t, 401, at, basic("t1", ""))
	w.want(t, 401, at, basic("", "t1"))
}

func TestEitherWillDo(t *testing.T) {
	w := newGateway(t, Config{Allow: []Agreement{{PasswordFile: file(t, "kb:"+sha("a")),
		TokenFile: file(t, sha("t"))}}})
	if got := w.want(t, 401, "198.51.100.1:1").Header()["Www-Authenticate"]; len(got) != 2 {
		t.Errorf("%q", got)
	}
	w.want(t, 200, "198.51.100.1:1", basic("kb", "a"))
	w.want(t, 200, "198.51.100.1:1", "Authorization: Bearer t")
}

// TestAllThatIsNamed checks that a client outside an agreement's network or hours does not learn
// that it asks for credentials, and cannot try any.
func TestAllThatIsNamed(t *testing.T) {
	w := newGateway(t, Config{Allow: []Agreement{{
		Networks: []string{"192.0.2.0/24"}, PasswordFile: file(t, "kb:"+sha("a")), Hours: []string{"10:00-14:00 UTC"},
	}}})
	w.want(t, 200, "192.0.2.1:1", basic("kb", "a"))
	w.want(t, 401, "192.0.2.1:1")
	if rec := w.want(t, 403, "198.51.100.1:1", basic("kb", "a")); rec.Header().Get("WWW-Authenticate") != "" {
		t.Error("credentials are asked for")
	}
	w.on(2 * time.Hour)
	w.want(t, 403, "192.0.2.1:1", basic("kb", "a"))
}

// TestGuessing checks that a guesser must wait, at no cost, and that a user with an earlier valid
// login is not delayed.
func TestGuessing(t *testing.T) {
	w := newGateway(t, Config{Allow: []Agreement{{PasswordFile: file(t, "kb:"+sha("a"), "bnf:"+sha("b"))}}})
	const at = "198.51.100.1:1"
	w.want(t, 200, at, basic("kb", "a"))
	last := 0
	for range 30 {
		last = w.ask(at, basic("kb", "guess")).Code
	}
	if last != http.StatusServiceUnavailable {
		t.Errorf("the 30th guess: %d", last)
	}
	w.want(t, 200, at, basic("kb", "a"))
	w.want(t, 503, at, basic("bnf", "b")) // from the same address, without an earlier login
	w.want(t, 200, "198.51.100.2:1", basic("bnf", "b"))
	w.on(time.Minute)
	w.want(t, 401, at, basic("kb", "guess"))
}

// TestFileChanges checks that a user is refused as soon as their line is removed, and admitted as
// soon as their line is added.
func TestFileChanges(t *testing.T) {
	name := file(t, "kb:"+sha("old"))
	tokens := file(t, sha("t1"))
	w := newGateway(t, Config{Allow: []Agreement{{PasswordFile: name, TokenFile: tokens}}})
	const at = "198.51.100.1:1"
	w.want(t, 200, at, basic("kb", "old"))
	w.want(t, 200, at, "Authorization: Bearer t1")
	rewrite(t, name, "kb:"+sha("new"), 1)
	rewrite(t, tokens, sha("t2"), 1)
	w.want(t, 401, at, basic("kb", "old"))
	w.want(t, 200, at, basic("kb", "new"))
	w.want(t, 401, at, "Authorization: Bearer t1")
	w.want(t, 200, at, "Authorization: Bearer t2")
	rewrite(t, name, "no hash", 2) // then all are refused, and the log has the reason
	w.want(t, 401, at, basic("kb", "new"))
	if why := w.refused[len(w.refused)-1].Why; !strings.Contains(why, "line 1: neither bcrypt") ||
		strings.Contains(why, "no hash") {
		t.Error(why)
	}
	if err := os.Remove(tokens); err != nil {
		t.Fatal(err)
	}
	w.want(t, 401, at, "Authorization: Bearer t2")
}

// rewrite changes a file, minutes after its creation.
func rewrite(t *testing.T, name, line string, minutes int) {
	t.Helper()
	at := time.Now().Add(time.Duration(minutes) * time.Minute)
	if err := os.WriteFile(name, []byte(line+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, at, at); err != nil {
		t.Fatal(err)
	}
}

func TestFilesRefused(t *testing.T) {
	for _, c := range []struct {
		a    Agreement
		want string
	}{
		{Agreement{PasswordFile: "/nonexistent"}, "password-file: stat /nonexistent"},
		{Agreement{PasswordFile: file(t, "")}, "has no hashes"},
		{Agreement{PasswordFile: file(t, "kb:hunter2")}, "line 1: neither bcrypt"},
		{Agreement{PasswordFile: file(t, "kb:$apr1$abc$defg")}, "line 1: neither bcrypt"},
		{Agreement{PasswordFile: file(t, "kb:{SHA}2jmj7l5rSw0yVb/vlWAYkK/YBwk=")}, "line 1: neither bcrypt"},
		{Agreement{PasswordFile: file(t, "kb:$2y$05$short")}, "line 1: not a bcrypt hash"},
		{Agreement{PasswordFile: file(t, "kb:$2y$20$"+strings.Repeat("a", 53))}, "bcrypt has cost 20"},
		{Agreement{PasswordFile: file(t, sha("a"))}, "has no user names"},
		{Agreement{PasswordFile: file(t, "kb:"+sha("a")), User: "bnf"}, `no line for the user "bnf"`},
		{Agreement{TokenFile: file(t, "hunter2")}, "line 1: not a SHA-256"},
		{Agreement{TokenFile: file(t, strings.Repeat(sha("a")+"\n", maxHashes+1))}, "more than 10000 lines"},
		{Agreement{User: "kb", TokenFile: file(t, sha("a"))}, "a user without password-file"},
		{Agreement{User: "k:b", PasswordFile: file(t, sha("a"))}, "has a colon"},
		{Agreement{Rate: "1/s"}, "names no client"},
	} {
		if _, err := New(Config{Allow: []Agreement{c.a}}, Options{}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v; want %s", c.a, err, c.want)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error reveals the secret: %v", err)
		}
	}
}

// TestUnknownUserIsHashed checks that an unknown user causes as much hashing as a known user. It
// compares numbers, not times.
func TestUnknownUserIsHashed(t *testing.T) {
	hashes := []hash{{name: "kb", bcrypt: []byte(blowfish(t, "a"))}, {name: "bnf", bcrypt: []byte(blowfish(t, "b"))}}
	for _, c := range []struct {
		only, user string
		found      bool
	}{{"", "kb", true}, {"", "bnf", true}, {"", "bl", false}, {"", "", false}, {"kb", "bnf", false}, {"kb", "kb", true},
		{"bl", "bl", false}} {
		h, found := choose(hashes, c.only, c.user)
		if found != c.found || h.bcrypt == nil {
			t.Errorf("%q of %q: %v, %v", c.user, c.only, h.name, found)
		}
	}
}

// TestManyAtOnce checks that simultaneous requests are hashed one after the other. The number of
// waiting requests never exceeds the length of the queue.
func TestManyAtOnce(t *testing.T) {
	w := newGateway(t, Config{Allow: []Agreement{{PasswordFile: file(t, "kb:"+blowfish(t, "a"))}}})
	server := httptest.NewServer(w)
	defer server.Close()
	var wait sync.WaitGroup
	for i := range 60 {
		wait.Go(func() {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
			if err != nil {
				t.Error(err)
				return
			}
			password := "a"
			if i%2 == 0 {
				password = "guess"
			}
			r.SetBasicAuth("kb", password)
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			defer res.Body.Close()
			if i%2 == 0 && res.StatusCode == 200 || res.StatusCode != 200 && res.StatusCode != 401 &&
				res.StatusCode != 503 {
				t.Errorf("%s: %d", password, res.StatusCode)
			}
		})
	}
	wait.Wait()
	w.on(time.Hour)
	if got := w.ask("127.0.0.1:1", basic("kb", "a")); got.Code != 200 {
		t.Errorf("afterwards: %d", got.Code)
	}
}
