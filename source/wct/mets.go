package wct

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/xmltree"
)

// maxMETS is the maximum size of a METS in bytes. One that lists ten thousand files has four
// million.
const maxMETS = 64 << 20

// document is a METS of the Web Curator Tool, as far as it is readable.
type document struct {
	path     string
	oid      string // of the target instance
	root     *xmltree.Node
	files    []model.ExpectedFile
	ids      map[string]int // number of files with each ID
	space    string         // namespace of WCT's own part
	findings []model.Finding
	partly   bool // it was read only in part
	unread   bool // its content is unknown
}

func (d *document) find(severity model.Severity, offset int64, format string, args ...any) {
	d.findings = append(d.findings,
		model.Finding{Code: CodeDescription, Severity: severity, Path: d.path, Offset: offset,
			Message: fmt.Sprintf(format, args...)})
}

var (
	ofMETS = regexp.MustCompile(`<(\w+:)?mets[\s>]|http://www\.loc\.gov/METS/`)
	// ofWCT matches a namespace of the Web Curator Tool. At GitHub, the tool used the namespace
	// "http://www.bl.uk/namespaces/wct". At SourceForge, it used several namespaces.
	ofWCT = regexp.MustCompile(`(?i)xmlns(:\w+)?\s*=\s*["'][^"'<>]*(web-?curator|[/.]wct)[^"'<>` +
		`]*["']|<(\w+:)?wct[\s>]`)
	byName = regexp.MustCompile(`^METS-(\d+)\.xml$`)
)

// headSize is the number of bytes read to identify a file.
const headSize = 64 << 10

// isMETS reports whether a file is a METS of the Web Curator Tool: by its content, or by its name
// if the content is a METS or unreadable.
func isMETS(t *archivefs.Tree, p string) (bool, error) {
	if !strings.EqualFold(path.Ext(p), ".xml") {
		return false, nil
	}
	head, err := t.Head(p, headSize)
	switch {
	// truncated by damage to the archive
	case archivefs.Damaged(err), err == nil && int64(len(head)) < min(headSize, t.Find(p).Size):
		return byName.MatchString(path.Base(p)), nil
	case err != nil || !ofMETS.Match(head):
		return false, err
	}
	return ofWCT.Match(head) || byName.MatchString(path.Base(p)), nil
}

// headOf returns the beginning of a file, or the readable part of a damaged beginning.
func headOf(t *archivefs.Tree, p string) ([]byte, error) {
	head, err := t.Head(p, headSize)
	if archivefs.Damaged(err) {
		err = nil
	}
	return head, err
}

// readMETS reads a METS. Its faults are among its findings.
func readMETS(ctx context.Context, t *archivefs.Tree, p string) (*document, error) {
	d := &document{path: p, ids: map[string]int{}}
	if m := byName.FindStringSubmatch(path.Base(p)); m != nil {
		d.oid = m[1]
	}
	if t.Find(p).Size > maxMETS {
		d.unread = true
		d.findings = append(d.findings,
			model.Finding{Code: CodeLarge, Severity: model.Warning, Path: d.path,
				Message: fmt.Sprintf("exceeds the limit of %d bytes, and is not read", maxMETS)})
		return d, nil
	}
	b, err := content(t, p)
	if archivefs.Damaged(err) {
		d.unread = true
		d.find(model.Error, 0, "cannot be read: %v", err)
		return d, nil
	}
	if err = errors.Join(err, ctx.Err()); err != nil {
		return nil, err
	}
	d.parse(b)
	return d, nil
}

func content(t *archivefs.Tree, p string) ([]byte, error) {
	f, err := t.Open(p)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(f)
	return b, errors.Join(err, f.Close())
}

// parse reads the document strictly, or else as far as possible.
func (d *document) parse(b []byte) {
	m := mend(b)
	for _, f := range m.flaws {
		d.find(model.Warning, f.offset, "not well-formed: %s", f.what)
	}
	if more := m.total - len(m.flaws); more > 0 {
		d.find(model.Warning, 0, "not well-formed: %d more such places", more)
	}
	root, err := d.read(m.text, false)
	if err != nil && !errors.Is(err, xmltree.ErrDoctype) {
		strict := err
		d.files, d.ids = nil, map[string]int{}
		if root, err = d.read(m.text, true); err == nil {
			d.find(model.Warning, 0, "not well-formed, and read as far as possible: %v", strict)
		}
	}
	if err != nil {
		d.partly = true
		d.find(model.Error, 0, "unreadable in part: %v", err)
	}
	if d.unread = root == nil || errors.Is(err, xmltree.ErrDoctype); d.unread {
		d.files = nil
		return
	}
	d.root = root
	d.know()
}

func (d *document) read(b []byte, lenient bool) (*xmltree.Node, error) {
	return xmltree.Options{Lenient: lenient, Leave: d.leave}.Parse(bytes.NewReader(b))
}

// leave removes each file from the tree after reading it, because there may be many files. The
// position of a file identifies it.
func (d *document) leave(n *xmltree.Node) bool {
	if n.Name == "fptr" {
		return true
	}
	if n.Name != "file" || n.Parent == nil || n.Parent.Name != "fileGrp" {
		return false
	}
	d.files = append(d.files, d.file(n))
	d.ids[n.Attr("ID")]++
	return true
}

var idOf = regexp.MustCompile(`^(?:DMD|AMD|TMD|RMD|DPMD)(\d+)$`)

// know reads the identification of the target instance.
func (d *document) know() {
	d.root.Each(func(n *xmltree.Node) {
		if m := idOf.FindStringSubmatch(n.Attr("ID")); m != nil && (d.oid == "" || n.Name == "dmdSec") {
			d.oid = m[1]
		}
		if n.Name == "wct" && d.space == "" {
			d.space = n.Space
		}
	})
}

// all returns the elements of that name in the section of that name: dmdSec, techMD, rightsMD,
// digiprovMD.
func (d *document) all(section, name string) []*xmltree.Node {
	var found []*xmltree.Node
	d.root.Each(func(n *xmltree.Node) {
		if n.Name == name && within(n, section) {
			found = append(found, n)
		}
	})
	return found
}

// one returns the first of them, or nil, which has no children.
func (d *document) one(section, name string) *xmltree.Node {
	if found := d.all(section, name); len(found) > 0 {
		return found[0]
	}
	return nil
}

func within(n *xmltree.Node, section string) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Name == section {
			return true
		}
	}
	return false
}

// at returns the name of a place in the document.
func (d *document) at(place string) string { return place + " in " + d.path }

// child returns the first child with one of the names. The names are the correct name and its
// misspelt forms.
func child(n *xmltree.Node, names ...string) *xmltree.Node {
	for _, c := range n.All() {
		if slices.Contains(names, c.Name) {
			return c
		}
	}
	return nil
}

// text returns the text of that child.
func text(n *xmltree.Node, names ...string) string { return xmltree.Text(child(n, names...)) }
