package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quire/internal/postgres"
	remote "quire/repository/place"
)

// CopyPlace is the location of a copy.
type CopyPlace struct {
	Name string `json:"name"`
	Path string `json:"path"` // in the repository file: relative for copies below the repository
}

// absolute returns the absolute folder of the copy, or its address.
func (p CopyPlace) absolute(root string) string {
	if remote.IsURL(p.Path) {
		return p.Path
	}
	path := filepath.FromSlash(p.Path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(root, path)
}

// repositoryConfig is the content of quire-repository.json.
type repositoryConfig struct {
	Format     int         `json:"format"` // 1; 2 with a Catalogue, which earlier programs do not know
	Repository string      `json:"repository"`
	Created    time.Time   `json:"created"`
	Copies     []CopyPlace `json:"copies"`
	// Retired has the copies that were taken out of use. Their names are never used again.
	Retired []RetiredCopy `json:"retired,omitempty"`
	Permissions
	Rules
	// Anchors keep checkpoints of the register elsewhere: see [Store.SetAnchors]. No copy has them.
	Anchors []string `json:"anchors,omitempty"`
	// Catalogue is the address of the database with the catalogue; "" is a file. No copy has it.
	Catalogue string `json:"catalogue,omitempty"`

	mended []Recovery // files that a rebuild wrote again
}

// Is reports whether a folder is a repository.
func Is(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, repositoryFile))
	return err == nil && info.Mode().IsRegular()
}

// maxConfig bounds quire-repository.json, in bytes.
const maxConfig = 16 << 20

// readConfig reads quire-repository.json.
func readConfig(repo string) (repositoryConfig, error) {
	path := filepath.Join(repo, repositoryFile)
	text, err := readSmall(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return repositoryConfig{}, fmt.Errorf("%s: %w; create one: quire init %s", repo, ErrNotRepository, repo)
	}
	if err != nil {
		return repositoryConfig{}, fmt.Errorf("reading the repository: %w", err)
	}
	config, err := parseConfig(text)
	if errors.Is(err, errNewer) {
		return repositoryConfig{}, fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		return repositoryConfig{}, fmt.Errorf("%s: %w: %w; make it again from the copies: quire init rebuild %s", path,
			errGarbled, err, repo)
	}
	return config, nil
}

// errGarbled reports a small file of the repository that cannot be used.
var errGarbled = errors.New("the file is damaged")

// errNewer reports a file that a later version of this program wrote. It is never replaced.
var errNewer = errors.New("unknown to this program: use a newer quire")

// newestFormat is the newest form of quire-repository.json that this program reads.
const newestFormat = 2

// parseConfig checks the values that become paths and names.
func parseConfig(text []byte) (repositoryConfig, error) {
	var config repositoryConfig
	if err := json.Unmarshal(text, &config); err != nil {
		return config, err
	}
	if config.Format > newestFormat {
		return config, fmt.Errorf("format %d is %w", config.Format, errNewer)
	}
	if config.Format < 1 {
		return config, errors.New("it states no format")
	}
	if !isToken(config.Repository) {
		return config, fmt.Errorf("repository id %q is not a UUID", config.Repository)
	}
	if len(config.Copies) == 0 {
		return config, errors.New("the file lists no copies")
	}
	if config.Catalogue != "" {
		// Files that the address names may be missing on this machine: that does not damage the settings.
		if err := postgres.CheckForm(config.Catalogue); err != nil {
			return config, err
		}
	}
	names := map[string]bool{}
	for _, c := range config.Copies {
		if !validName(c.Name) || names[c.Name] || c.Path == "" || strings.ContainsRune(c.Path, 0) {
			return config, fmt.Errorf("copy %q at %q: the name or path is invalid", c.Name, c.Path)
		}
		names[c.Name] = true
	}
	return config, nil
}

func (d *disk) writeConfig(repo string, config repositoryConfig) error {
	config.Format = 1
	if config.Catalogue != "" {
		config.Format = newestFormat
	}
	text, err := json.MarshalIndent(config, "", "  ")
	if err != nil {
		return err
	}
	return d.replaceFile(filepath.Join(repo, repositoryFile), append(text, '\n'), workingFile)
}
