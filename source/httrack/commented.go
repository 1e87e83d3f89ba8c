package httrack

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
	"time"

	"quire/internal/archivefs"
)

// maxCommented is the number of pages in the folder of each host that are searched for a comment.
const maxCommented = 5

// commented finds mirrors that have neither cache nor log: the folders around the folders of hosts
// with pages in which HTTrack's comment names that host. A comment about another host is of a mirror
// that the page itself was part of.
func commented(ctx context.Context, t *archivefs.Tree, why map[string][]string) error {
	read := map[string]int{} // pages read, by the folder of the host
	for _, f := range t.Files() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if f.Size == 0 || !rewrites("", f.Path) || below(f.Path, why) {
			continue
		}
		parts := strings.Split(path.Dir(f.Path), "/")
		var hosts []string
		for i := range parts {
			if dir := strings.Join(parts[:i+1], "/"); urlOfPath(parts[i]+"/x") != "" && read[dir] < maxCommented {
				hosts = append(hosts, dir)
			}
		}
		if len(hosts) == 0 {
			continue
		}
		head, err := t.Head(f.Path, maxMark)
		var machine *fs.PathError
		if errors.As(err, &machine) {
			return err
		}
		footer, ok := MirroredFrom(head)
		for _, dir := range hosts {
			read[dir]++
			if ok && err == nil && path.Base(dir) == hostFolder(footer.URL) {
				root := path.Dir(dir)
				why[root] = append(why[root], f.Path+" has HTTrack's comment, and the folder of its host")
				break
			}
		}
	}
	return nil
}

// period is the first and the last time in the comments of a mirror; zero if there is none.
type period struct{ first, last time.Time }

// add adds a time, if known.
func (p *period) add(at time.Time) {
	if at.IsZero() {
		return
	}
	if p.first.IsZero() || at.Before(p.first) {
		p.first = at
	}
	if at.After(p.last) {
		p.last = at
	}
}

// readComments reads the times in the comments of all pages, if no log has the time of the run.
func (w *runFacts) readComments() {
	if !w.launched.IsZero() {
		return
	}
	for _, c := range w.Captures {
		w.commented.add(w.footer(c.File).Time)
	}
}

// below reports whether a file is below a root.
func below(p string, roots map[string][]string) bool {
	for dir := path.Dir(p); ; dir = path.Dir(dir) {
		if len(roots[dir]) > 0 {
			return true
		}
		if dir == "." {
			return false
		}
	}
}
