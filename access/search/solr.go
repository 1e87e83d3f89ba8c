package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"quire/access/search/solr"
	"quire/internal/disk"
)

// SolrPassword is the environment variable with the password for Solr.
const SolrPassword = "QUIRE_SOLR_PASSWORD" //nolint:gosec // a name, not a password

// SolrSettings name a Solr server and its collections.
type SolrSettings struct {
	URL        string `json:"url"`        // of the server: http://solr.example:8983/solr
	Collection string `json:"collection"` // all records, with their rights: only Quire may ask it
	Open       string `json:"open"`       // open records alone, for SolrWayback and others; "" for none
	User       string `json:"user,omitempty"`
	// PasswordFile is the absolute path of a file with the password alone; "" means the environment, as SolrPassword
	PasswordFile string `json:"password_file,omitempty"`
	Files        string `json:"files,omitempty"` // before the paths of containers in the collection of open records
}

var collectionName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$`)

func (s *SolrSettings) check() error {
	u, err := url.Parse(s.URL)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "":
		return fmt.Errorf("search: url %.80q is not the URL of a Solr server: write it as "+
			"http://solr.example:8983/solr, and a user as user: NAME", s.URL)
	case !collectionName.MatchString(s.Collection):
		return fmt.Errorf("search: collection %.80q: name the collection that only Quire asks", s.Collection)
	case s.Open != "" && !collectionName.MatchString(s.Open):
		return fmt.Errorf("search: open %.80q is not the name of a collection", s.Open)
	case s.PasswordFile != "" && (s.User == "" || !filepath.IsAbs(s.PasswordFile)):
		return fmt.Errorf("search: password_file %.80q: name an absolute path, and a user", s.PasswordFile)
	case s.Open == s.Collection:
		return errors.New("search: open and collection are the same collection, and others would find closed " +
			"records in it: name two")
	}
	return nil
}

// maxPassword limits the file with the password, in bytes.
const maxPassword = 4096

// password reads the password. No message has it.
func (s *SolrSettings) password() (string, error) {
	if s.PasswordFile == "" {
		return os.Getenv(SolrPassword), nil
	}
	f, err := os.Open(s.PasswordFile)
	if err != nil {
		return "", fmt.Errorf("search: reading the password for Solr: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	text, err := io.ReadAll(io.LimitReader(f, maxPassword+1))
	if err != nil {
		return "", fmt.Errorf("search: reading the password for Solr: %w", err)
	}
	password := strings.TrimRight(string(text), "\r\n")
	if password == "" || len(text) > maxPassword || strings.ContainsAny(password, "\r\n") {
		return "", fmt.Errorf("search: password_file %s: write one line with the password into it", s.PasswordFile)
	}
	return password, nil
}

// noteName is the file that states in which Solr the texts of a repository are, so that a takedown finds
// them without settings.
const noteName = "solr.json"

// Solr is the index of a repository in two collections of Solr. It is safe for concurrent use.
type Solr struct {
	source
	settings SolrSettings
	own      *solr.Client
	open     *solr.Client // nil for none

	mu       sync.Mutex
	indexing string
	tried    attempt // the last one to read unreadable documents again
	fed      *fed
	lookedAt time.Time // when it was compared with Solr
	views    *solrView // the latest
}

// OpenSolr opens an index in Solr. It does not wait for the server.
func OpenSolr(_ context.Context, dir string, house Holdings, settings SolrSettings, o Options) (*Solr, error) {
	if err := settings.check(); err != nil {
		return nil, err
	}
	password, err := settings.password()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	const patience = time.Minute
	s := &Solr{source: source{dir: dir, house: house, options: o, pictures: true}, settings: settings}
	s.own = solr.New(settings.URL, settings.Collection, settings.User, password)
	s.own.Patience = patience
	if settings.Open != "" {
		s.open = solr.New(settings.URL, settings.Open, settings.User, password)
		s.open.Patience = patience
	}
	return s, nil
}

// Close implements [Engine].
func (s *Solr) Close() error {
	s.own.Close()
	if s.open != nil {
		s.open.Close()
	}
	return nil
}

// note records where the texts are, before the first of them is sent.
func (s *Solr) note() error {
	text, err := json.MarshalIndent(&s.settings, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(s.dir, noteName)
	if was, err := os.ReadFile(path); err == nil && string(was) == string(text) {
		return nil
	}
	return disk.Write(path, func(to io.Writer) error {
		_, err := to.Write(text)
		return err
	})
}

// Noted returns the settings of the Solr that holds texts of a repository; ok is false if none does.
func Noted(dir string) (s SolrSettings, ok bool, err error) {
	text, err := os.ReadFile(filepath.Join(dir, noteName))
	if errors.Is(err, fs.ErrNotExist) {
		return s, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return s, true, fmt.Errorf("reading where Solr has the texts: %w", err)
	}
	return s, true, nil
}

// Run implements [Engine].
func (s *Solr) Run(ctx context.Context, woken <-chan struct{}) { s.run(ctx, woken, s.Update) }

// Behind implements [Engine].
func (s *Solr) Behind(ctx context.Context) (string, error) {
	there, err := s.house.Indexed(ctx)
	if err != nil {
		return "", err
	}
	f, err := s.readFed(ctx)
	if err != nil {
		return "", err
	}
	return behindOf(there, f.states()), nil
}

// Clear implements [Engine].
func (s *Solr) Clear(ctx context.Context) error {
	_, end, err := s.turn(ctx)
	if err != nil {
		return err
	}
	defer end()
	for _, c := range s.both() {
		if err := errors.Join(c.Delete(ctx, solr.Everything), c.Commit(ctx)); err != nil {
			return fmt.Errorf("clearing Solr: %w", err)
		}
	}
	s.forgetFed()
	return nil
}

// both returns the collections, first the one that others ask.
func (s *Solr) both() []*solr.Client {
	if s.open == nil {
		return []*solr.Client{s.own}
	}
	return []*solr.Client{s.open, s.own}
}

// Compact implements [Engine].
func (s *Solr) Compact(ctx context.Context) error {
	if err := s.Update(ctx); err != nil {
		return err
	}
	for _, c := range s.both() {
		if err := c.Erase(ctx); err != nil {
			return fmt.Errorf("erasing texts in Solr: %w", err)
		}
	}
	return nil
}

// Summary implements [Engine].
func (s *Solr) Summary(ctx context.Context) (Summary, error) {
	var answer struct {
		Facets struct {
			Count          int64
			Payloads, URLs int64
			Notes          buckets
		}
	}
	sum := Summary{Notes: []Note{}}
	err := s.own.Select(ctx, map[string]any{"query": ofCaptures, "limit": 0, "facet": map[string]any{
		"payloads": "unique(quire_payload)", "urls": "unique(quire_key)",
		"notes": map[string]any{"type": "terms", "field": "quire_note", "limit": 10,
			"facet": map[string]any{"n": "unique(quire_payload)"}},
	}}, &answer)
	if err != nil {
		return sum, err
	}
	sum.Captures, sum.Documents, sum.URLs = answer.Facets.Count, answer.Facets.Payloads, answer.Facets.URLs
	for _, b := range answer.Facets.Notes.Buckets {
		sum.Notes = append(sum.Notes, Note{Why: strings.TrimSpace(b.value()), Documents: int64(b.N)})
	}
	return sum, nil
}
