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

// Item is an item in the Simple Archive Format: a folder with files, what they are (contents), and
// what is said of them (dublin_core.xml, metadata_SCHEMA.xml). Files may come in any number; their
// list is on the disk as they come.
type Item struct {
	out      *export.Output
	folder   string
	contents *export.Writer
	primary  map[string]bool // bundles that have one
}

// Bitstream is a file of an item.
type Bitstream struct {
	Name        string // path in the folder of the item
	Bundle      string // "" is Original
	Description string
	Primary     bool   // of its bundle: the first that says so
	Read        string // only this group may read it; "" leaves that to the collection
}

// The bundles of DSpace that are written here.
const (
	Original = "ORIGINAL" // what readers are shown
	Metadata = "METADATA" // what is said of it
)

// Administrators are the group that every DSpace has. What is not for everybody is theirs: a group
// that a DSpace does not have would leave a bitstream to whoever may read the collection.
const Administrators = "Administrator"

// reserved are the names in the folder of an item that DSpace reads for itself.
var reserved = []string{"contents", "dublin_core.xml", "collections", "handle", "relationships"}

// NewItem begins an item in a folder of the output.
func NewItem(out *export.Output, folder string) (*Item, error) {
	w, err := out.Create(folder + "/contents")
	if err != nil {
		return nil, err
	}
	return &Item{out: out, folder: folder, contents: w, primary: map[string]bool{}}, nil
}

// Path is where a file of the item is in the output.
func (i *Item) Path(name string) string { return i.folder + "/" + name }

// List puts a file, which has been written, into the list of contents. DSpace reads that in
// whatever encoding its machine has, to tabs and line ends: so a name must be ASCII without spaces
// at its ends, and a description is one line.
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

// checkName refuses a name that DSpace would read as something else.
func checkName(name string) error {
	for _, c := range []byte(name) {
		if c <= ' ' && c != ' ' || c >= 0x7f {
			return fmt.Errorf("%q: a name in contents is of printable ASCII", name)
		}
	}
	switch {
	case name == "", strings.TrimSpace(name) != name, strings.HasPrefix(name, "-r "):
		return fmt.Errorf("%q is no name for contents", name)
	case slices.Contains(reserved, name), strings.HasPrefix(name, "metadata_"):
		return fmt.Errorf("%q: DSpace reads this name for itself", name)
	}
	return nil
}

// maxDescription bounds a description, in bytes.
const maxDescription = 1000

// oneLine makes a text one that stands in a line of contents.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(xmlstream.Sanitize(s)), " ")
	if len(s) > maxDescription {
		s = strings.ToValidUTF8(s[:maxDescription], "") + "…"
	}
	return s
}

// Close writes what is said of the item, and ends it. collections are the Handles or UUIDs of the
// collections that it goes into, the owning one first; handle is the one that it shall have, or "".
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

// Abandon gives the item up after an error.
func (i *Item) Abandon() { i.contents.Abandon() }

// lines writes a small file of lines; none when there is nothing. An empty line would end the
// import.
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

// schemas are those of the fields: dc, which every item has, and the others in the order of their
// names.
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
		x.Text(xmlstream.Sanitize(f.Value)) // DSpace reads the first node of text only: nothing may stand beside it
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
