package harvest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"quire/format/warc"
	"quire/internal/disk"
	"quire/internal/warcbuild"
	"quire/source/oaiharvest"
)

// containers writes WARC files one after the other. Committed bytes stay valid: a resumed harvest
// removes only the bytes that follow them.
type containers struct {
	*harvest
	file    *os.File
	buf     *bufio.Writer
	out     *warc.Writer
	base    int64 // bytes in the file when out was created
	at      int64 // size of the file after all writes
	records int64
	info    string // id of the warcinfo record
	isNew   bool   // the file's name is not on the disk yet

	explained map[string]bool // SWHIDs of the schemas in the file, as far as known
}

const (
	containerPrefix = "data-"
	containerSuffix = ".warc.gz"
)

func containerName(n int) string { return fmt.Sprintf("%s%05d%s", containerPrefix, n, containerSuffix) }

func isContainer(name string) bool {
	return strings.HasPrefix(name, containerPrefix) && strings.HasSuffix(name, containerSuffix)
}

// openContainers removes files that the state does not list, and continues after those that it
// lists.
func openContainers(h *harvest) (*containers, error) {
	c := &containers{harvest: h}
	known := map[string]bool{}
	for _, f := range h.state.Files {
		known[f.Name] = true
	}
	entries, err := os.ReadDir(h.folder.path)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if isContainer(e.Name()) && !known[e.Name()] {
			if err := os.Remove(h.folder.at(e.Name())); err != nil {
				return nil, err
			}
		}
	}
	n := len(h.state.Files)
	if n == 0 {
		return c, nil
	}
	last := h.state.Files[n-1]
	if last.Window == h.windowN() && last.Bytes < h.MaxFile {
		return c, c.goOn(last)
	}
	file, err := os.OpenFile(h.folder.at(last.Name), os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return c, errors.Join(cut(file, last.Bytes), file.Close())
}

// goOn reopens the last container. Its records refer to the warcinfo at its start.
func (c *containers) goOn(f oaiharvest.File) error {
	file, err := os.OpenFile(c.folder.at(f.Name), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := cut(file, f.Bytes); err != nil {
		return errors.Join(err, file.Close())
	}
	c.info = c.infoID(f.Name)
	return c.use(file, f.Bytes, f.Records)
}

func (c *containers) use(file *os.File, size, records int64) (err error) {
	c.file, c.base, c.at, c.records, c.explained = file, size, size, records, map[string]bool{}
	c.buf = bufio.NewWriterSize(file, 256<<10)
	c.out, err = warc.NewWriter(c.buf, warc.WriterOptions{Compression: warc.Gzip})
	return err
}

// room ensures that a record can be written. It starts a new container if there is none or if the
// last container is full.
func (c *containers) room() error {
	if c.file != nil && c.at < c.MaxFile {
		return nil
	}
	if c.file != nil {
		if err := c.finish(); err != nil {
			return err
		}
	}
	name := containerName(len(c.state.Files) + 1)
	file, err := os.OpenFile(c.folder.at(name), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	c.state.Files = append(c.state.Files, oaiharvest.File{Name: name, Window: c.windowN()})
	c.isNew = true
	if err := c.use(file, 0, 0); err != nil {
		return err
	}
	fields, block := c.infoRecord(name)
	c.info = fields[len(fields)-1].Value
	return c.writeBytes(fields, block)
}

// explained describes the file for a reader who has only this file of the harvest.
const explained = "Records of type resource and response are web resources, with the bytes that the server handed " +
	"out by OAI-PMH 2.0. Each metadata record " +
	"that is concurrent to one (WARC-Concurrent-To) says something of it, and OAI-Part names what: http-header, the " +
	"head with which it is served; tool-output, what a " +
	"program on the server said of its bytes, unverified; source, the same of earlier holders; statement, " +
	"what else the server's document said; about, of the record; facts, what the harvester knows; document, all of " +
	"the server's document as it came. " +
	"schema is an XML schema that the documents name. " +
	"metadata is a record of the server as it came, deleted one that is gone there."

// infoRecord returns the warcinfo of a container (ISO 28500:2017, 6.2). It depends only on values
// that do not change during the window, so that its id can be computed again.
func (c *containers) infoRecord(name string) ([]warc.NameValue, []byte) {
	w := c.window
	b := warcbuild.AppendField(nil, "software", c.state.Software)
	b = warcbuild.AppendField(b, "format", "WARC File Format 1.1")
	b = warcbuild.AppendField(b, "conformsTo",
		"http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/")
	b = warcbuild.AppendField(b, "description", "OAI-PMH harvest of "+c.state.BaseURL+". "+explained)
	b = warcbuild.AppendField(b, "http-header-user-agent", c.state.UserAgent)
	for _, f := range []warc.NameValue{
		{Name: "oai-base-url", Value: c.state.BaseURL}, {Name: "oai-metadata-prefix", Value: c.state.Prefix},
		{Name: "oai-set", Value: c.state.Set},
		{Name: "oai-from", Value: w.From}, {Name: "oai-until", Value: w.Until},
		{Name: "oai-repository-name", Value: c.state.Server.Name},
	} {
		b = warcbuild.AppendField(b, f.Name, f.Value)
	}
	fields := []warc.NameValue{
		{Name: warc.FieldType, Value: warc.TypeWarcinfo}, {Name: warc.FieldDate, Value: warc.FormatDate(w.Began)},
		{Name: warc.FieldFilename, Value: name}, {Name: warc.FieldContentType, Value: "application/warc-fields"},
	}
	id := warcbuild.RecordID(append(fields, warc.NameValue{Name: "block", Value: string(b)}))
	return append(fields, warc.NameValue{Name: warc.FieldRecordID, Value: id}), b
}

// infoID returns the id of the warcinfo of a continued container.
func (c *containers) infoID(name string) string {
	f, err := os.Open(c.folder.at(name))
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }() // read only
	return firstRecordID(f)
}

// write writes one record.
func (c *containers) write(fields []warc.NameValue, size int64, block io.Reader) error {
	_, n, err := c.out.Write(fields, size, block)
	c.at += n
	c.records++
	return err
}

func (c *containers) writeBytes(fields []warc.NameValue, block []byte) error {
	_, n, err := c.out.WriteBytes(fields, block)
	c.at += n
	c.records++
	return err
}

// sync syncs the written records to the disk and updates the length in the state.
func (c *containers) sync() error {
	if c.file == nil {
		return nil
	}
	if err := errors.Join(c.buf.Flush(), c.file.Sync()); err != nil {
		return err
	}
	f := &c.state.Files[len(c.state.Files)-1]
	f.Bytes, f.Records = c.at, c.records
	if c.isNew {
		c.isNew = false
		return disk.SyncFolder(c.folder.path)
	}
	return nil
}

// finish ends a container.
func (c *containers) finish() error {
	if c.file == nil {
		return nil
	}
	err := errors.Join(c.sync(), c.file.Close())
	c.file = nil
	return err
}

// abort closes without keeping uncommitted bytes, which the next run cuts off.
func (c *containers) abort() error {
	if c.file == nil {
		return nil
	}
	return c.file.Close()
}
