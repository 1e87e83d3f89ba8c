package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"quire/internal/archivefs"
	"quire/model"
)

// survey lists the files of a package folder and the files in its METS, before any content is read.
type survey struct {
	dir   string
	pkg   model.Package
	files []sourceFile // sorted by path
	bytes int64
}

// sourceFile is one file of a package folder.
type sourceFile struct {
	path   string // within the package, slash-separated
	size   int64
	mod    time.Time
	use    string // file group
	stated string // SHA-512 that the package states; "" for the METS, which cannot state its own
	found  string // SHA-512 of the bytes that were read
	same   bool   // it is the stored file itself, which is not read
	dir    string // folder of path, if it is not the package folder
}

// newSurvey describes and lists a package folder, and compares the two by name and size. It
// reports faults as a *ContentError, before any content is read or written.
func (s *Store) newSurvey(ctx context.Context, dir string) (*survey, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("package folder: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("package folder: %s is a file; name the folder that contains the mets.xml", dir)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, fmt.Errorf("package folder: %w", err)
	}
	pkg, err := s.describeFolder(dir)
	if err != nil {
		return nil, err
	}
	v := &survey{dir: dir, pkg: pkg}
	var wrong problems
	if err := v.walk(ctx, &wrong); err != nil {
		return nil, fmt.Errorf("package folder: %w", err)
	}
	v.compare(&wrong)
	return v, wrong.err(dir)
}

// describeFolder reads the description of the package.
func (s *Store) describeFolder(dir string) (model.Package, error) {
	pkg, err := s.describe(os.DirFS(dir))
	if errors.Is(err, fs.ErrPermission) {
		return pkg, fmt.Errorf("reading the METS in %s: %w", dir, err)
	}
	var wrong problems
	if err != nil {
		wrong.add("", "its METS cannot be used: %v", err)
		return pkg, wrong.err(dir)
	}
	if pkg.METS == "" {
		pkg.METS = "mets.xml"
	}
	if err := checkID(pkg.ID); err != nil {
		wrong.add(pkg.METS, "%v", err)
	}
	return pkg, wrong.err(dir)
}

// walk lists the files, including hidden files. Only regular files can be stored. The target of a
// link is outside the package. An empty folder cannot be stored in OCFL (1.1 clause 3.3.1), and
// would be lost silently.
func (v *survey) walk(ctx context.Context, wrong *problems) error {
	folded := map[string]string{}
	filled := map[string]bool{".": true}
	var folders []string
	err := filepath.WalkDir(v.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		rel, err := filepath.Rel(v.dir, path)
		if err != nil || rel == "." {
			return err
		}
		name := filepath.ToSlash(rel)
		filled[parent(name)] = true
		if why := unportable(entry.Name()); why != "" {
			wrong.add(fmt.Sprintf("%q", name),
				"the name cannot be kept on every file system: %s; rename it and make the package again", why)
		}
		if other, ok := folded[strings.ToLower(name)]; ok {
			wrong.add(name, "differs from %q only in upper and lower case, which some file systems "+
				"cannot hold", other)
		}
		folded[strings.ToLower(name)] = name
		if entry.IsDir() {
			folders = append(folders, name)
			return nil
		}
		return v.addFile(name, entry, wrong)
	})
	for _, folder := range folders {
		if !filled[folder] {
			wrong.add(folder, "is an empty folder, which OCFL cannot store; remove it")
		}
	}
	return err
}

func (v *survey) addFile(name string, entry fs.DirEntry, wrong *problems) error {
	if !entry.Type().IsRegular() {
		wrong.add(name, "is %s; a package may contain only files and folders", archivefs.KindOf(entry.Type()))
		return nil
	}
	info, err := entry.Info()
	if err != nil {
		return err
	}
	v.files = append(v.files, sourceFile{path: name, size: info.Size(), mod: info.ModTime()})
	v.bytes += info.Size()
	return nil
}

// compare compares the files found with the files that the package lists.
func (v *survey) compare(wrong *problems) {
	stated := make(map[string]model.PackageFile, len(v.pkg.Files))
	for _, f := range v.pkg.Files {
		if _, twice := stated[f.Path]; twice {
			wrong.add(f.Path, "is listed twice in %s", v.pkg.METS)
		}
		stated[f.Path] = f
	}
	for i := range v.files {
		f := &v.files[i]
		says, listed := stated[f.path]
		delete(stated, f.path)
		if f.path == v.pkg.METS {
			continue // a METS cannot state its own digest
		}
		switch {
		case !listed:
			wrong.add(f.path, "is in the folder but not in %s", v.pkg.METS)
		case says.Size != f.size:
			wrong.add(f.path, "has %d bytes; %s says %d", f.size, v.pkg.METS, says.Size)
		case !isSHA512(says.SHA512):
			wrong.add(f.path, "%s states no SHA-512 for it", v.pkg.METS)
		}
		f.stated, f.use = strings.ToLower(says.SHA512), says.Use
	}
	for _, path := range sortedKeys(stated) {
		wrong.add(path, "is missing; %s says it has %d bytes", v.pkg.METS, stated[path].Size)
	}
}

func isSHA512(s string) bool {
	return len(s) == 128 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

func parent(name string) string {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i]
	}
	return "."
}

// windowsNames are reserved on Windows, with any extension.
var windowsNames = map[string]bool{"con": true, "prn": true, "aux": true, "nul": true}

// unportable returns the reason why some file system cannot hold a name, or "".
func unportable(name string) string {
	switch {
	case !utf8.ValidString(name):
		return "it is not UTF-8"
	case len(name) > 240:
		return "it is longer than 240 bytes"
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "it has control characters"
	case strings.ContainsAny(name, `\:*?"<>|`):
		return `it has one of \ : * ? " < > |`
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		return "it ends in a dot or a space"
	}
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	port := len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")) && stem[3] >= '0' &&
		stem[3] <= '9'
	if windowsNames[stem] || port {
		return "Windows reserves it for a device"
	}
	return ""
}
