package wct

import (
	"context"
	"path"
	"regexp"
	"strings"

	"quire/internal/archivefs"
	"quire/internal/lines"
	"quire/model"
	"quire/source/records"
)

// number matches the folder name of a target instance, and of a harvest result in it.
var (
	number = regexp.MustCompile(`^[0-9]+$`)
	result = regexp.MustCompile(`^[0-9]{1,3}$`)
	aqa    = regexp.MustCompile(`^aqa-report(\(\d+\))?\.xml$`)
)

// ownName reports whether a file name is one that only WCT uses.
func ownName(base string) bool { return aqa.MatchString(base) }

// marks are the entries in a folder that identify the store of WCT.
type marks struct {
	results   map[string]bool // numbered folders with containers
	arcs      bool            // a folder arcs with containers
	logs      bool            // a folder logs, or reports
	configure bool            // a configuration among the reports: only WCT puts it there
	own       bool
}

// stores finds the folders of target instances: <oid>/<number of the harvest result>/x.arc beside
// <oid>/logs and <oid>/reports, or the file archive's <oid>/arcs. A numbered folder with numbered
// subfolders may be a year with its months, so more evidence is required.
func (s *survey) stores(ctx context.Context) error {
	found := map[string]*marks{}
	at := func(dir string) *marks {
		if found[dir] == nil {
			found[dir] = &marks{results: map[string]bool{}}
		}
		return found[dir]
	}
	for _, f := range s.tree.Files() {
		if err := ctx.Err(); err != nil {
			return err
		}
		dir, base := path.Dir(f.Path), path.Base(f.Path)
		in, above := path.Base(dir), path.Dir(dir)
		switch {
		case ownName(base):
			at(dir).own = true
		case dir == ".":
		case isContainer(base) && result.MatchString(in):
			at(above).results[in] = true
		case isContainer(base) && in == "arcs":
			at(above).arcs = true
		case in == "_resources":
			at(above).own = true
		case in == "reports" && (base == "order.xml" || strings.HasSuffix(base, ".cxml")):
			at(above).configure, at(above).logs = true, true
		case in == "logs" || in == "reports":
			at(above).logs = true
		}
	}
	for dir, m := range found {
		if why := m.reason(s.numbered(dir) != ""); why != "" {
			in := s.at(dir)
			in.store, in.named = true, s.numbered(dir)
			in.because(path.Join(dir, ".") + why)
		}
	}
	return nil
}

// reason returns the reason to identify a folder as a target instance, or "".
func (m *marks) reason(numbered bool) string {
	content := len(m.results) > 0 || m.arcs
	switch {
	case len(m.results) > 0 && m.configure:
		return " has harvest results in numbered folders, and the configuration among the reports"
	case numbered && m.configure:
		return " has the number of a target instance, and the configuration among the reports"
	case numbered && len(m.results) > 0 && m.logs:
		return " has the number of a target instance, harvest results in numbered folders, and the logs beside them"
	case content && m.own:
		return " has containers, and the quality review files of the Web Curator Tool"
	}
	return ""
}

// numbered returns the number that is a folder's name; for the source itself, its name.
func (s *survey) numbered(dir string) string {
	name := path.Base(dir)
	if dir == "." {
		name = path.Base(strings.TrimRight(strings.ReplaceAll(s.tree.Path(), `\`, "/"), "/"))
		for _, suffix := range []string{".tar.gz", ".tgz", ".tar", ".zip"} {
			name = strings.TrimSuffix(name, suffix)
		}
	}
	if number.MatchString(name) {
		return name
	}
	return ""
}

// inManifest matches a line of the crawler's manifest: "L+
// /tmp/harvest-agent/11141123/logs/crawl.log". WCT names the job folder by the number of its target
// instance.
var inManifest = regexp.MustCompile(`^[A-Z][+-] .*/([0-9]+)/(?:logs/crawl\.log|order\.xml)$`)

// manifest reads the number of the target instance from the crawler's manifest, if the
// configuration shows that WCT created the job.
func (s *survey) manifest(in *instance) error {
	list, configuration := "", ""
	for _, p := range in.crawl {
		switch base := path.Base(p); {
		case base == "crawl-manifest.txt":
			list = p
		case base == "order.xml" || strings.HasSuffix(base, ".cxml"):
			configuration = p
		}
	}
	if list == "" || configuration == "" {
		return nil
	}
	head, err := headOf(s.tree, configuration)
	if err != nil || !ofCurator.Match(head) {
		return err
	}
	f, err := s.tree.Open(list)
	if archivefs.Damaged(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for l := lines.NewReader(f); in.named == "" && l.Number < 1000; {
		if l.Next() != nil {
			break // the report's own reader reports its faults
		}
		if m := inManifest.FindSubmatch(l.Text); m != nil {
			in.named = string(m[1])
			in.because(list + " lists the job of target instance " + in.named + ", and " + configuration +
				" is of the Web Curator Tool")
		}
	}
	return f.Close()
}

// ofCurator identifies a configuration from WCT: by the address in the user agent, or by the
// operator.
var ofCurator = regexp.MustCompile(`(?i)web-?curator|<operator>WCT</operator>`)

// roleOf returns the role of a file unknown to the crawler's reader.
func roleOf(p string) model.Role {
	base := path.Base(p)
	switch {
	case isContainer(base):
		return model.RoleContainer
	case strings.HasSuffix(base, ".cdx") || strings.HasSuffix(base, ".cdxj"):
		return model.RoleIndex
	case ownName(base):
		return model.RoleReport
	case path.Base(path.Dir(p)) == "_resources":
		return model.RoleArtefact // pictures made from pages
	case path.Base(path.Dir(p)) == "logs":
		return model.RoleLog
	case path.Base(path.Dir(p)) == "reports":
		return model.RoleReport
	}
	return model.RoleOther
}

// isContainer reports whether a file has the name of a container, finished or not.
func isContainer(base string) bool {
	is, _ := records.NamedContainer(base)
	return is
}
