package wget

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/internal/secret"
	"quire/model"
	"quire/source"
	"quire/source/internal/facts"
)

// mirror is a harvest of files.
type mirror struct {
	*run
	facts    runFacts
	root     string
	layout   layout
	captures []*capture // in the order of the logs, then of the paths
	byURL    map[string]*capture
	byFile   map[string]*capture
	backups  map[string]string // file to its backup
	owners   map[string]string // backup to its file
	files    []string
	folded   map[string]string   // name in lower case to the name; nil until it is needed
	vacant   map[string]*capture // by its name in the log: saved, but its file has another name; nil until needed
	turned   map[string]bool     // file to whether the log reports its links as converted
	// file to the reason why its bytes may be those of another URL
	contested map[string]string
	gone      []string // names of files that the logs list as saved, but are missing
	kept      []string // files from earlier runs without a URL in the log
	changes   conversion
	second    bool // Wget2 wrote a log
	headed    bool // --save-headers: the files begin with their headers
}

var (
	_ source.Mirror = (*mirror)(nil)
	_ source.Styled = (*mirror)(nil)
)

// Style returns how links were changed.
func (m *mirror) Style() source.Style {
	if m.changes.state == unchanged {
		return source.StyleNone
	}
	return source.StyleWget
}

// readMirror reads the logs, then the files.
func readMirror(ctx context.Context, t *archivefs.Tree, found *foundMirror) (*mirror, error) {
	about := &model.Harvest{System: model.Wget, ID: t.NameOf(found.root)}
	m := &mirror{run: &run{about: about, tree: t}, facts: runFacts{facts.New(about), t}, root: found.root,
		layout: layoutOf(found.tops),
		byURL:  map[string]*capture{}, byFile: map[string]*capture{}, backups: map[string]string{},
		owners: map[string]string{},
		turned: map[string]bool{}, contested: map[string]string{}}
	m.files = found.files
	m.list(found.files)
	m.rejected = found.rejected
	for _, l := range found.logs {
		m.logs = append(m.logs, loggedRun{place: place{Path: l.path}})
	}
	for i := range m.logs {
		if err := errors.Join(ctx.Err(), m.gather(&m.logs[i], found.logs[i].strip)); err != nil {
			return nil, err
		}
		m.second = m.second || m.logs[i].journal.Software != ""
	}
	m.likeBackups()
	m.unclaimed(found.files)
	if err := errors.Join(ctx.Err(), m.clocks(), m.look(ctx)); err != nil {
		return nil, err
	}
	if err := m.listFiles(found.files); err != nil {
		return nil, err
	}
	m.describe()
	m.byURL, m.vacant, m.folded, m.files = nil, nil, nil, nil // not needed again, and large
	return m, nil
}

// list finds the backups.
func (m *mirror) list(files []string) {
	mine := map[string]bool{}
	for _, f := range files {
		mine[f] = true
	}
	for _, f := range files {
		if owner := isBackup(m.tree, f); owner != "" && mine[owner] {
			if m.backups[owner] == "" || f == owner+".orig" {
				m.backups[owner] = f
			}
		}
	}
	for owner, b := range m.backups {
		m.owners[b] = owner
	}
}

// likeBackups removes files that are named like backups, but which the log reports as saved for a URL.
// If there are backups as well, such a file may be both.
func (m *mirror) likeBackups() {
	saved := map[string]string{}
	for owner, b := range m.backups {
		if m.byFile[b] != nil {
			delete(m.backups, owner)
			delete(m.owners, b)
			saved[owner] = b
		}
	}
	for owner, b := range m.backups {
		if m.turned[b] {
			m.contested[b] = "it is the backup of " + owner + ", and the log reports that links were converted in it"
		}
	}
	if len(m.backups) == 0 { // no -K
		return
	}
	for owner, b := range saved {
		m.contested[b] = "the log reports it as saved, and it has the name of the backup of " + owner
	}
}

// capture returns the capture of a URL, and creates it if new.
func (m *mirror) capture(url string) *capture {
	c := m.byURL[url]
	if c == nil {
		c = &capture{url: url}
		m.byURL[url] = c
		m.captures = append(m.captures, c)
	}
	return c
}

// add adds a file with an unknown URL.
func (m *mirror) add(c *capture) {
	m.captures = append(m.captures, c)
	m.byFile[c.file] = c
}

// gather reads a log.
func (m *mirror) gather(l *loggedRun, strip int) error {
	g := &gathering{mirror: m, log: l, strip: strip}
	return l.read(m.tree, &logReader{journal: &l.journal, attempt: g.take,
		turned: func(line, result string) { m.conversion(line, result, strip) },
		kept: func(names []string) {
			for _, n := range names {
				if f := findNamed(m.tree, m.root, n, strip); f != "" {
					m.kept = append(m.kept, f)
					if l.journal.Software != "" {
						m.contested[f] = unknown2
					}
				}
			}
		}})
}

// secrets looks for passwords in a log.
func (g *gathering) secrets(a *attempt) {
	if secret.InURL([]byte(a.URL)) && !strings.Contains(a.URL, ":*password*@") {
		g.revealed(g.log.Path, a.Offset, "holds a password in a URL")
	}
}

// revealed marks a file; the mark is listed at the end.
func (m *mirror) revealed(p string, at int64, why string) {
	f := m.tree.Find(p)
	m.facts.AddFile(model.SourceFile{Path: p, Size: f.Size, Role: m.role(p)})
	for _, file := range m.about.Files {
		if file.Path == p && file.Restricted != "" {
			return
		}
	}
	m.facts.Restrict(p, at, why)
}

// role returns the role of a file that is not content, or "" for content.
func (m *mirror) role(p string) model.Role {
	switch {
	case slices.ContainsFunc(m.logs, func(l loggedRun) bool { return l.Path == p }), slices.Contains(m.rejected, p):
		return model.RoleLog
	case m.byFile[p] != nil: // named like a backup, but the file of a URL
		return ""
	case m.owners[p] != "":
		return model.RoleCache
	case path.Base(p) == ".listing":
		return model.RoleArtefact
	case within(m.root, p) == "cookies.txt":
		return model.RoleCache
	case strings.HasPrefix(within(m.root, p), "wget-log"):
		return model.RoleLog
	}
	return ""
}

// listFiles lists every file with its role, and reports files without a URL.
func (m *mirror) listFiles(files []string) error {
	m.about.Files = slices.Grow(m.about.Files, len(files))
	for _, f := range files {
		role := m.role(f)
		if role == "" {
			role = model.RoleContent
		}
		m.facts.AddFile(model.SourceFile{Path: f, Size: m.tree.Find(f).Size, Role: role})
		if c := m.byFile[f]; c != nil && c.url == "" {
			m.facts.Find(findUnclaimed, model.Warning, f, 0, "%s", strings.Join(c.why, "; "))
		}
		if within(m.root, f) == "cookies.txt" {
			if err := m.facts.cookies(f); err != nil {
				return err
			}
		}
	}
	slices.SortStableFunc(m.about.Files, func(a, b model.SourceFile) int { return strings.Compare(a.Path, b.Path) })
	return nil
}
