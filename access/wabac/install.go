package wabac

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"quire/internal/disk"
)

// InstallOptions sets the source of the package.
type InstallOptions struct {
	From   string       // path or URL of the package; "" means npm
	Client *http.Client // nil means http.DefaultClient

	release *Release // for tests
}

// Limits for the package, and for a file in it: three times the sizes of the pinned release.
const (
	maxPackage = 16 << 20
	maxFile    = 8 << 20
)

// Install installs the pinned release into a folder, and creates the folder if needed. It syncs the
// files to disk and is atomic. It rejects any package that differs in a single byte. If the release
// is already installed, it does nothing.
func Install(ctx context.Context, dir string, o InstallOptions) (Release, error) {
	release := &Pinned
	if o.release != nil {
		release = o.release
	}
	if _, err := open(dir, release); err == nil {
		return *release, nil
	}
	content, err := fetch(ctx, release, &o)
	if err != nil {
		return Release{}, err
	}
	if got := digestOf(content); got != release.Package {
		return Release{}, fmt.Errorf("this is not %s %s: its digest is %s, expected %s", release.Name,
			release.Version, got, release.Package)
	}
	files, err := unpack(content, release)
	if err != nil {
		return Release{}, err
	}
	return *release, put(dir, release, files)
}

// fetch reads or downloads the package.
func fetch(ctx context.Context, release *Release, o *InstallOptions) ([]byte, error) {
	from := o.From
	if from == "" {
		from = release.URL
	}
	if !strings.HasPrefix(from, "https://") && !strings.HasPrefix(from, "http://") {
		f, err := os.Open(from)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // only read
		return readAll(f, from)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, err
	}
	client := o.Client
	if client == nil {
		client = http.DefaultClient
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil,
			fmt.Errorf("%w; without internet access, copy the file of that URL here and name it with --from",
				err)
	}
	defer func() { _ = answer.Body.Close() }() // only read
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", from, answer.Status)
	}
	return readAll(answer.Body, from)
}

func readAll(in io.Reader, name string) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(in, maxPackage+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(content) > maxPackage {
		return nil, fmt.Errorf("%s has more than %d bytes: it is not the package", name, maxPackage)
	}
	return content, nil
}

// unpack extracts the files of the release from its package.
func unpack(content []byte, release *Release) (map[string][]byte, error) {
	inflated, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for in := tar.NewReader(inflated); ; {
		head, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		want, wanted := release.files[head.Name]
		if !wanted {
			continue
		}
		file, err := io.ReadAll(io.LimitReader(in, maxFile))
		if err != nil {
			return nil, err
		}
		if hexOf(file) != want {
			return nil, fmt.Errorf("%s in the package differs from the file in %s %s", head.Name, release.Name,
				release.Version)
		}
		files[head.Name] = file
	}
	for _, name := range slices.Sorted(maps.Keys(release.files)) {
		if files[name] == nil {
			return nil, fmt.Errorf("the package lacks %s", name)
		}
	}
	return files, nil
}

// put writes the files to a temporary folder, and renames it last.
func put(dir string, release *Release, files map[string][]byte) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(dir, ".quire-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	about, err := json.MarshalIndent(release, "", "  ")
	if err != nil {
		return err
	}
	files = maps.Clone(files)
	files[aboutName] = append(about, '\n')
	for name, content := range files {
		err := disk.Write(filepath.Join(temp, path.Base(name)), func(w io.Writer) error {
			_, err := w.Write(content)
			return err
		})
		if err != nil {
			return err
		}
	}
	if err := os.Chmod(temp, 0o755); err != nil {
		return err
	}
	place := filepath.Join(dir, folderOf(release))
	if err := os.RemoveAll(place); err != nil { // Open does not accept it
		return err
	}
	if err := os.Rename(temp, place); err != nil {
		return err
	}
	return disk.SyncFolder(dir)
}
