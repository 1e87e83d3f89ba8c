package accesscontrol

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// maxCredentials is the longest accepted Authorization header.
const maxCredentials = 4096

// presented holds the credentials of a request.
type presented struct {
	user, password string
	basic          bool
	token          string
}

// credentialsOf reads the header. Two headers count as none, because another server on the way may
// have checked the other one.
func credentialsOf(r *http.Request) presented {
	lines := r.Header["Authorization"]
	if len(lines) != 1 || len(lines[0]) > maxCredentials {
		return presented{}
	}
	if user, password, ok := r.BasicAuth(); ok {
		return presented{user: user, password: password, basic: true}
	}
	scheme, token, _ := strings.Cut(lines[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return presented{}
	}
	return presented{token: strings.TrimSpace(token)}
}

// secrets checks passwords and tokens. Its time does not depend on how much of a secret is right,
// or whether the user exists.
type secrets struct {
	key   [sha256.Size]byte // of this process
	tries *buckets          // of passwords, per address
	queue chan struct{}     // waiting requests, and
	turn  chan struct{}     // the one being hashed: guessing uses at most one processor

	mu    sync.Mutex
	other map[[sha256.Size]byte]bool // wrong here but valid elsewhere: not guesses
	// valid passwords, under a key: a harvester is not hashed with each request
	known map[[sha256.Size]byte]bool
}

// Bounds on password guessing.
const (
	maxQueue = 32
	maxKnown = 1000
	tries    = "20/m"
)

func newSecrets() *secrets {
	limit, _ := parseRate(tries)
	s := &secrets{
		tries: newBuckets(limit, maxHarvesters),
		queue: make(chan struct{}, maxQueue),
		turn:  make(chan struct{}, 1),
		other: map[[sha256.Size]byte]bool{},
		known: map[[sha256.Size]byte]bool{},
	}
	_, _ = rand.Read(s.key[:]) // never fails (crypto/rand)
	return s
}

// password reports whether a password is right. After too many tries it returns how long to wait.
func (s *secrets) password(ctx context.Context, file *hashFile, only string, p presented, from string,
	now time.Time) (ok bool, wait time.Duration, err error) {
	hashes, err := file.get()
	if err != nil {
		return false, 0, err
	}
	h, found := choose(hashes, only, p.user)
	mark := s.mark(p, h)
	if found && s.has(s.known, mark) {
		return true, 0, nil
	}
	if s.has(s.other, mark) {
		return false, 0, nil
	}
	if wait := s.tries.take(from, now); wait > 0 {
		return false, wait, nil
	}
	right, wait := s.compare(ctx, h, p.password)
	if !right || !found {
		return false, wait, nil
	}
	s.remember(s.known, mark)
	return true, 0, nil
}

// elsewhere notes that a password, wrong here, is valid elsewhere.
func (s *secrets) elsewhere(file *hashFile, only string, p presented) {
	if hashes, err := file.get(); err == nil {
		h, _ := choose(hashes, only, p.user)
		s.remember(s.other, s.mark(p, h)) // a new hash for the user makes another mark
	}
}

// choose returns the hash of a user. For an unknown user it returns another hash, to take the same
// time.
func choose(hashes []hash, only, user string) (h hash, found bool) {
	h = hashes[0]
	for _, one := range hashes {
		name := one.name
		if name == "" {
			name = only
		}
		if name != "" && equal(name, user) && (only == "" || equal(only, user)) && !found {
			h, found = one, true
		}
	}
	return h, found
}

// equal compares strings in constant time.
func equal(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// compare compares a password with a hash when its turn comes.
func (s *secrets) compare(ctx context.Context, h hash, password string) (right bool, wait time.Duration) {
	if h.bcrypt == nil {
		sum := sha256.Sum256([]byte(password))
		return subtle.ConstantTimeCompare(sum[:], h.sha256) == 1, 0
	}
	select {
	case s.queue <- struct{}{}:
		defer func() { <-s.queue }()
	default:
		return false, 5 * time.Second
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return false, 0
	}
	return bcrypt.CompareHashAndPassword(h.bcrypt, []byte(password)) == nil, 0
}

// mark combines a password with the hash it matched, so that it becomes invalid with the hash.
func (s *secrets) mark(p presented, h hash) (sum [sha256.Size]byte) {
	m := hmac.New(sha256.New, s.key[:])
	for _, part := range [][]byte{h.bcrypt, h.sha256, []byte(p.user), []byte(p.password)} {
		one := sha256.Sum256(part)
		m.Write(one[:])
	}
	m.Sum(sum[:0])
	return sum
}

func (s *secrets) has(in map[[sha256.Size]byte]bool, mark [sha256.Size]byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return in[mark]
}

func (s *secrets) remember(in map[[sha256.Size]byte]bool, mark [sha256.Size]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(in) >= maxKnown {
		clear(in)
	}
	in[mark] = true
}

// token reports whether a token is in a file, and its name.
func (s *secrets) token(file *hashFile, token string) (name string, ok bool, err error) {
	hashes, err := file.get()
	if err != nil {
		return "", false, err
	}
	sum := sha256.Sum256([]byte(token))
	for _, h := range hashes {
		if subtle.ConstantTimeCompare(sum[:], h.sha256) == 1 {
			name, ok = h.name, true
		}
	}
	if ok && name == "" {
		name = "a token of " + file.path
	}
	return name, ok, nil
}
