package wget

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
	"quire/source/records"
)

// Reader finds harvests of Wget.
type Reader struct{}

var _ source.Reader = Reader{}

// Name returns the name of the system.
func (Reader) Name() string { return string(model.Wget) }

// Find claims each set of containers written by Wget, according to the first record, and each
// mirror. A mirror has the files that a log of Wget lists as saved. Without a log, it has folders
// named like hosts with backups (-K) or headers (--save-headers) in them. A log of both a set and a
// mirror belongs to both.
func (Reader) Find(ctx context.Context, t *archivefs.Tree) ([]source.Claim, error) {
	sets, err := findSets(ctx, t)
	if err != nil {
		return nil, err
	}
	mirrors, err := findMirrors(ctx, t, sets)
	if err != nil {
		return nil, err
	}
	var claims []source.Claim
	sets = slices.DeleteFunc(sets, func(s *foundSet) bool { // a mirror took its containers as content
		return slices.ContainsFunc(mirrors, func(m *foundMirror) bool {
			return slices.Contains(m.files, s.containers[0])
		})
	})
	for _, s := range sets {
		claims = append(claims, source.Claim{Reader: string(model.Wget), Root: s.dir, Why: s.why, Files: s.files(),
			Read: func(ctx context.Context) (source.Harvest, error) { return readSet(ctx, t, s) }})
	}
	for _, m := range mirrors {
		claims = append(claims, source.Claim{Reader: string(model.Wget), Root: m.root, Why: m.why, Files: m.files,
			Read: func(ctx context.Context) (source.Harvest, error) { return readMirror(ctx, t, m) }})
	}
	slices.SortStableFunc(claims, func(a, b source.Claim) int { return strings.Compare(a.Root, b.Root) })
	return claims, nil
}

// foundSet is the files of one run with --warc-file.
type foundSet struct {
	dir, prefix string   // prefix is the value of --warc-file, without folders
	containers  []string // in order, the one with Wget's log last
	others      []model.SourceFile
	command     command // from the first container
	why         []string
}

func (s *foundSet) files() []string {
	all := slices.Clone(s.containers)
	for _, o := range s.others {
		all = append(all, o.Path)
	}
	return all
}

// containerName parses a container's name: "t1-00000.warc.gz", "t1-meta.warc.gz", "t1.warc".
var containerName = regexp.MustCompile(`^(.*?)(-\d{5,}|-meta)?\.warc(\.gz|\.zst)?$`)

// findSets finds the sets, by the software in the first record of one container each.
func findSets(ctx context.Context, t *archivefs.Tree) ([]*foundSet, error) {
	groups := map[string]*foundSet{}
	var order []string
	for _, f := range t.Files() {
		m := containerName.FindStringSubmatch(path.Base(f.Path))
		if m == nil {
			continue
		}
		key := path.Join(path.Dir(f.Path), m[1]+"-.warc"+m[3])
		if m[2] == "" { // not split: a separate set
			key = f.Path
		}
		if groups[key] == nil {
			groups[key] = &foundSet{dir: path.Dir(f.Path), prefix: m[1]}
			order = append(order, key)
		}
		groups[key].containers = append(groups[key].containers, f.Path)
	}
	var sets []*foundSet
	for _, key := range order {
		s := groups[key]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fields, err := infoOf(t, s.containers[0])
		if err != nil {
			return nil, err
		}
		software := valueOf(fields, "software")
		if !strings.HasPrefix(software, "Wget/") {
			continue
		}
		s.why = []string{s.containers[0] + " says that " + software + " wrote it"}
		s.command = readCommand(splitArguments(valueOf(fields, "wget-arguments")))
		if err := s.addOthers(t); err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// infoOf returns the fields of the first record of a container, or none if it is unreadable.
func infoOf(t *archivefs.Tree, p string) ([]model.Field, error) {
	head, err := t.Head(p, infoSize)
	if err != nil {
		return nil, err
	}
	fields, err := records.Info(bytes.NewReader(head))
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return fields, err
}

// infoSize is the number of bytes read from a container for its first record.
const infoSize = 256 << 10

func valueOf(fields []model.Field, name string) string {
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// addOthers adds files named after the set, and those named in its arguments: index, logs, list of
// seeds, cookies.
func (s *foundSet) addOthers(t *archivefs.Tree) error {
	add := func(name string, role model.Role) {
		p := path.Join(s.dir, path.Base(strings.ReplaceAll(name, `\`, "/")))
		f := t.Find(p)
		if name == "" || f == nil || slices.Contains(s.files(), p) {
			return
		}
		s.others = append(s.others, model.SourceFile{Path: p, Size: f.Size, Role: role})
	}
	add(s.prefix+".cdx", model.RoleIndex)
	add(s.command.last("inputfile", "input"), model.RoleConfiguration)
	add(s.command.last("loadcookies"), model.RoleCache)
	add(s.command.last("savecookies"), model.RoleCache)
	add(s.command.last("rejectedlog"), model.RoleReport)
	for _, name := range []string{s.command.last("outputfile", "logfile"), s.command.last("appendoutput"),
		s.prefix + ".log", s.prefix + ".wget.log", s.prefix + "-wget.log", s.prefix + ".txt"} {
		p := path.Join(s.dir, path.Base(name))
		if name == "" || t.Find(p) == nil {
			continue
		}
		head, err := t.Head(p, headSize)
		if err != nil {
			return err
		}
		if isLog(head) {
			add(name, model.RoleLog)
		}
	}
	return nil
}

// addLog adds a log that names a container of the set.
func (s *foundSet) addLog(t *archivefs.Tree, p string) {
	if !slices.Contains(s.files(), p) {
		s.others = append(s.others, model.SourceFile{Path: p, Size: t.Find(p).Size, Role: model.RoleLog})
		s.why = append(s.why, p+" is a log of Wget, and names its container")
	}
}

// addLeftovers adds the files that a run with --delete-after left when it broke off. Their names are in
// the log, often with the ending .tmp.
func (s *foundSet) addLeftovers(t *archivefs.Tree, l loggedRun) error {
	return l.read(t, &logReader{journal: &journal{}, attempt: func(a *attempt) bool {
		f := findNamed(t, path.Dir(l.Path), a.Named, 0)
		if f == "" || slices.Contains(s.files(), f) {
			return true
		}
		s.others = append(s.others, model.SourceFile{Path: f, Size: t.Find(f).Size, Role: model.RoleOther})
		s.why = append(s.why, f+" is left of a run that deletes its files, and the log names it")
		return len(s.others) < maxLeftovers
	}})
}

// maxLeftovers bounds the files beside the containers of a set. A run leaves those of the current
// requests only.
const maxLeftovers = 100

// headSize is the number of bytes read to identify a file.
const headSize = 16 << 10
