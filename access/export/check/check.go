// Package check verifies exports: bags, WACZ files, packages for DSpace and E-ARK, mirrors and METS
// with references. They may come from Quire or other tools, in a folder, a zip, a tar or a tar.gz.
//
// The report has the form of package reports (quire/preserve/aip), so scripts read both alike.
// Packages as Quire stores them have their own checks, outside this package.
package check

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"quire/format/fault"
	"quire/internal/archivefs"
	"quire/metadata/mets"
	"quire/model"
	"quire/preserve/aip"
)

// Kind is the kind of an export.
type Kind string

// The kinds. Unknown is anything else, perhaps a package as Quire stores it.
const (
	Unknown Kind = ""
	Bag     Kind = "bag"
	WACZ    Kind = "WACZ"
	METS    Kind = "METS package" // of E-ARK, DSpace and others: METS with its files
	Lone    Kind = "METS"         // one document, without its files
	SAF     Kind = "DSpace Simple Archive"
	Mirror  Kind = "mirror"
	WARCs   Kind = "WARC files"
)

// Options of Run. The zero value is ready to use.
type Options struct {
	Start    func(total int64) // called with the number of bytes to read; may be nil
	Progress func(bytes int64) // called with the number of bytes read; may be nil
}

// CodeSource is the code of findings about the folder or archive itself, and about entries that it
// must not have (a link, a path that leads outside, a decompression bomb).
const CodeSource = "EXPORT-SOURCE"

// MaxFindings is the maximum number of findings in a report. Further findings are only counted.
const MaxFindings = 1000

// Recognize identifies the export at a path by its content. It returns an error if the path cannot
// be opened.
func Recognize(at string) (Kind, error) {
	info, err := os.Stat(at)
	switch {
	case err != nil, info.IsDir() && ours(at):
		return Unknown, nil
	case lone(at):
		return Lone, nil
	}
	t, err := archivefs.Open(at)
	if errors.Is(err, archivefs.ErrNotATree) {
		return Unknown, nil
	}
	if err != nil {
		return Unknown, err
	}
	defer func() { _ = t.Close() }() // only read
	_, kind := recognize(t)
	return kind, nil
}

// recognize returns the root of an export in a tree, and the kind of the export. The root is either
// the root of the tree, or the only folder of an archive.
func recognize(t *archivefs.Tree) (root string, kind Kind) {
	for _, root := range roots(t) {
		if kind := kindAt(t, root); kind != Unknown {
			return root, kind
		}
	}
	return ".", Unknown
}

func kindAt(t *archivefs.Tree, root string) Kind {
	has := func(name string) bool { return t.Find(path.Join(root, name)) != nil }
	switch {
	case has("bagit.txt"):
		return Bag
	case has("datapackage.json"):
		return WACZ
	case metsOf(t, root) != "":
		return METS
	case has("names.jsonl") && has("index.html"):
		return Mirror
	}
	warcs := false
	for _, f := range t.Files() {
		if path.Base(f.Path) == "contents" && path.Dir(path.Dir(f.Path)) == root &&
			t.Find(path.Join(path.Dir(f.Path), "dublin_core.xml")) != nil {
			return SAF
		}
		warcs = warcs || path.Dir(f.Path) == root && strings.HasSuffix(f.Path, ".warc.gz")
	}
	if warcs && has("kept-back.json") {
		return WARCs
	}
	return Unknown
}

// metsOf returns the path of the METS of a package; "" if it has none.
func metsOf(t *archivefs.Tree, root string) string {
	for _, name := range []string{"METS.xml", "mets.xml"} {
		if p := path.Join(root, name); t.Find(p) != nil {
			return p
		}
	}
	return ""
}

// ours reports whether a folder is a package or collection as Quire stores it, of any profile and
// version. Such folders have their own checks. If the METS file is damaged or missing, the digest
// file beside it identifies the package.
func ours(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, aip.DigestName)); err == nil {
		return true
	}
	f, err := aip.Open(os.DirFS(dir), aip.METSName)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // only read
	is := false
	_ = mets.Read(bufio.NewReader(f), mets.Handler{Root: func(r mets.Root) error {
		is = strings.HasPrefix(r.Profile, aip.ProfilePrefix)
		return errEnough
	}})
	return is
}

// errEnough ends reading early, once the kind is known.
var errEnough = errors.New("enough")

// lone reports whether a file is a METS document without a package.
func lone(at string) bool {
	f, err := os.Open(at)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // only read
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return false
	}
	first := make([]byte, 1)
	if _, err := f.ReadAt(first, 0); err != nil || first[0] != '<' && first[0] != 0xef {
		return false
	}
	err = mets.Read(f, mets.Handler{Root: func(mets.Root) error { return errEnough }})
	return errors.Is(err, errEnough)
}

// roots returns the possible roots of an export in a tree.
func roots(t *archivefs.Tree) []string {
	all := []string{"."}
	first := ""
	for _, f := range t.Files() {
		top, _, below := strings.Cut(f.Path, "/")
		if !below || first != "" && top != first {
			return all
		}
		first = top
	}
	if first != "" {
		all = append(all, first)
	}
	return all
}

// Run checks the export at a path. Problems of the export are in the report; an error means that
// the check failed to run, or that ctx ended.
func Run(ctx context.Context, at string, kind Kind, o Options) (*aip.Report, error) {
	c := &checking{ctx: ctx, options: o,
		report: &aip.Report{Path: at, Findings: []model.Finding{}, Checks: []aip.Check{}}}
	if kind == Lone {
		if err := c.lone(at); err != nil {
			return nil, err
		}
		return c.end(), nil
	}
	t, err := archivefs.Open(at)
	if err != nil {
		return nil, err
	}
	defer func() { _ = t.Close() }() // only read
	c.tree = t
	c.root, _ = recognize(t)
	c.measure()
	for _, f := range t.Faults() {
		c.fault(CodeSource, f)
	}
	switch kind {
	case Bag:
		err = c.bag(at)
	case WACZ:
		err = c.wacz()
	case METS:
		err = c.mets(metsOf(t, c.root))
	case SAF:
		err = c.saf()
	case Mirror:
		err = c.mirror()
	case WARCs:
		return nil, fmt.Errorf("%s: WARC files: use quire inspect to check them", at)
	default:
		return nil, fmt.Errorf("%s: unknown kind of export: cannot check it", at)
	}
	if err != nil {
		return nil, err
	}
	return c.end(), nil
}

// checking is the state of one check.
type checking struct {
	ctx     context.Context //nolint:containedctx // of one call of Run
	options Options
	tree    *archivefs.Tree
	root    string
	report  *aip.Report
	errors  int64
}

// measure counts the files and their bytes.
func (c *checking) measure() {
	for _, f := range c.tree.Files() {
		c.report.Files++
		c.report.Bytes += f.Size
	}
	if c.options.Start != nil {
		c.options.Start(c.report.Bytes)
	}
}

func (c *checking) end() *aip.Report {
	c.report.Outcome = string(model.Valid)
	if c.errors > 0 {
		c.report.Outcome = string(model.Invalid)
	}
	return c.report
}

// find reports a finding about a file, by its path in the export; "" means the whole export.
func (c *checking) find(severity model.Severity, code, file, format string, args ...any) {
	if severity == model.Error {
		c.errors++
	}
	c.report.FindingsTotal++
	if len(c.report.Findings) < MaxFindings {
		c.report.Findings = append(c.report.Findings,
			model.Finding{Code: code, Severity: severity, Path: file, Message: fmt.Sprintf(format, args...)})
	}
}

func (c *checking) fault(code string, f fault.Fault) { c.find(model.Error, code, "", "%s", f) }

// passed adds a check.
func (c *checking) passed(name string, before int64, format string, args ...any) {
	outcome := aip.Passed
	if c.errors > before {
		outcome = aip.Failed
	}
	c.report.Checks = append(c.report.Checks,
		aip.Check{Name: name, Outcome: outcome, Detail: fmt.Sprintf(format, args...)})
}

// reader reads a file and reports bytes to Progress, until ctx ends.
type reader struct {
	c  *checking
	in io.Reader
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if err := r.c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.in.Read(p)
	if r.c.options.Progress != nil {
		r.c.options.Progress(int64(n))
	}
	return n, err
}

// path converts a path in the export to a path in the tree.
func (c *checking) path(name string) string { return path.Join(c.root, name) }

// inside returns the paths in the export, sorted.
func (c *checking) inside() []string {
	var all []string
	for _, f := range c.tree.Files() {
		if c.root == "." {
			all = append(all, f.Path)
		} else if in, ok := strings.CutPrefix(f.Path, c.root+"/"); ok {
			all = append(all, in)
		}
	}
	slices.Sort(all)
	return all
}
