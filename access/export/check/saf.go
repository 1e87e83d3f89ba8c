package check

import (
	"bufio"
	"io"
	"path"
	"sort"
	"strings"

	"quire/metadata/xmlstream"
	"quire/model"
)

// CodeItem is the code of an item of a Simple Archive that DSpace would misread or reject.
const CodeItem = "EXPORT-ITEM"

// saf checks a Simple Archive of DSpace: its importer must find the listed files of each item, and
// be able to read its metadata. The format has no digests.
func (c *checking) saf() error {
	items, files := 0, 0
	inside := c.inside()
	for _, f := range inside {
		if path.Base(f) != "contents" || path.Dir(path.Dir(f)) != "." {
			continue
		}
		items++
		n, err := c.item(path.Dir(f), inside)
		if err != nil {
			return err
		}
		files += n
	}
	c.passed("items", c.before(CodeItem, CodeMissing), "%d items, %d files; the form has no digests", items, files)
	return nil
}

// item checks one item.
func (c *checking) item(dir string, inside []string) (files int, err error) {
	listed := map[string]bool{}
	primary := map[string]bool{}
	err = c.lines(path.Join(dir, "contents"), func(line string) {
		fields := strings.Split(line, "\t")
		name, bundle, first := fields[0], "ORIGINAL", false
		for _, f := range fields[1:] {
			if b, ok := strings.CutPrefix(f, "bundle:"); ok {
				bundle = b
			}
			first = first || f == "primary:true"
		}
		at := path.Join(dir, name)
		switch {
		case strings.HasPrefix(name, "-r "): // a file that DSpace has already
		case name == "" || path.IsAbs(name) || at != dir+"/"+name:
			c.find(model.Error, CodeItem, path.Join(dir, "contents"), "%q is not the name of a file in "+
				"the item", name)
		case c.tree.Find(c.path(at)) == nil:
			c.find(model.Error, CodeMissing, at, "listed in contents, but missing")
		default:
			files++
			listed[at] = true
		}
		if first && primary[bundle] {
			c.find(model.Error, CodeItem, path.Join(dir, "contents"),
				"%q is a second primary bitstream of the bundle %s", name, bundle)
		}
		primary[bundle] = primary[bundle] || first
	})
	if err != nil {
		return files, err
	}
	for _, f := range inside[sort.SearchStrings(inside, dir+"/"):] {
		rest, ok := strings.CutPrefix(f, dir+"/")
		if !ok {
			break // paths are sorted, and an archive may have a hundred thousand items
		}
		if listed[f] {
			continue
		}
		switch schema, is := strings.CutPrefix(rest, "metadata_"); {
		case rest == "dublin_core.xml":
			err = c.fields(f, "dc")
		case is && !strings.Contains(rest, "/"):
			err = c.fields(f, strings.TrimSuffix(schema, ".xml"))
		case rest == "contents", rest == "collections", rest == "handle", rest == "relationships":
		default:
			c.find(model.Warning, CodeUnlisted, f, "not listed in contents: DSpace omits it")
		}
		if err != nil {
			return files, err
		}
	}
	return files, nil
}

// lines visits the lines of a small file.
func (c *checking) lines(name string, visit func(string)) error {
	in, err := c.tree.Open(c.path(name))
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	lines := bufio.NewScanner(&reader{c, in})
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) != "" {
			visit(lines.Text())
		}
	}
	if lines.Err() != nil && c.ctx.Err() == nil {
		c.find(model.Error, CodeItem, name, "%v", lines.Err())
	}
	return c.ctx.Err()
}

// fields checks a metadata file: dublin_core.xml, or the file of another schema.
func (c *checking) fields(name, schema string) error {
	in, err := c.tree.Open(c.path(name))
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	if err := readFields(&reader{c, in}, schema); err != nil && c.ctx.Err() == nil {
		c.find(model.Error, CodeItem, name, "%v", err)
	}
	return c.ctx.Err()
}

func readFields(in io.Reader, schema string) error {
	r := xmlstream.NewReader(in, xmlstream.Limits{})
	r.OnUnknown = func(string) {}
	root, err := r.Root()
	if err != nil {
		return err
	}
	said := "dc"
	if s, ok := root.Lookup("", "schema"); ok {
		said = s
	}
	if root.Local != "dublin_core" || said != schema {
		return r.Errorf("metadata of schema %s must be in <dublin_core schema=%q>", schema, schema)
	}
	err = r.Each(func(e xmlstream.Element) error {
		if element, _ := e.Lookup("", "element"); e.Local != "dcvalue" || element == "" {
			return r.Errorf("a field must be a dcvalue with an element attribute")
		}
		_, err := r.Text()
		return err
	})
	if err != nil {
		return err
	}
	return r.Finish()
}
