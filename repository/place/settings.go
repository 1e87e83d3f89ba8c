package place

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"time"

	"quire/internal/yamlfile"
)

// Settings are the settings of a bucket. They come from the environment and from a file, never from
// the repository.
type Settings struct {
	Endpoint  string // URL of the service; default: https://s3.amazonaws.com
	Region    string // default: asked from the service
	AccessKey string // "" is anonymous
	SecretKey string
	Token     string // of a session
	// PathStyle puts the bucket into the path, not into the host name. Default: for services other than
	// Amazon's.
	PathStyle bool
	// StorageClass is the class of content files of at least [ColdFrom] bytes; "" is that of the bucket.
	StorageClass string
	RestoreDays  int    // how long a restored file can be read; default 3
	RestoreTier  string // Standard, Bulk or Expedited; default Standard
	// Retention is the mode of the object lock of new files: GOVERNANCE or COMPLIANCE; "" is none.
	Retention     string
	RetentionDays int
	LegalHold     bool
}

// ColdFrom is the size in bytes from which a content file gets the storage class of the settings. Cold
// classes bill small files at a larger size.
const ColdFrom = 128 << 10

// Variables of the environment. The AWS_ variables are those of Amazon's tools.
const (
	envFile     = "QUIRE_PLACES"
	envEndpoint = "QUIRE_S3_ENDPOINT"
)

// settingsOf returns the settings of a bucket: those of the file that QUIRE_PLACES names, and for the
// rest those of the environment.
func settingsOf(bucket string) (Settings, error) {
	s := Settings{Endpoint: os.Getenv(envEndpoint), Region: os.Getenv("AWS_REGION"),
		AccessKey: os.Getenv("AWS_ACCESS_KEY_ID"), SecretKey: os.Getenv("AWS_SECRET_ACCESS_KEY"),
		Token: os.Getenv("AWS_SESSION_TOKEN")}
	file := os.Getenv(envFile)
	if file == "" {
		return s, s.complete()
	}
	if err := s.readFile(file, bucket); err != nil {
		return s, fmt.Errorf("%w: %s: %w", ErrSettings, file, err)
	}
	return s, s.complete()
}

// readFile reads the settings of a bucket from a file, if it has any.
func (s *Settings) readFile(file, bucket string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("other accounts can read it (mode %04o): chmod 600 %s", info.Mode().Perm(), file)
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	root, err := yamlfile.Read(f, "the settings of places")
	if err != nil {
		return err
	}
	root.Fields(map[string]func(*yamlfile.Node){"buckets": func(n *yamlfile.Node) {
		n.Each(func(name string, n *yamlfile.Node) {
			into := &Settings{}
			if name == bucket {
				into = s
			}
			into.read(n)
		})
	}})
	return root.Err()
}

func (s *Settings) read(n *yamlfile.Node) {
	text := func(to *string) func(*yamlfile.Node) { return func(n *yamlfile.Node) { *to = n.Text() } }
	count := func(to *int) func(*yamlfile.Node) { return func(n *yamlfile.Node) { *to = int(n.Number()) } }
	n.Fields(map[string]func(*yamlfile.Node){
		"endpoint": text(&s.Endpoint), "region": text(&s.Region), "access-key": text(&s.AccessKey),
		"secret-key": text(&s.SecretKey), "token": text(&s.Token),
		"path-style":    func(n *yamlfile.Node) { s.PathStyle = n.Bool() },
		"storage-class": text(&s.StorageClass), "restore-days": count(&s.RestoreDays),
		"restore-tier":   func(n *yamlfile.Node) { s.RestoreTier = n.OneOf("Standard", "Bulk", "Expedited") },
		"retention":      func(n *yamlfile.Node) { s.Retention = strings.ToUpper(n.OneOf("governance", "compliance")) },
		"retention-days": count(&s.RetentionDays),
		"legal-hold":     func(n *yamlfile.Node) { s.LegalHold = n.Bool() },
	})
}

// complete sets the defaults, and checks the values.
func (s *Settings) complete() error {
	if s.Endpoint == "" {
		s.Endpoint = "https://s3.amazonaws.com"
	}
	u, err := url.Parse(s.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || strings.Trim(u.Path, "/") != "" ||
		u.User != nil || u.RawQuery != "" {
		return fmt.Errorf("%w: the endpoint is not the URL of a service, such as https://s3.example.org; it is not "+
			"shown, because it may hold a secret", ErrSettings)
	}
	s.PathStyle = s.PathStyle || !strings.HasSuffix(u.Hostname(), ".amazonaws.com")
	if s.RestoreDays == 0 {
		s.RestoreDays = 3
	}
	if s.RestoreTier == "" {
		s.RestoreTier = "Standard"
	}
	switch {
	case (s.AccessKey == "") != (s.SecretKey == ""):
		return fmt.Errorf("%w: an access key needs a secret key", ErrSettings)
	case s.RestoreDays < 0 || s.RetentionDays < 0:
		return fmt.Errorf("%w: a number of days is negative", ErrSettings)
	case (s.Retention == "") != (s.RetentionDays == 0):
		return fmt.Errorf("%w: retention and retention-days belong together", ErrSettings)
	}
	return nil
}

// traits adds the traits that follow from the settings.
func (s *Settings) traits(t Traits) Traits {
	t.Storage = s.StorageClass
	if s.Retention != "" {
		t.Retention = fmt.Sprintf("%s %d days", strings.ToLower(s.Retention), s.RetentionDays)
	}
	if s.LegalHold {
		t.Retention = strings.TrimPrefix(t.Retention+", legal hold", ", ")
	}
	return t
}

// until returns the end of the retention of a file that is written now.
func (s *Settings) until() time.Time { return time.Now().UTC().AddDate(0, 0, s.RetentionDays) }

// notThere reports whether an error means that a file does not exist.
func notThere(err error) bool { return errors.Is(err, fs.ErrNotExist) }
