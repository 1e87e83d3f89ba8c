package browsertrix

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"quire/format/wacz"
	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

// Reader finds and reads packages and crawls.
type Reader struct{}

var _ source.Reader = Reader{}

// Name returns "browsertrix", for everything with this layout.
func (Reader) Name() string { return string(model.Browsertrix) }

// Find claims three kinds of folders as harvests. The first has a datapackage.json that lists the
// parts of a WACZ. The second has containers in archive and a list of pages: a crawl of
// Browsertrix, or a package without its datapackage.json. The third has containers and a
// webarchive.yaml or collection.yaml. A package of packages is no harvest; each package in it is
// one, when it is opened.
func (r Reader) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	roots := map[string]string{}
	seen := look(t)
	for _, f := range t.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		dir, name := path.Dir(f.Path), path.Base(f.Path)
		switch {
		case name == wacz.PackageName:
			ok, err := listsPackage(t, f.Path)
			if err != nil {
				return nil, err
			}
			if ok {
				roots[dir] = f.Path + " describes a WACZ"
			}
		case (name == "webarchive.yaml" || name == "collection.yaml") && seen[dir].containers:
			roots[dir] = f.Path + " is beside containers, as in packages before WACZ"
		}
	}
	for dir, s := range seen {
		if why := s.why(); roots[dir] == "" && why != "" && !isCollection(t, path.Join(dir, wacz.PackageName)) {
			roots[dir] = why
		}
	}
	var claims []source.Claim
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		if inner(roots, root) {
			continue
		}
		files := filesOf(t, root, roots)
		claims = append(claims, source.Claim{Reader: r.Name(), Root: root, Why: []string{roots[root]}, Files: files,
			Read: func(ctx context.Context) (source.Harvest, error) { return read(ctx, t, root, files) }})
	}
	return claims, nil
}

// inner reports whether a root is in a data folder of another root. The data folder of a package is
// not a separate package.
func inner(roots map[string]string, root string) bool {
	for dir := root; dir != "."; {
		name := path.Base(dir)
		dir = path.Dir(dir)
		if roots[dir] != "" && folders[name] {
			return true
		}
	}
	return false
}

// folders are the folders of a package and of a crawl.
var folders = map[string]bool{
	"archive": true, "indexes": true, "pages": true, "logs": true, "reports": true, "crawls": true, "crawlIds": true,
	"warc-cdx": true, "downloads": true,
	"profile": true, "raw": true, "warcs": true, "data": true, "fuzzy": true, "text": true, "screenshots": true,
	"wacz": true, "extensions": true,
}

// sight has the kinds of files in a folder, by name.
type sight struct {
	containers, pages, index, states, cdx bool
}

// why returns the reason to identify a folder as a crawl or a package, or "".
func (s *sight) why() string {
	switch {
	case !s.containers:
		return ""
	case s.pages:
		return "there are containers in archive, and a list of pages in pages"
	case s.states:
		return "there are containers in archive, and states of a crawl in crawls"
	case s.cdx:
		return "there are containers in archive, and their indexes in warc-cdx"
	}
	return ""
}

// look collects the kinds of files in each folder.
func look(t *archivefs.Tree) map[string]*sight {
	all := map[string]*sight{}
	for _, f := range t.Files() {
		parent, name := path.Base(path.Dir(f.Path)), path.Base(f.Path)
		root := path.Dir(path.Dir(f.Path))
		if path.Dir(f.Path) == "." || !folders[parent] {
			continue
		}
		if all[root] == nil {
			all[root] = &sight{}
		}
		s := all[root]
		switch parent {
		case "archive", "warcs":
			s.containers = s.containers || wacz.IsContainer(name)
		case "pages":
			s.pages = s.pages || strings.HasSuffix(name, ".jsonl")
		case "indexes":
			s.index = s.index || wacz.IsIndex(name)
		case "crawls":
			s.states = s.states || strings.HasSuffix(name, ".yaml")
		case "warc-cdx":
			s.cdx = s.cdx || wacz.IsIndex(name)
		}
	}
	return all
}

// maxPackageHead is the number of bytes read from a datapackage.json.
const maxPackageHead = 1 << 20

// listsPackage reports whether a datapackage.json belongs to a WACZ. Quire ignores other data
// packages.
func listsPackage(t *archivefs.Tree, p string) (bool, error) {
	head, err := t.Head(p, maxPackageHead)
	if err != nil {
		return false, err
	}
	pack, err := wacz.ReadPackage(bytes.NewReader(head))
	if err != nil { // truncated by the limit, or damaged
		return bytes.Contains(head, []byte(`"wacz_version"`)) || bytes.Contains(head, []byte(`"archive/`)), nil
	}
	if pack.Multi() {
		return false, nil
	}
	if pack.Version != "" || pack.Profile == wacz.ProfileWACZ {
		return true, nil
	}
	return slices.ContainsFunc(pack.Resources, func(r wacz.Resource) bool {
		return wacz.IsContainer(r.Path) || wacz.IsIndex(r.Path)
	}), nil
}

// isCollection reports whether a file describes a package of packages.
func isCollection(t *archivefs.Tree, p string) bool {
	pack, _ := collection(t, p)
	return pack != nil
}

// collection reads the description of a package of packages, or returns nil if the file is
// something else.
func collection(t *archivefs.Tree, p string) (*wacz.Package, error) {
	c, err := t.Open(p)
	if err != nil {
		return nil, err
	}
	pack, err := wacz.ReadPackage(c)
	if err = errors.Join(err, c.Close()); err != nil || !pack.Multi() {
		return nil, err
	}
	return pack, nil
}

// filesOf returns the files of a root. In an archive, these are all files below the root. In a
// folder, these are the files that the package lists, the files in the standard folders, and the
// package's files beside these folders.
func filesOf(t *archivefs.Tree, root string, roots map[string]string) []string {
	listed := map[string]bool{}
	if c, err := t.Open(path.Join(root, wacz.PackageName)); err == nil {
		if pack, err := wacz.ReadPackage(c); err == nil {
			for _, r := range pack.Resources {
				listed[path.Join(root, r.Path)] = true
			}
		}
		_ = c.Close() // opened for reading only
	}
	all := root == "." && t.Kind() != archivefs.Folder && t.Kind() != archivefs.Virtual
	var files []string
	for _, f := range t.Files() {
		rest := within(root, f.Path)
		top, _, deeper := strings.Cut(rest, "/")
		switch {
		case rest == "":
		case listed[f.Path], all && !isOthers(roots, root, f.Path), deeper && folders[top] &&
			!isOthers(roots, root, f.Path), !deeper && isBeside(root, rest):
			files = append(files, f.Path)
		}
	}
	return files
}

// isOthers reports whether a file is in another root further down.
func isOthers(roots map[string]string, root, p string) bool {
	for dir := path.Dir(p); dir != root && dir != "."; dir = path.Dir(dir) {
		if roots[dir] != "" && !inner(roots, dir) {
			return true
		}
	}
	return false
}

// isBeside reports whether a file beside the folders of a package belongs to the package.
func isBeside(root, name string) bool {
	switch name {
	case wacz.PackageName, wacz.DigestName, "webarchive.yaml", "collection.yaml", "metadata.yaml", "index.html",
		"favicon.ico":
		return name != "index.html" && name != "favicon.ico"
	}
	// The package that Browsertrix makes from a crawl repeats the content of the crawl.
	return root != "." && name == path.Base(root)+".wacz" || strings.HasSuffix(name, "_0.warc.gz")
}

// within returns the path below a folder, or "" if the path is elsewhere.
func within(dir, p string) string {
	if dir == "." {
		return p
	}
	rest, ok := strings.CutPrefix(p, dir+"/")
	if !ok {
		return ""
	}
	return rest
}

// Lists reports whether a file describes a package of packages, which are harvests.
func Lists(t *archivefs.Tree, p string) bool {
	return path.Base(p) == wacz.PackageName && isCollection(t, p)
}
