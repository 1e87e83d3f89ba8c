package place

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Place holds files. Names are slash-separated, without empty parts, "." and "..". Its methods may be
// called by several goroutines at once.
type Place interface {
	// URL returns the address of the place, without credentials.
	URL() string
	// List yields the files whose names begin with prefix, sorted by name. The error is the last value.
	List(ctx context.Context, prefix string) iter.Seq2[Entry, error]
	// Stat returns the facts about a file. The error is fs.ErrNotExist if the place does not have it.
	Stat(ctx context.Context, name string) (Entry, error)
	// Open reads a file from an offset in bytes on. A file in a cold class is a [*ColdError].
	Open(ctx context.Context, name string, offset int64) (io.ReadCloser, error)
	// Write writes a new file in one step, durably. The error is fs.ErrExist if the place has the
	// name already: nothing is replaced.
	Write(ctx context.Context, name string, from io.ReaderAt, c Content) error
	// Replace writes a small file in one step, also over an earlier one.
	Replace(ctx context.Context, name string, text []byte) error
	// Rename gives a file a new name, which must be free.
	Rename(ctx context.Context, from, to string) error
	// Remove removes a file. A missing file is no error.
	Remove(ctx context.Context, name string) error
	// Erase removes the files whose names begin with prefix, with their earlier versions and unfinished
	// uploads: those for which only returns true, or all if it is nil. A file under an object lock is
	// an error.
	Erase(ctx context.Context, prefix string, only func(name string) bool) error
	// Probe writes, reads and removes a small file, and returns the traits of the place.
	Probe(ctx context.Context) (Traits, error)
}

// Entry is a file in a place.
type Entry struct {
	Name string
	Size int64 // bytes
	// Modified is when the file was written, and Tag is a text that changes with its content: the ETag of S3, or "".
	Modified time.Time
	Tag      string
	// Cold says that the file cannot be read before it is restored. List and Stat know it.
	Cold bool
	// Restoring says that a restore is under way. Only Stat knows it.
	Restoring bool
	// Checksum is the checksum that the place computed when the file was written, or "". Only Stat
	// knows it. See [Content.Matches].
	Checksum string
	// SHA512 is the digest that Write recorded beside the file, or "". Only Stat knows it.
	SHA512 string
}

// Traits are the abilities of a place.
type Traits struct {
	// Exclusive says that the place itself refuses to replace a file. Otherwise, only the locks of the
	// repository protect a file from two writers at once.
	Exclusive bool
	// Checks says that the place refuses a file with a wrong SHA-256.
	Checks bool
	// Storage is the storage class of large files; "" is the usual one.
	Storage string
	// Retention is the retention of new files, as "governance 365 days"; "" is none.
	Retention string
}

// String describes the traits.
func (t Traits) String() string {
	parts := []string{"it refuses to replace a file"}
	if !t.Exclusive {
		parts[0] = "it does not refuse to replace a file, so only the locks of the repository protect files"
	}
	if t.Checks {
		parts = append(parts, "it checks the SHA-256 of each upload")
	} else {
		parts = append(parts, "it does not check uploads, so each file is read back")
	}
	if t.Storage != "" {
		parts = append(parts, "storage class "+t.Storage)
	}
	if t.Retention != "" {
		parts = append(parts, "retention "+t.Retention)
	}
	return strings.Join(parts, "; ")
}

// ColdError reports a file that cannot be read now, because of its storage class.
type ColdError struct {
	Name  string
	Class string
	Asked bool // whether a restore was requested, now or before
}

// Error says whether a restore was requested, and the next step.
func (e *ColdError) Error() string {
	if e.Asked {
		return fmt.Sprintf("%s is in storage class %s: restore requested; try again when it is done, after hours",
			e.Name, e.Class)
	}
	return fmt.Sprintf("%s is in storage class %s, and its restore was not requested", e.Name, e.Class)
}

// keepCold is the key of a context that requests no restore.
type keepCold struct{}

// KeepCold returns a context with which Open requests no restore of a cold file. An audit uses it: a
// restore costs money.
func KeepCold(ctx context.Context) context.Context { return context.WithValue(ctx, keepCold{}, true) }

// ErrSettings reports settings of places that cannot be used.
var ErrSettings = errors.New("settings of places")

// IsURL reports whether the place of a copy is an address and not the path of a folder.
func IsURL(s string) bool { return strings.HasPrefix(s, s3Scheme) || strings.HasPrefix(s, fileScheme) }

const (
	s3Scheme   = "s3://"
	fileScheme = "file://"
)

// Clean returns an address in its usual form, for comparison.
func Clean(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("the address of a place cannot be read, and is not shown, because it may hold a secret: "+
			"%w", withoutURL(err))
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("place %s: give credentials and settings in the environment or in a file, never in the "+
			"address", shown(u))
	}
	switch {
	case u.Scheme == "file" && u.Host == "" && filepath.IsAbs(filepath.FromSlash(u.Path)):
		return fileScheme + path.Clean(u.Path), nil
	case u.Scheme == "s3" && u.Host != "" && !strings.Contains(u.Host, ":"):
		return s3Scheme + u.Host + strings.TrimSuffix(path.Clean("/"+u.Path), "/"), nil
	}
	return "", fmt.Errorf("place %s: use s3://BUCKET/PREFIX or file:///FOLDER", shown(u))
}

// shown returns an address for a message, without credentials. A secret key with a slash ends in the path.
func shown(u *url.URL) string {
	if u.User != nil || strings.Contains(u.Host+u.Path, "@") {
		return u.Scheme + "://…"
	}
	return u.Scheme + "://" + u.Host + u.EscapedPath()
}

// withoutURL returns the cause of an error of [url.Parse], which repeats the text. Errors of parts repeat them, so
// only the kind of error stays.
func withoutURL(err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		text, _, _ := strings.Cut(e.Err.Error(), "\"")
		return errors.New(strings.TrimSpace(text))
	}
	return err
}

// Open opens the place at an address, with the settings of the environment. It does not use the
// network.
func Open(address string) (Place, error) {
	address, err := Clean(address)
	if err != nil {
		return nil, err
	}
	if folder, ok := strings.CutPrefix(address, fileScheme); ok {
		return &Folder{Path: filepath.FromSlash(folder)}, nil
	}
	bucket, prefix, _ := strings.Cut(strings.TrimPrefix(address, s3Scheme), "/")
	settings, err := settingsOf(bucket)
	if err != nil {
		return nil, err
	}
	return NewS3(bucket, prefix, settings)
}

// checkName refuses names that are not clean, or could lead out of the place.
func checkName(name string) error {
	if name == "" || path.Clean("/"+name) != "/"+name || strings.ContainsRune(name, 0) {
		return fmt.Errorf("%q is not the name of a file in a place", name)
	}
	return nil
}
