package httrack

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

// Loose finds renamed logs and caches of HTTrack without a mirror. It must run after the other
// readers.
type Loose struct{}

var _ source.Reader = Loose{}

// Name returns the name of the system.
func (Loose) Name() string { return string(model.HTTrack) }

// Find claims the logs of one folder as one mirror, if it has at most one of each kind; otherwise
// each is a separate mirror.
func (r Loose) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	byFolder := map[string][]loose{}
	for _, f := range t.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		as, err := looseKind(t, f.Path)
		if err != nil {
			return nil, err
		}
		if as != "" {
			byFolder[path.Dir(f.Path)] = append(byFolder[path.Dir(f.Path)], loose{f.Path, as})
		}
	}
	var claims []source.Claim
	for _, dir := range slices.Sorted(maps.Keys(byFolder)) {
		files := byFolder[dir]
		if oneOfEach(files) {
			claims = append(claims, r.claim(t, dir, files))
			continue
		}
		for i := range files {
			claims = append(claims, r.claim(t, dir, files[i:i+1]))
		}
	}
	return claims, nil
}

// loose is a renamed file.
type loose struct {
	path string
	as   string // original name in the mirror
}

func oneOfEach(files []loose) bool {
	seen := map[string]bool{}
	for _, f := range files {
		if seen[f.as] {
			return false
		}
		seen[f.as] = true
	}
	return true
}

func (r Loose) claim(t *archivefs.Tree, dir string, files []loose) source.Claim {
	c := source.Claim{Reader: r.Name(), Root: dir}
	names := map[string]string{}
	for _, f := range files {
		names[f.as] = f.path
		c.Files = append(c.Files, f.path)
		c.Why = append(c.Why, f.path+" is what HTTrack calls "+f.as)
	}
	c.Read = func(ctx context.Context) (source.Harvest, error) {
		h, err := readNamed(ctx, t, dir, c.Files, names)
		if err == nil {
			h.about.ID = path.Base(files[0].path)
		}
		return h, err
	}
	return c
}

// request matches the start of the headers. In HTTrack 3.2 and newer, they begin with "request
// for"; in HTTrack 3.0, they begin with "Out:".
var request = regexp.MustCompile(`^(\[\d+\] )?request for [^\n]+:\r?\n<<< [A-Z]+ |^Out:\r?\n[A-Z]+ \S+ HTTP/1`)

// looseKind returns HTTrack's name for a file, by its beginning, or "" for other files.
func looseKind(t *archivefs.Tree, p string) (string, error) {
	head, err := t.Head(p, 4<<10)
	var machine *fs.PathError
	if errors.As(err, &machine) {
		return "", err
	}
	switch {
	case err != nil:
	case bytes.HasPrefix(head, []byte("HTTrack")) && bytes.Contains(head, []byte(" launched on ")):
		return "hts-log.txt", nil
	case bytes.HasPrefix(head, []byte("date\tsize'/'remotesize")):
		return "hts-cache/new.txt", nil
	case request.Match(head):
		return "hts-ioinfo.txt", nil
	case IsCache(head):
		return "hts-cache/new.zip", nil
	}
	return "", nil //nolint:nilerr // what is damaged in an archive is nothing that could be known
}

// IsCache reports whether a file with this beginning is a cache of HTTrack: a zip with URLs as
// entry names. It is not an archive of files.
func IsCache(head []byte) bool {
	const fixed = 30 // the local header, up to the name
	if len(head) < fixed || !bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return false
	}
	name := head[fixed:min(len(head), fixed+int(binary.LittleEndian.Uint16(head[26:])))]
	for _, scheme := range []string{"http://", "https://", "ftp://"} {
		if bytes.HasPrefix(name, []byte(scheme)) {
			return true
		}
	}
	return false
}
