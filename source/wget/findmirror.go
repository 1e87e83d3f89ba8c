package wget

import (
	"bytes"
	"context"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"quire/internal/archivefs"
)

// foundMirror is a mirror as found.
type foundMirror struct {
	root  string          // folder with the folders of hosts, or with the files themselves (-nd)
	logs  []foundLog      // sorted by name
	tops  map[string]bool // folders in root that belong to it
	flat  map[string]bool // files in root itself named in the logs
	saved map[string]bool // files that the logs list as saved
	why   []string
	files []string

	rejected []string // files of --rejected-log beside a log
}

// foundLog is a log, with the number of additional folders in its names.
type foundLog struct {
	path  string
	strip int
}

// likeLog matches the names of possible logs; the content decides.
var likeLog = regexp.MustCompile(`(?i)wget|log|^nohup|\.(out|err|txt|csv|tsv)$`)

// findMirrors finds mirrors by their logs, and then by their files.
func findMirrors(ctx context.Context, t *archivefs.Tree, sets []*foundSet) ([]*foundMirror, error) {
	found := map[string]*foundMirror{}
	s := &search{tree: t, found: found, folders: map[string][]string{}, sets: map[string]*foundSet{}}
	for _, set := range sets {
		for _, p := range set.files() {
			s.sets[path.Base(p)] = set
		}
	}
	var rejected []string
	for _, f := range t.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if f.Size == 0 || !likeLog.MatchString(path.Base(f.Path)) || containerName.MatchString(path.Base(f.Path)) {
			continue
		}
		head, err := t.Head(f.Path, headSize)
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(head, []byte(rejectedHead)) {
			rejected = append(rejected, f.Path)
		}
		if !isLog(head) {
			continue
		}
		if err := s.addLogged(f.Path); err != nil {
			return nil, err
		}
	}
	removeContent(found)
	sets = slices.DeleteFunc(slices.Clone(sets), func(set *foundSet) bool { return isContent(set, found) })
	if err := addUnlogged(ctx, t, found); err != nil {
		return nil, err
	}
	for _, m := range found {
		m.saved = nil // not needed again, and large
	}
	var mirrors []*foundMirror
	for _, root := range slices.Sorted(maps.Keys(found)) {
		m := found[root]
		for _, p := range rejected {
			if slices.ContainsFunc(m.logs, func(l foundLog) bool { return path.Dir(l.path) == path.Dir(p) }) {
				m.rejected = append(m.rejected, p)
			}
		}
		m.files = m.owned(t, found, sets)
		mirrors = append(mirrors, m)
	}
	return mirrors, nil
}

// maxNames bounds the names of a log to look for.
const maxNames = 200

// addLogged finds the mirror of a log.
func (s *search) addLogged(p string) error {
	t, found := s.tree, s.found
	var names []string
	of := map[*foundSet]bool{} // the sets of which the log names containers
	l := loggedRun{place: place{Path: p}}
	err := l.read(t, &logReader{journal: &l.journal, attempt: func(a *attempt) bool {
		if (a.Saved || a.Kept) && a.Named != "" {
			names = append(names, a.Named)
		}
		return len(names) < maxNames
	}, kept: func(n []string) {
		for _, name := range n { // "Opening WARC file ‘crawl.warc.gz’."
			if set := s.sets[path.Base(name)]; set != nil {
				of[set] = true
			} else {
				names = append(names, name)
			}
		}
	}})
	if err != nil {
		return err
	}
	if len(of) == 1 {
		for set := range of {
			set.addLog(t, p)
			if set.command.on("deleteafter") { // its files are no mirror
				return set.addLeftovers(t, l)
			}
		}
	}
	root, strip, hits := rootOf(t, path.Dir(p), s.below(path.Dir(p)), names)
	if hits == 0 {
		return nil
	}
	m := found[root]
	if m == nil {
		m = &foundMirror{root: root, tops: map[string]bool{}, flat: map[string]bool{}, saved: map[string]bool{}}
		found[root] = m
	}
	m.logs = append(m.logs, foundLog{p, strip})
	m.why = append(m.why, p+" is a log of Wget, and names files that are here")
	return s.addNamed(m, l, strip)
}

// addNamed adds the folders and files that a log names.
func (s *search) addNamed(m *foundMirror, l loggedRun, strip int) error {
	t := s.tree
	add := func(name string) {
		file := findNamed(t, m.root, name, strip)
		if file == "" {
			return
		}
		if top, _, deeper := strings.Cut(within(m.root, file), "/"); deeper {
			m.tops[top] = true
		} else {
			m.flat[file] = true
		}
	}
	return l.read(t, &logReader{journal: &journal{}, attempt: func(a *attempt) bool {
		if a.Saved || a.Kept {
			add(a.Named)
			m.saved[findNamed(t, m.root, a.Named, strip)] = true
		}
		return true
	}, kept: func(names []string) {
		for _, n := range names {
			if s.sets[path.Base(n)] == nil {
				add(n)
			}
		}
	}})
}

// rootOf finds the folder that the names in a log refer to: the start folder of Wget, or a later
// place of its results.
func rootOf(t *archivefs.Tree, dir string, beside, names []string) (root string, strip, hits int) {
	bases := []string{dir}
	for d := dir; d != "."; bases = append(bases, d) {
		d = path.Dir(d)
	}
	bases = append(bases, beside...)
	for less := range maxStrip {
		for _, b := range bases {
			n := 0
			for _, name := range names {
				p := findNamed(t, b, name, less)
				if p != "" && (less == 0 || strings.Contains(within(b, p), "/")) {
					n++
				}
			}
			if n > hits {
				root, strip, hits = b, less, n
			}
		}
	}
	return root, strip, hits
}

// maxStrip bounds the outer folders that the mirror may have lost.
const maxStrip = 8

// search is the state of the search for mirrors.
type search struct {
	tree    *archivefs.Tree
	found   map[string]*foundMirror
	folders map[string][]string  // subfolders by folder
	sets    map[string]*foundSet // sets by the names of their files, without folders
}

// below returns some of the folders in a folder.
func (s *search) below(dir string) []string {
	if all, known := s.folders[dir]; known {
		return all
	}
	var all []string
	for _, f := range s.tree.Files() {
		rest := within(dir, f.Path)
		if rest == "" {
			continue
		}
		top, _, deeper := strings.Cut(rest, "/")
		if d := path.Join(dir, top); deeper && (len(all) == 0 || all[len(all)-1] != d) {
			all = append(all, d)
		}
		if len(all) == maxNames {
			break
		}
	}
	s.folders[dir] = all
	return all
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

// findNamed finds the file that a log names, without the outer folders that the mirror has lost.
func findNamed(t *archivefs.Tree, root, name string, strip int) string {
	for _, n := range spellings(name) {
		parts := strings.Split(strings.TrimLeft(path.Clean(n), "/"), "/")
		if len(parts) <= strip {
			continue
		}
		if f := t.Find(path.Join(root, path.Join(parts[strip:]...))); f != nil {
			return f.Path
		}
	}
	return ""
}

// owned returns the files of a mirror: its logs, the files in its folders that belong to no other
// mirror or set, and other files named in the logs.
func (m *foundMirror) owned(t *archivefs.Tree, all map[string]*foundMirror, sets []*foundSet) []string {
	mine := map[string]bool{}
	for _, l := range m.logs {
		mine[l.path] = true
	}
	for _, p := range m.rejected {
		mine[p] = true
	}
	others := map[string]bool{}
	for _, s := range sets {
		for _, p := range s.files() {
			others[p] = true
		}
	}
	for _, o := range all {
		for _, l := range o.logs {
			others[l.path] = true
		}
	}
	var files []string
	for _, f := range t.Files() {
		rest := within(m.root, f.Path)
		if rest == "" {
			if mine[f.Path] {
				files = append(files, f.Path)
			}
			continue
		}
		top, _, deeper := strings.Cut(rest, "/")
		switch {
		case mine[f.Path]:
		case others[f.Path] || deeper && !m.tops[top] || !deeper && !m.flat[f.Path] && !m.flat[isBackup(t, f.Path)] &&
			!besides(rest):
			continue
		case deeper && nearer(all, m.root, f.Path):
			continue
		}
		files = append(files, f.Path)
	}
	return files
}

// isContent reports whether the containers of a set are content of a mirror: they lie in the folder of
// a host, or the log names them as saved from the web.
func isContent(set *foundSet, found map[string]*foundMirror) bool {
	return !slices.ContainsFunc(set.containers, func(p string) bool {
		for _, m := range found {
			rest := within(m.root, p)
			top, _, deeper := strings.Cut(rest, "/")
			if m.saved[p] || deeper && m.tops[top] && (hostName.MatchString(top) || isProtocol(top)) {
				return false
			}
		}
		return true
	})
}

// removeContent removes the mirrors whose logs are content of another mirror: a website offered the
// logs for download.
func removeContent(found map[string]*foundMirror) {
	for root, m := range found {
		if !slices.ContainsFunc(m.logs, func(l foundLog) bool { return !isSaved(l.path, m, found) }) {
			delete(found, root)
		}
	}
}

// isSaved reports whether another mirror lists a file as saved.
func isSaved(p string, except *foundMirror, found map[string]*foundMirror) bool {
	for _, m := range found {
		if m != except && m.saved[p] {
			return true
		}
	}
	return false
}

// besides reports whether Wget itself wrote a file that is beside the folders of hosts.
func besides(name string) bool {
	return strings.HasPrefix(name, "wget-log") || name == "robots.txt" || name == "cookies.txt" || name == ".listing"
}

// nearer reports whether another mirror is closer above a file.
func nearer(all map[string]*foundMirror, root, p string) bool {
	for dir := path.Dir(p); dir != root && dir != "."; dir = path.Dir(dir) {
		if all[dir] != nil {
			return true
		}
	}
	return false
}

// addUnlogged finds mirrors without a log, by files in the folder of a host that only Wget writes.
func addUnlogged(ctx context.Context, t *archivefs.Tree, found map[string]*foundMirror) error {
	headed := map[string]int{} // number of files checked for headers, by host
	for _, f := range t.Files() {
		if err := ctx.Err(); err != nil {
			return err
		}
		root, top := hostAbove(f.Path)
		if top == "" || found[root] != nil && found[root].tops[top] || nearer(found, "", f.Path) {
			continue
		}
		why := ""
		switch {
		case isBackup(t, f.Path) != "":
			why = f.Path + " is the backup of " + isBackup(t, f.Path)
		case path.Base(f.Path) == ".listing":
			why = f.Path + " is Wget's listing of an FTP folder"
		case headed[path.Join(root, top)] < maxHeaded && f.Size > 0:
			headed[path.Join(root, top)]++
			head, err := t.Head(f.Path, headSize)
			if err != nil {
				return err
			}
			if headEnd(head) > 0 {
				why = f.Path + " begins with its headers, as with --save-headers"
			}
		}
		if why == "" {
			continue
		}
		if found[root] == nil {
			found[root] = &foundMirror{root: root, tops: map[string]bool{}}
		}
		found[root].tops[top] = true
		found[root].why = append(found[root].why, why)
	}
	return nil
}

// maxHeaded is the number of files per host checked for headers.
const maxHeaded = 3

// hostName matches the name of a host folder: "www.a.test", "127.0.0.1:8899", on Windows
// "a.test+8080".
var hostName = regexp.MustCompile(`^(?i)(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+[a-z0-9-]{2,` +
	`}(?:[:+]\d+)?$|^localhost(?:[:+]\d+)?$|^\d+\.\d+\.\d+\.\d+(?:[:+]\d+)?$|^\[[0-9a-f:]+\](?:[:+]\d+)?$`)

// hostAbove finds the outermost folder above a file that is named like a host, and its parent
// folder, without a protocol folder.
func hostAbove(p string) (root, top string) {
	parts := strings.Split(path.Dir(p), "/")
	for i, part := range parts {
		if !hostName.MatchString(part) {
			continue
		}
		if i > 0 && isProtocol(parts[i-1]) {
			i--
		}
		return path.Join(append([]string{"."}, parts[:i]...)...), parts[i]
	}
	return "", ""
}

func isProtocol(name string) bool { return name == "http" || name == "https" || name == "ftp" }
