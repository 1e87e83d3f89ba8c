package wct

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/facts"
	"quire/source/internal/xmltree"
)

// file reads a file element. Its ID has the last three digits of a counter, so it repeats after 999
// files; the position identifies the file instead.
func (d *document) file(n *xmltree.Node) model.ExpectedFile {
	f := model.ExpectedFile{Size: -1, Created: n.Attr("CREATED"), MIME: n.Attr("MIMETYPE"), Group: groupOf(n),
		Source: fmt.Sprintf("file %d of %s", len(d.files)+1, d.path)}
	if size, err := strconv.ParseInt(n.Attr("SIZE"), 10, 64); err == nil && size >= 0 {
		f.Size = size
	}
	f.Digest = digestOf(n.Attr("CHECKSUMTYPE"), n.Attr("CHECKSUM"))
	for _, c := range n.Children {
		if c.Name == "FLocat" && f.Name == "" {
			f.Name = c.Attr("href")
		}
	}
	return f
}

// groupOf returns the USE of the group, or of an outer one.
func groupOf(n *xmltree.Node) string {
	for p := n.Parent; p != nil; p = p.Parent {
		if use := p.Attr("USE"); use != "" {
			return use
		}
	}
	return ""
}

// lengths are the lengths of digests in hexadecimal digits.
var lengths = map[model.Algorithm]int{model.MD5: 32, model.SHA1: 40, model.SHA256: 64, model.SHA512: 128}

// digestOf returns a valid digest, or zero.
func digestOf(kind, value string) model.Digest {
	value = strings.ToLower(strings.TrimSpace(value))
	a := model.Algorithm(kind)
	if a == "" && len(value) == lengths[model.MD5] {
		a = model.MD5
	}
	if lengths[a] != len(value) || strings.Trim(value, "0123456789abcdef") != "" {
		return model.Digest{}
	}
	return model.Digest{Algorithm: a, Value: value}
}

// place returns the path of a file in the METS: "file://./arcs/x.arc" is arcs/x.arc. It may lead
// anywhere, so it is only compared with existing paths.
func place(name string) string {
	for _, prefix := range []string{"file://", "file:"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			name = rest
			break
		}
	}
	return path.Clean(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "./"))
}

// resolver finds the files that a METS lists, among the files of the harvest.
type resolver struct {
	roots  []string            // folders of the METS and of the harvest
	there  map[string]bool     // paths
	byBase map[string][]string // base name to paths
}

func newResolver(roots, paths []string) *resolver {
	r := &resolver{roots: roots, there: map[string]bool{}, byBase: map[string][]string{}}
	for _, p := range paths {
		r.there[p] = true
		r.byBase[path.Base(p)] = append(r.byBase[path.Base(p)], p)
	}
	return r
}

// find matches by path, and then by base name. The file archive has the folders arcs, logs and
// reports, but the METS of other archives has none of them. Among several files of that name, the
// only one with the right size matches.
func (r *resolver) find(f *model.ExpectedFile, t *archivefs.Tree) (found string, several bool) {
	p := place(f.Name)
	for _, root := range r.roots {
		if r.there[path.Join(root, p)] {
			return path.Join(root, p), false
		}
	}
	candidates := r.byBase[path.Base(p)]
	if len(candidates) < 2 {
		return strings.Join(candidates, ""), false
	}
	var sized []string
	for _, c := range candidates {
		if t.Find(c).Size == f.Size {
			sized = append(sized, c)
		}
	}
	if len(sized) == 1 {
		return sized[0], false
	}
	return candidates[0], true
}

// compareFiles reports listed files that are present or missing, and present files that are not
// listed.
func compareFiles(f *facts.Facts, t *archivefs.Tree, d *document, root string, own func(string) bool) {
	var paths []string
	for _, file := range f.About.Files {
		paths = append(paths, file.Path)
	}
	r := newResolver([]string{path.Dir(d.path), root}, paths)
	listed := map[string]bool{}
	for i := range d.files {
		e := &d.files[i]
		found, several := r.find(e, t)
		switch {
		case found == "":
			f.Find(CodeListed, missing(e), d.path, 0, "lists %q (%s), which is missing", e.Name, e.Source)
			continue
		case several:
			f.Find(CodeTwins, model.Warning, d.path, 0, "lists %q (%s), but several files have that "+
				"name; %s is used",
				e.Name, e.Source, found)
		case listed[found]:
			f.Find(CodeTwins, model.Warning, d.path, 0, "lists %s twice, again as %s", found, e.Source)
		}
		e.Path, listed[found] = found, true
		if size := t.Find(found).Size; e.Size >= 0 && size != e.Size {
			f.Find(CodeSize, model.Error, found, 0, "has %d bytes instead of %d (%s)", size, e.Size, e.Source)
		}
	}
	f.About.Expected = append(f.About.Expected, d.files...)
	for _, file := range f.About.Files {
		if !listed[file.Path] && !own(file.Path) && len(d.files) > 0 {
			f.Find(CodeUnlisted, model.Info, file.Path, 0,
				"%s does not list it, so its original checksum is unknown; the Web Curator Tool lists "+
					"only some of its logs and reports", path.Base(d.path))
		}
	}
	d.oddFiles(f)
}

// missing returns the severity of a missing file: a container is content.
func missing(e *model.ExpectedFile) model.Severity {
	if isContainer(path.Base(e.Name)) {
		return model.Error
	}
	return model.Warning
}

// oddFiles reports faults of the METS about its files as a whole.
func (d *document) oddFiles(f *facts.Facts) {
	twice, text := 0, 0
	for _, n := range d.ids {
		if n > 1 {
			twice += n
		}
	}
	for _, e := range d.files {
		if isContainer(path.Base(e.Name)) && e.MIME == "text/plain" {
			text++
		}
	}
	if twice > 0 {
		f.Find(CodeTwins, model.Info, d.path, 0,
			"%d of %d files share their ID with others: its three digits restart after 999; the position "+
				"distinguishes the files", twice, len(d.files))
	}
	if text > 0 {
		f.Find(CodeMIME, model.Info, d.path, 0,
			"declares %d containers as text/plain, which is wrong: the Web Curator Tool did not "+
				"recognise their names", text)
	}
}
