package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"quire/format/arc"
	"quire/format/inflate"
	"quire/format/warc"
	"quire/model"
	"quire/preserve/antivirus"
	"quire/preserve/identify"
)

// Options configures the pass. The zero value is usable.
type Options struct {
	MaxFindings int                 // listed per code and container; 0: DefaultMaxFindings; negative: none
	Finding     func(model.Finding) // receives every finding, also beyond the limit; may be nil
	CopyTo      io.Writer           // receives each byte once, in order, from another goroutine; may be nil
	Progress    func(bytes int64)   // receives the bytes read, from another goroutine; may be nil
	Strict      bool                // a violation of the container's own standard is an error
	Policy      Policy              // severities by code, with precedence; may be nil
	Name        string              // of the file, for comparison with its contents; File uses the path
	Set         *Set                // the files of this call, for comparing ids and references; may be nil

	// Identify identifies the formats of payloads. Nil disables this. One Identifier serves many
	// passes, and remembers payloads.
	Identify *identify.Identifier

	// Languages counts pages and plain texts by their language.
	Languages bool

	// Contents digests payloads for Record, for comparisons: see model.Content.
	Contents bool

	// Bodies digests bodies for Record: see model.Body.
	Bodies Bodies
	// SHA512 also computes the SHA-512 of the bodies that have both digests; see [Bodies].
	SHA512 bool

	// Served is called at the head of each body that can be read as served, and returns the
	// receiver of the content, or nil. It receives the known data of the record (its header and the
	// HTTP head; no lengths, no format). The bytes arrive while the file is read, long before
	// Record is called, which waits for format and scan; Record.Order connects both. May be nil.
	Served func(model.Record) Served

	// Scan scans payloads for viruses. Nil disables this. If it is unreachable and not optional,
	// the pass ends with its error.
	Scan *antivirus.Scanner

	// Record is called after each record, in the order of the file. Its error ends the pass. May be
	// nil.
	Record func(model.Record) error

	path string // for the Set
}

// container is the result under construction.
type container = model.Container

// File inspects the file at path. The error is from the machine, or from CopyTo; problems of the
// container are in the result.
func File(ctx context.Context, path string, o Options) (*model.Container, error) {
	// Before opening: opening a named pipe would wait for a writer.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if o.Name == "" {
		o.Name = filepath.Base(path)
	}
	o.path = path
	c, err := Reader(ctx, f, o)
	if err != nil {
		return nil, fmt.Errorf("inspecting %s: %w", path, err)
	}
	c.Path = path
	return c, nil
}

// Reader inspects the container in r, from its beginning.
func Reader(ctx context.Context, r io.ReadSeeker, o Options) (*model.Container, error) {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	p := &pass{ctx: ctx, options: o, tap: newTap(ctx, r, o), found: newFindings(o), sums: newSums()}
	defer p.tap.onlookers.close()
	p.in = inflate.NewReader(p.tap, inflate.Options{Report: p.found.add, Holds: holdsRecords, Ahead: true})
	defer p.stop()
	err := p.read()
	if closeErr := p.in.Close(); err == nil { // before the tap continues: it is then the only reader
		err = closeErr
	}
	if err != nil {
		return nil, err
	}
	if err := p.tap.finish(); err != nil {
		return nil, err
	}
	return p.result(), nil
}

// observer observes each record. It keeps its results, or reports faults.
type observer interface {
	begin(*entry)             // the header was read
	chunk(block []byte) error // part of the block, valid during the call
	end(*entry) error         // the block has ended
}

// pass is one reading of one container.
type pass struct {
	ctx       context.Context
	options   Options
	tap       *tap
	in        *inflate.Reader
	found     *findings
	sums      *sums
	structure *structureObserver
	reader    reader
	payload   *payloadObserver
	formats   *formats
	scans     *scans
	records   *records
	refs      *refObserver // nil without a Set
	observers []observer
	format    string
}

// chunkSize is the largest part of a block that the observers receive at once, in bytes.
const chunkSize = 256 << 10

// read passes all records to the observers, if there are records.
func (p *pass) read() error {
	format, err := sniff(p.in, p.options.Name)
	format = cmp.Or(format, formatOfName(p.options.Name))
	if err != nil || format == "" {
		return err
	}
	p.format = format
	p.reader = p.newReader()
	if err := p.observe(); err != nil {
		return err
	}
	for {
		e, err := p.reader.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := p.reportRecord(e); err != nil {
			return err
		}
	}
	p.payload.heads.finish()
	if p.refs != nil {
		p.refs.finish()
	}
	if err := p.scans.finish(); err != nil {
		return err
	}
	return p.records.finish()
}

// newReader returns a reader for the container's format.
func (p *pass) newReader() reader {
	if p.format == "WARC" {
		r := warc.NewReader(p.in)
		r.Report = p.found.add
		return &warcReader{r: r}
	}
	r := arc.NewReader(p.in)
	r.Report = p.found.add
	return &arcReader{r: r}
}

// observe creates the observers.
func (p *pass) observe() (err error) {
	if p.scans, err = newScans(p.ctx, p.options.Scan, p.found.add); err != nil {
		return err
	}
	p.structure = &structureObserver{report: p.found.add, name: p.options.Name, latest: time.Now().Add(day)}
	p.formats = newFormats(p.options.Identify, p.found.add)
	p.records = newRecords(p.options.Record)
	p.payload = newPayloadObserver(p.found.add, p.formats, p.options.Contents)
	p.payload.scans = p.scans
	p.payload.texts = newLanguages(p.options.Languages, p.sums.room)
	p.payload.heads.severity = p.options.severityOf
	p.payload.bodies = newBodies(p.options.Bodies, p.options.SHA512, p.listener(), p.payload.coding)
	p.observers = []observer{p.structure, p.payload, &fieldsObserver{report: p.found.add}}
	if set := p.options.Set; set != nil {
		p.refs = &refObserver{set: set, report: p.found.add, header: &p.structure.header,
			out: collected{name: cmp.Or(p.options.path, p.options.Name)}}
		p.observers = append(p.observers, p.refs)
	}
	return nil
}

// listener returns the function that asks Options.Served for a receiver of a record's content. It
// returns nil if Options.Served is nil.
func (p *pass) listener() func(*entry) Served {
	if p.options.Served == nil {
		return nil
	}
	return func(e *entry) Served {
		r := recordOf(e)
		r.Order = p.sums.total + 1 // counted at the end of the record
		return p.options.Served(r)
	}
}

// stop releases pending work of a pass that ended early.
func (p *pass) stop() {
	if p.payload != nil {
		p.payload.coding.stop()
		p.formats.stop()
		p.scans.stop()
	}
}

// record passes one record to the observers, and returns its size in the file, -1 if not known.
func (p *pass) record(e *entry) (stored int64, err error) {
	for _, o := range p.observers {
		o.begin(e)
	}
	for {
		chunk, err := p.reader.chunk(chunkSize)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			// A truncated ARC block simply ends. Without a declared length, the end of the block is
			// a guess.
			e.cut = errors.Is(err, io.ErrUnexpectedEOF) || e.read < e.size || e.size < 0
			break
		}
		if err != nil {
			return 0, err
		}
		e.read += int64(len(chunk))
		for _, o := range p.observers {
			if err := o.chunk(chunk); err != nil {
				return 0, err
			}
		}
	}
	e.read = p.reader.held()
	for _, o := range p.observers {
		if err := o.end(e); err != nil {
			return 0, err
		}
	}
	if stored, err = p.reader.close(); err != nil {
		return 0, err
	}
	p.sums.end(e, stored)
	p.formats.takes(stored)
	return stored, nil
}

// result returns the results of the pass.
func (p *pass) result() *model.Container {
	at, _ := p.in.Position()
	c := &container{
		Outcome: model.Valid, Format: p.format, Versions: []string{}, Compression: string(p.in.Compression()),
		Bytes: p.tap.high, InflatedBytes: at.Inflated, SHA512: p.tap.sum(),
	}
	p.sums.fill(c)
	p.formats.fill(c)
	p.scans.fill(c)
	if p.reader != nil {
		p.payload.texts.fill(c)
		c.Info = p.structure.fields
		p.reader.finish(c)
	}
	if p.in.Compression() == inflate.Gzip && p.in.Members() == 1 && c.Records.Total > 1 {
		c.Compression = "gzip-whole"
	}
	for _, f := range c.Info {
		if f.Name == "software" && c.Software == "" {
			c.Software = f.Value
		}
	}
	c.Findings, c.FindingsTotal, c.FindingCounts = p.found.kept, p.found.total, p.found.byCode()
	switch {
	case p.format == "":
		c.Outcome = model.NotContainer
	case p.found.errors > 0:
		c.Outcome = model.Invalid
	}
	return c
}
