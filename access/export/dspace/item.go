package dspace

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"quire/access/export"
	"quire/metadata/xmlstream"
)

// Item is an item in the Simple Archive Format: a folder with files, their list (contents), and
// their metadata (dublin_core.xml, metadata_SCHEMA.xml). The number of files is unlimited; their
// list grows on disk.
type Item struct {
	out      *export.Output
	folder   string
	contents *export.Writer
	primary  map[string]bool // bundles that have a primary bitstream
}

// Bitstream is a file of an item.
type Bitstream struct {
	Name        string // path in the item's folder
	Bundle      string // "" means Original
	Description string
	Primary     bool   // the main file of its bundle; only the first is used
	Read        string // the only group that may read it; "" means the collection's default
}

// The bundles of DSpace used here.
const (
	Original = "ORIGINAL" // content for readers
	Metadata = "METADATA" // metadata of the item
)

// Administrators is a group that every DSpace has. It receives the bitstreams that are not open to
// everybody. An unknown group would leave a bitstream open to all readers of the collection.
const Administrators = "Administrator"

// reserved are the file names in an item's folder with a meaning for DSpace.
var reserved = []string{"contents", "dublin_core.xml", "collections", "handle", "relationships"}

// NewItem starts an item in a folder of the output.
func NewItem(out *export.Output, folder string) (*Item, error) {
	w, err := out.Create(folder + "/contents")
	if err != nil {
		return nil, err
	}
	return &Item{out: out, folder: folder, contents: w, primary: map[string]bool{}}, nil
}

// Path returns the path of an item's file in the output.
func (i *Item) Path(name string) string { return i.folder + "/" + name }

// List adds a written file to the list of contents. DSpace reads this list in the encoding of its
// machine, up to tabs and line ends. So a name must be ASCII without spaces at its ends, and a
// description is one line.
func (i *Item) List(b Bitstream) error {
	if err := checkName(b.Name); err != nil {
		return err
	}
	if b.Bundle == "" {
		b.Bundle = Original
	}
	line := b.Name + "\tbundle:" + b.Bundle
	if b.Read != "" {
		line += "\tpermissions:-r '" + b.Read + "'"
	}
	if d := oneLine(b.Description); d != "" {
		line += "\tdescription:" + d
	}
	if b.Primary && !i.primary[b.Bundle] {
		i.primary[b.Bundle] = true
		line += "\tprimary:true"
	}
	_, err := io.WriteString(i.contents, line+"\n")
	return err
}

// checkName rejects names that DSpace would misread.
func checkName(name string) error {
	for _, c := range []byte(name) {
		if c <= ' ' && c != ' ' || c >= 0x7f {
			return fmt.Errorf("%q: names in contents must be printable ASCII", name)
		}
	}
	switch {
	case name == "", strings.TrimSpace(name) != name, strings.HasPrefix(name, "-r "):
		return fmt.Errorf("%q is not a valid name in contents", name)
	case slices.Contains(reserved, name), strings.HasPrefix(name, "metadata_"):
		return fmt.Errorf("%q: DSpace reserves this name", name)
	}
	return nil
}

// maxDescription limits a description, in bytes.
const maxDescription = 1000

// oneLine converts a text to one line for contents.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(xmlstream.Sanitize(s)), " ")
	if len(s) > maxDescription {
		s = strings.ToValidUTF8(s[:maxDescription], "") + "…"
	}
	return s
}

// Close writes the item's metadata, and ends it. collections are the Handles or UUIDs of its
// collections, the owning one first; handle is the item's wanted Handle, or "".
func (i *Item) Close(list []Field, collections []string, handle string) error {
	if _, err := i.contents.Finish(); err != nil {
		return err
	}
	for _, schema := range schemas(list) {
		name := "metadata_" + schema + ".xml"
		if schema == "dc" {
			name = "dublin_core.xml"
		}
		if _, err := i.out.Write(i.Path(name), func(w io.Writer) error {
			return writeFields(w, schema, list)
		}); err != nil {
			return err
		}
	}
	if err := i.lines("collections", collections); err != nil || handle == "" {
		return err
	}
	return i.lines("handle", []string{handle})
}

// Abandon discards the item after an error.
func (i *Item) Abandon() { i.contents.Abandon() }

// lines writes a small file of lines, unless the list is empty. An empty line would end the import.
func (i *Item) lines(name string, list []string) error {
	if len(list) == 0 {
		return nil
	}
	for _, l := range list {
		if l == "" || strings.ContainsAny(l, " \t\r\n") {
			return fmt.Errorf("%s: %q is neither a Handle nor a UUID", name, l)
		}
	}
	_, err := i.out.Write(i.Path(name), func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(list, "\n")+"\n")
		return err
	})
	return err
}

// schemas returns the schemas of the fields: dc, which every item has, and the others by name.
func schemas(list []Field) []string {
	all := []string{"dc"}
	for i := range list {
		if !slices.Contains(all, list[i].Schema) {
			all = append(all, list[i].Schema)
		}
	}
	slices.Sort(all[1:])
	return all
}

// writeFields writes the fields of one schema (dublin_core.xml, metadata_SCHEMA.xml).
func writeFields(w io.Writer, schema string, list []Field) error {
	x := xmlstream.NewWriter(w, xmlstream.Options{Indent: true})
	x.Start("dublin_core")
	x.Attr("schema", schema)
	for i := range list {
		f := &list[i]
		if f.Schema != schema {
			continue
		}
		if f.Element == "" {
			return errors.New("a field of metadata has no element")
		}
		x.Start("dcvalue")
		x.Attr("element", f.Element)
		x.Attr("qualifier", qualifier(f.Qualifier))
		x.AttrOpt("language", f.Language)
		x.Text(xmlstream.Sanitize(f.Value)) // DSpace reads only the first text node: write only one
		x.End("dcvalue")
	}
	x.End("dublin_core")
	return x.Close()
}

func qualifier(q string) string {
	if q == "" {
		return "none"
	}
	return q
}
