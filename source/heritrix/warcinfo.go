package heritrix

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"quire/format/arc"
	"quire/format/inflate"
	"quire/format/warc"
	"quire/model"
	"quire/source/tree"
)

// maxInfo is how much of the first record of a container is read, in bytes.
const maxInfo = 1 << 20

// readContainerInfo takes from the first record of the first container who wrote it. It is the best witness of the crawler's
// version and of the user agent that was sent: a configuration may be a template, years older than the crawler.
func readContainerInfo(t *tree.Tree, f *facts) error {
	for _, file := range f.about.Files {
		if file.Role != model.RoleContainer || file.Size == 0 {
			continue
		}
		content, err := t.Open(file.Path)
		if err != nil {
			return err
		}
		fields := firstRecord(content)
		if err := content.Close(); err != nil {
			return err
		}
		tellInfo(f, fields, file.Path)
		return nil
	}
	return nil
}

// tellInfo takes the fields over. WARC and ARC call them alike.
func tellInfo(f *facts, fields []warc.NameValue, file string) {
	about := f.about
	for _, v := range fields {
		source := "field " + v.Name + " of the first record of " + file
		switch strings.ToLower(v.Name) {
		case "software":
			f.tell(&about.Software, "software", v.Value, source)
		case "hostname":
			f.tell(&about.Host, "host", v.Value, source)
		case "operator":
			f.tell(&about.Operator, "operator", v.Value, source)
		case "publisher":
			f.tell(&about.Organization, "organization", v.Value, source)
		case "ispartof":
			f.tell(&about.Collection, "collection", v.Value, source)
		case "description":
			f.tell(&about.Note, "note", v.Value, source)
		case "robots":
			f.tell(&about.Robots, "robots policy", v.Value, source)
		case "http-header-user-agent":
			f.tell(&about.UserAgent, "user agent", v.Value, source)
		case "http-header-from":
			f.tell(&about.Contact, "contact", v.Value, source)
		}
	}
}

// firstRecord gives the fields of a warcinfo, or of the metadata of an ARC's version block. A container that cannot be read has
// none; what is wrong with it is told where containers are inspected.
func firstRecord(content io.ReadSeeker) []warc.NameValue {
	if rec, err := warc.NewReader(inflate.NewReader(content, inflate.Options{})).Next(); err == nil && rec.Type() == warc.TypeWarcinfo {
		block, err := io.ReadAll(io.LimitReader(rec, maxInfo))
		if err != nil {
			return nil
		}
		return warc.ParseFields(block)
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return nil
	}
	rec, err := arc.NewReader(inflate.NewReader(content, inflate.Options{})).Next()
	if err != nil || !rec.IsVersionBlock() {
		return nil
	}
	block, err := io.ReadAll(io.LimitReader(rec, maxInfo))
	at := bytes.Index(block, []byte("<?xml"))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) || at < 0 {
		return nil
	}
	root, err := parseXML(bytes.NewReader(block[at:]))
	if err != nil {
		return nil
	}
	var fields []warc.NameValue
	for _, c := range root.children {
		fields = append(fields, warc.NameValue{Name: c.name, Value: c.value()})
	}
	return fields
}
