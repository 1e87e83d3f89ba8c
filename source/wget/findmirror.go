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

// foundMirror is a mirror as it was found.
type foundMirror struct {
	root  string          // folder in which the folders of hosts lie, or the files themselves (-nd)
	logs  []foundLog      // in the order of their names
	tops  map[string]bool // folders in root that belong to it
	flat  map[string]bool // files in root itself that the logs name
	why   []string
	files []string

	rejected []string // files of --rejected-log beside a log
}

// foundLog is a log, and how many folders the names in it have before those of the mirror.
type foundLog struct {
	path  string
	strip int
}

// likeLog is what files are called that may be a log; what they hold decides.
var likeLog = regexp.MustCompile(`(?i)wget|log|^nohup|\.(out|err|txt|csv|tsv)$`)

// findMirrors finds mirrors by their logs, and then by their files.
func findMirrors(ctx context.Context, t *archivefs.Tree, sets []*foundSet) ([]*foundMirror, error) {
	found := map[string]*foundMirror{}
	s := &search{t, found, map[string][]string{}}
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
	if err := addUnlogged(ctx, t, found); err != nil {
		return nil, err
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

// maxNames is how many names of a log are looked for.
const maxNames = 200

// addLogged finds the mirror of which a log tells.
func (s *search) addLogged(p string) error {
	t, found := s.tree, s.found
	var names []string
	l := loggedRun{place: place{Path: p}}
	err := l.read(t, &logReader{journal: &l.journal, attempt: func(a *attempt) bool {
		if (a.Saved || a.Kept) && a.Named != "" {
			names = append(names, a.Named)
		}
		return len(names) < maxNames
	}, kept: func(n []string) { names = append(names, n...) }})
	if err != nil {
		return err
	}
	root, strip, hits := rootOf(t, path.Dir(p), s.below(path.Dir(p)), names)
	if hits == 0 {
		return nil
	}
	m := found[root]
	if m == nil {
		m = &foundMirror{root: root, tops: map[string]bool{}, flat: map[string]bool{}}
		found[root] = m
	}
	m.logs = append(m.logs, foundLog{p, strip})
	m.why = append(m.why, p+" is a log of Wget, and names files that are here")
	return m.addNamed(t, l, strip)
}

// addNamed notes the folders and files that a log names.
func (m *foundMirror) addNamed(t *archivefs.Tree, l loggedRun, strip int) error {
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
		}
		return true
	}, kept: func(names []string) {
		for _, n := range names {
			add(n)
		}
	}})
}

// rootOf finds the folder in which the names of a log lie: where Wget was started, or where its
// results were taken to since.
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

// maxStrip is less than that many folders a mirror may have been taken out of.
const maxStrip = 8

// search is what is known while mirrors are looked for.
type search struct {
	tree    *archivefs.Tree
	found   map[string]*foundMirror
	folders map[string][]string // in a folder
}

// below gives the folders in a folder, some of them.
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

// within gives the path below a folder, "" of what does not lie there.
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

// findNamed finds the file that a log names, without the folders that the mirror was taken out of.
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

// owned gives the files of a mirror: its logs, what lies in its folders and is of no other mirror
// or set, and of the files beside them those that the logs name.
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

// besides says whether a file beside the folders of hosts is Wget's own.
func besides(name string) bool {
	return strings.HasPrefix(name, "wget-log") || name == "robots.txt" || name == "cookies.txt" || name == ".listing"
}

// nearer says whether another mirror lies around a file more closely.
func nearer(all map[string]*foundMirror, root, p string) bool {
	for dir := path.Dir(p); dir != root && dir != "."; dir = path.Dir(dir) {
		if all[dir] != nil {
			return true
		}
	}
	return false
}

// addUnlogged finds mirrors without a log, by what only Wget leaves in the folder of a host.
func addUnlogged(ctx context.Context, t *archivefs.Tree, found map[string]*foundMirror) error {
	headed := map[string]int{} // files looked at for headers within, by host
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
			why = f.Path + " is what Wget keeps of a folder of FTP"
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

// maxHeaded is how many files of a host are looked at for headers.
const maxHeaded = 3

// hostName is what a folder of a host is called: "www.a.test", "127.0.0.1:8899", on Windows
// "a.test+8080".
var hostName = regexp.MustCompile(`^(?i)(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+[a-z0-9-]{2,` +
	`}(?:[:+]\d+)?$|^localhost(?:[:+]\d+)?$|^\d+\.\d+\.\d+\.\d+(?:[:+]\d+)?$|^\[[0-9a-f:]+\](?:[:+]\d+)?$`)

// hostAbove finds the outermost folder above a file that is called like a host, and the folder in
// which it lies, that of the protocol left out.
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
