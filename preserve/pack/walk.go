package pack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"quire/internal/atomicdir"
	"quire/preserve/aip"
)

// walk walks through one source folder.
type walk struct {
	root  string // as named, or its target if it is a symbolic link
	whole string // its resolved path
	work  string // the folder in which the package is made
	found *survey
	last  string // the current folder, while it has no entries
}

func newWalk(source, work string) (*walk, error) {
	whole, err := resolve(source)
	if err != nil {
		return nil, err
	}
	w := &walk{root: source, whole: whole, work: work}
	if info, err := os.Lstat(source); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		w.root = whole // WalkDir follows no links, but this one was named explicitly
	}
	return w, nil
}

// visit is called for each entry.
func (w *walk) visit(p string, d fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	w.pass(p)
	if d.IsDir() {
		return w.enter(p, d)
	}
	info, err := d.Info()
	if err != nil {
		return err
	}
	name, err := filepath.Rel(w.root, p)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 && w.leadsInside(p) {
		target, err := os.Readlink(p)
		w.found.left.add(fmt.Sprintf("symbolic link %s to %s, within the source: what it stands for is there under "+
			"its own name", name, target))
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 && isDangling(p) {
		target, err := os.Readlink(p)
		w.found.left.add(fmt.Sprintf("symbolic link %s to %s, which is missing: a folder that was moved keeps "+
			"such links", name, target))
		return err
	}
	return regular(p, info)
}

// isDangling reports whether the target of a symbolic link is missing, so that nothing can be packed
// in its place. A link in a job of Heritrix that was moved ("latest") can have the path of the
// machine of the crawl.
func isDangling(p string) bool {
	_, err := os.Stat(p)
	return errors.Is(err, fs.ErrNotExist)
}

// enter begins a folder. The folder of an unfinished package is not part of a crawl.
func (w *walk) enter(p string, d fs.DirEntry) error {
	if strings.HasPrefix(d.Name(), atomicdir.Prefix) {
		if here, err := resolve(p); err == nil && w.isWork(here) {
			return fs.SkipDir
		}
		return fmt.Errorf("%s belongs to an interrupted or running call of quire: remove it, or wait", p)
	}
	if isPackage(p) {
		return fmt.Errorf("%s is a package already: move it out of the source; to pack its content anew, name its "+
			"folders %s and %s",
			p, filepath.Join(p, aip.ContainersDir), filepath.Join(p, aip.LogsDir))
	}
	w.last = p
	return nil
}

// isPackage reports whether a folder is a Quire package. Within another package, all its containers
// would be described twice.
func isPackage(dir string) bool {
	for _, name := range []string{aip.METSName, aip.DigestName} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

func (w *walk) isWork(here string) bool {
	work, err := resolve(w.work)
	return err == nil && here == work
}

// pass records that the current folder is empty, if the next entry is not in it.
func (w *walk) pass(next string) {
	if w.last != "" && w.last != w.root && !strings.HasPrefix(next, w.last+string(filepath.Separator)) {
		if name, err := filepath.Rel(w.root, w.last); err == nil {
			w.found.left.add("empty folder " + name)
		}
	}
	w.last = ""
}

// leadsInside reports whether the target of a symbolic link is within the source. Crawlers make
// such links. For example, the link "latest" of Heritrix leads to the folder of the newest launch.
func (w *walk) leadsInside(p string) bool {
	target, err := resolve(p)
	return err == nil && isWithin(target, w.whole)
}

// omissions lists the files of a source that are not packed.
type omissions struct {
	said []string
	more int64
}

// maxOmissions bounds the number of listed files.
const maxOmissions = 1000

func (o *omissions) add(what string) {
	if len(o.said) >= maxOmissions {
		o.more++
		return
	}
	o.said = append(o.said, "not packed: "+what)
}

// notes lists them.
func (o *omissions) notes() []string {
	if o.more == 0 {
		return o.said
	}
	return append(o.said, fmt.Sprintf("not packed: %d more of these", o.more))
}
