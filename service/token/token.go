package token

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"quire/internal/disk"
	"quire/internal/filelock"
	"quire/service/role"
)

// Prefix begins each token, so that programs that look for secrets in files find it.
const Prefix = "quire_"

// Token is what is known about a token.
type Token struct {
	ID      string      `json:"id"`   // T1, T2, …
	Name    string      `json:"name"` // the person or program, recorded with each decision
	Roles   []role.Role `json:"roles"`
	Made    time.Time   `json:"made"`
	Expires time.Time   `json:"expires"`
	Revoked time.Time   `json:"revoked,omitzero"`
	Salt    []byte      `json:"salt"`
	Digest  []byte      `json:"digest"` // SHA-256 of salt and secret
}

// Valid reports whether the token is in force at a time.
func (t *Token) Valid(now time.Time) bool { return t.Revoked.IsZero() && now.Before(t.Expires) }

// file is the file of all tokens.
type file struct {
	Format int     `json:"format"` // 1
	Tokens []Token `json:"tokens"`
}

// Tokens are the tokens of a repository. They are safe for concurrent use, also by several processes.
type Tokens struct {
	path string
	now  func() time.Time

	mu    sync.Mutex
	read  os.FileInfo // when list was read; nil for no file
	known bool
	list  []Token
}

// In returns the tokens that are kept in a folder, which need not exist.
func In(folder string) *Tokens {
	return &Tokens{path: filepath.Join(folder, "tokens.json"), now: time.Now}
}

// Errors of tokens.
var (
	// ErrInvalid reports a token that is unknown, revoked, or too old.
	ErrInvalid = errors.New("the token is not valid")
	// ErrNone reports that no token has an id.
	ErrNone = errors.New("no such token")
)

const (
	secretBytes = 32
	saltBytes   = 16
	maxTokens   = 10_000
	maxFile     = 16 << 20

	lockTries = 200
	lockPause = 50 * time.Millisecond
)

// Add makes a token that is valid for a time, and returns its text, which is kept nowhere.
func (t *Tokens) Add(name string, roles []role.Role, valid time.Duration) (made Token, text string, err error) {
	name, err = role.Name(name)
	switch {
	case err != nil:
		return made, "", fmt.Errorf("a token needs the name of a person or a program: %w", err)
	case len(roles) == 0:
		return made, "", errors.New("a token needs a role")
	case valid <= 0:
		return made, "", errors.New("a token needs an end in the future")
	}
	for _, r := range roles {
		if err := new(role.Role).UnmarshalText([]byte(r)); err != nil {
			return made, "", err
		}
	}
	secret, salt := make([]byte, secretBytes), make([]byte, saltBytes)
	_, _ = rand.Read(secret) // it never fails
	_, _ = rand.Read(salt)
	slices.Sort(roles)
	now := t.now().UTC().Truncate(time.Second)
	made = Token{Name: name, Roles: slices.Compact(roles), Made: now, Expires: now.Add(valid), Salt: salt}
	err = t.change(func(f *file) error {
		if len(f.Tokens) >= maxTokens {
			return fmt.Errorf("there are %d tokens: no more are possible", len(f.Tokens))
		}
		made.ID = "T" + strconv.Itoa(len(f.Tokens)+1)
		text = Prefix + made.ID + "_" + base64.RawURLEncoding.EncodeToString(secret)
		made.Digest = digest(salt, text)
		f.Tokens = append(f.Tokens, made)
		return nil
	})
	return made, text, err
}

// digest returns the digest of a token's text.
func digest(salt []byte, text string) []byte {
	sum := sha256.Sum256(slices.Concat(salt, []byte(text)))
	return sum[:]
}

// Revoke ends a token now.
func (t *Tokens) Revoke(id string) (revoked Token, err error) {
	err = t.change(func(f *file) error {
		i := slices.IndexFunc(f.Tokens, func(k Token) bool { return k.ID == id })
		if i < 0 {
			return fmt.Errorf("%s: %w", id, ErrNone)
		}
		if f.Tokens[i].Revoked.IsZero() {
			f.Tokens[i].Revoked = t.now().UTC().Truncate(time.Second)
		}
		revoked = f.Tokens[i]
		return nil
	})
	return revoked, err
}

// List returns all tokens, the first one first, also those that ended.
func (t *Tokens) List() ([]Token, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.load(); err != nil {
		return nil, err
	}
	return slices.Clone(t.list), nil
}

// Person returns the person of a token's text. The error is ErrInvalid for a text that is no valid token.
func (t *Tokens) Person(_ context.Context, text string) (*role.Person, error) {
	id, _, ok := strings.Cut(strings.TrimPrefix(text, Prefix), "_")
	if !ok || !strings.HasPrefix(text, Prefix) {
		return nil, ErrInvalid
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.load(); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(t.list, func(k Token) bool { return k.ID == id })
	if i < 0 {
		return nil, ErrInvalid
	}
	k := &t.list[i]
	if subtle.ConstantTimeCompare(k.Digest, digest(k.Salt, text)) != 1 || !k.Valid(t.now()) {
		return nil, ErrInvalid
	}
	return &role.Person{Name: k.Name, Roles: slices.Clone(k.Roles)}, nil
}

// load reads the file if it changed. The caller holds the mutex.
func (t *Tokens) load() error {
	info, err := os.Stat(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		t.list, t.read, t.known = nil, nil, true
		return nil
	}
	if err != nil {
		return fmt.Errorf("the tokens: %w", err)
	}
	if t.known && t.read != nil && os.SameFile(info, t.read) && info.ModTime().Equal(t.read.ModTime()) &&
		info.Size() == t.read.Size() {
		return nil
	}
	f, err := t.readFile()
	if err != nil {
		return err
	}
	t.list, t.read, t.known = f.Tokens, info, true
	return nil
}

func (t *Tokens) readFile() (file, error) {
	f := file{Format: 1}
	in, err := os.Open(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("the tokens: %w", err)
	}
	defer func() { _ = in.Close() }() // only read
	if err := json.NewDecoder(io.LimitReader(in, maxFile)).Decode(&f); err != nil {
		return f, fmt.Errorf("the tokens in %s: %w", t.path, err)
	}
	if f.Format != 1 {
		return f, fmt.Errorf("the tokens in %s have format %d; this version of Quire reads format 1", t.path, f.Format)
	}
	return f, nil
}

// change changes the file, which only its owner may read, while no other process does.
func (t *Tokens) change(do func(*file) error) (err error) {
	folder := filepath.Dir(t.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	l, err := t.lock()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	f, err := t.readFile()
	if err != nil {
		return err
	}
	if err := do(&f); err != nil {
		return err
	}
	return disk.WriteSecret(t.path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(f)
	})
}

// lock excludes other processes that change the file, until the result is closed.
func (t *Tokens) lock() (*os.File, error) {
	l, err := os.OpenFile(t.path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for range lockTries {
		if err = filelock.Try(l); !errors.Is(err, filelock.ErrHeld) {
			break
		}
		time.Sleep(lockPause)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the tokens in %s: %w", t.path, err), l.Close())
	}
	return l, nil
}
