package jobs

import (
	"bufio"
	"cmp"
	"crypto/md5"  //nolint:gosec // manifests of others have it
	"crypto/sha1" //nolint:gosec // as above
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Completeness says when a delivery is complete: by a marker, by a manifest, or by its age.
type Completeness struct {
	kind   string
	marker string
	age    time.Duration
}

// The kinds, as they are written.
const (
	byMarker   = "marker"
	byManifest = "manifest"
	byAge      = "age"
)

// markerEnd ends the name of a marker beside a delivery.
const markerEnd = ".complete"

func isMarker(name string) bool { return strings.HasSuffix(name, markerEnd) }

// UnmarshalText implements encoding.TextUnmarshaler: marker, marker:NAME, manifest, or age:10m.
func (c *Completeness) UnmarshalText(text []byte) (err error) {
	kind, value, has := strings.Cut(string(text), ":")
	switch {
	case kind == byMarker && has && (value == "" || strings.ContainsAny(value, "/\x00") || value == "..") ||
		kind == byManifest && has:
	case kind == byMarker, kind == byManifest:
		*c = Completeness{kind: kind, marker: value}
		return nil
	case kind == byAge:
		if c.age, err = time.ParseDuration(value); err == nil && c.age > 0 {
			c.kind = kind
			return nil
		}
	}
	return fmt.Errorf("%q is not marker, marker:NAME, manifest or age:DURATION, such as age:10m", text)
}

// of reports whether a delivery is complete. The error says that its manifest does not match, or cannot be read.
func (c *Completeness) of(path string, newest time.Time) (bool, error) {
	switch c.kind {
	case byAge:
		return time.Since(newest) >= c.age, nil
	case byManifest:
		return matchesManifest(path)
	}
	if _, err := os.Lstat(path + markerEnd); c.marker == "" && err == nil {
		return true, nil
	}
	_, err := os.Lstat(filepath.Join(path, c.markerName()))
	return err == nil, nil
}

// markerName is the name of a marker in a delivery.
func (c *Completeness) markerName() string {
	return cmp.Or(c.marker, strings.TrimPrefix(markerEnd, "."))
}

// digests are the algorithms of manifests (BagIt, RFC 8493, 2.4), the strongest first.
var digests = []struct {
	name string
	make func() hash.Hash
}{{"sha512", sha512.New}, {"sha256", sha256.New}, {"sha1", sha1.New}, {"md5", md5.New}}

func manifestName(algorithm string) string { return "manifest-" + algorithm + ".txt" }

// errMismatch reports a file that is not as the manifest says.
var errMismatch = errors.New("is not as the manifest says")

// matchesManifest reports whether each file of the strongest manifest-ALGORITHM.txt is there, with its digest. A
// file that is missing may still come; one with another digest is an error, because no file is written twice.
func matchesManifest(path string) (bool, error) {
	for _, d := range digests {
		file, err := os.Open(filepath.Join(path, manifestName(d.name)))
		if err != nil {
			continue // it may come, or another one
		}
		complete, err := matches(path, file, d.make)
		return complete, errors.Join(err, file.Close())
	}
	return false, nil
}

// matches reads no file before all are there: a delivery that arrives is looked at again and again.
func matches(path string, manifest io.ReadSeeker, algorithm func() hash.Hash) (bool, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = root.Close() }() // only read
	complete, err := eachListed(manifest, func(_, name string) (bool, error) {
		_, err := root.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		return err == nil, err
	})
	if err != nil || !complete {
		return false, err
	}
	if _, err := manifest.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	return eachListed(manifest, func(want, name string) (bool, error) {
		got, err := digestOf(root, name, algorithm())
		if err == nil && !strings.EqualFold(got, want) {
			err = fmt.Errorf("%s %w: its digest is %s, not %s", name, errMismatch, got, want)
		}
		return err == nil, err
	})
}

// eachListed gives each digest and path of a manifest to f, until f returns false. It returns false for an empty
// manifest, too.
func eachListed(manifest io.Reader, f func(digest, name string) (bool, error)) (bool, error) {
	lines := bufio.NewScanner(manifest)
	n := 0
	for ; lines.Scan(); n++ {
		want, name, ok := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		name = strings.TrimPrefix(strings.TrimSpace(name), "*")
		if !ok || name == "" {
			return false, fmt.Errorf("line %d of the manifest has no digest and name", n+1)
		}
		if more, err := f(want, filepath.FromSlash(decoded(name))); err != nil || !more {
			return false, err
		}
	}
	return n > 0 && lines.Err() == nil, lines.Err()
}

// decoded decodes the three characters that a manifest encodes (RFC 8493, 2.1.3).
func decoded(name string) string {
	return strings.NewReplacer("%0A", "\n", "%0a", "\n", "%0D", "\r", "%0d", "\r", "%25", "%").Replace(name)
}

// digestOf returns the digest of a file below a folder. A link out of it is an error.
func digestOf(root *os.Root, name string, sum hash.Hash) (string, error) {
	info, err := root.Stat(name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no file", name)
	}
	f, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // only read
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
