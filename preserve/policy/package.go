package policy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/identify"
	"quire/preserve/inspect"
)

// Options of JudgePackage. The zero value is ready to use.
type Options struct {
	// identifies payload formats, if the policy needs them; nil means the built-in one
	Identify *identify.Identifier
	TempDir  string            // for waiting records; "" means the system default
	Start    func(total int64) // called with the bytes to read, before reading; may be nil
	Progress func(bytes int64) // called with bytes read; may be nil
}

// JudgePackage judges the package in a folder by its METS. If the policy needs more, it reads the
// containers again, and prefers their content to the METS. [aip.Validate] checks the integrity of
// the package.
//
// It returns an error if the folder cannot be read as a package, or after a system error.
func JudgePackage(ctx context.Context, dir string, p *Policy, o Options) (_ *Judgement, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // it was only read
	told, err := readMETS(ctx, root)
	if err != nil {
		return nil, fmt.Errorf("reading the METS of %s: %w", dir, err)
	}
	j, err := NewJudge(p, o.TempDir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	if err := j.Settle(told.pkg, told.harvests()); err != nil {
		return nil, err
	}
	if j.needs.Formats && o.Identify == nil {
		if o.Identify, err = identify.New(identify.Options{}); err != nil {
			return nil, err
		}
	}
	if j.needs.Containers && o.Start != nil {
		o.Start(told.bytes)
	}
	for _, c := range told.containers {
		if err := j.again(ctx, root, told.container(c), o); err != nil {
			return nil, err
		}
	}
	return j.Finish(), nil
}

// again judges a container, and reads it again if needed.
func (j *Judge) again(ctx context.Context, root *os.Root, c ContainerFacts, o Options) error {
	if j.needs.Containers {
		if info, err := root.Stat(c.Path); err != nil {
			return err
		} else if !info.Mode().IsRegular() { // check before opening: opening a named pipe waits for a writer
			return fmt.Errorf("%s is not a regular file", c.Path)
		}
		f, err := root.Open(c.Path)
		if err != nil {
			return err
		}
		defer f.Close() //nolint:errcheck // it was only read
		options := j.Inspect(ctx, c.Harvest, c.Path)
		options.Progress = o.Progress
		if j.needs.Formats {
			options.Identify = o.Identify
		}
		if c.Read, err = inspect.Reader(ctx, f, options); err != nil {
			return fmt.Errorf("reading %s: %w", c.Path, err)
		}
		if err := j.Wait(); err != nil {
			return err
		}
	}
	j.Container(c)
	return nil
}

// Inspect returns the options for reading a container for the judge.
func (j *Judge) Inspect(ctx context.Context, harvest int, path string) inspect.Options {
	o := inspect.Options{MaxFindings: 1, Served: j.Listen(ctx)}
	if j.needs.Records {
		o.Record = func(r model.Record) error { return j.Record(harvest, path, r) }
	}
	return o
}

// metsFacts holds the facts in the METS of a package.
type metsFacts struct {
	pkg        Package
	captures   map[int]premis.Event
	agents     map[string]string // names by identifier
	scans      map[int]*Scan
	received   map[int]string
	harvest    map[int]int // by number of the container
	containers []placed
	bytes      int64 // of the containers
}

// placed is a container in the fileSec.
type placed struct {
	n     int
	path  string
	bytes int64
}

func readMETS(ctx context.Context, root *os.Root) (*metsFacts, error) {
	f, err := aip.Open(root.FS(), aip.METSName)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t := &metsFacts{captures: map[int]premis.Event{}, agents: map[string]string{}, scans: map[int]*Scan{},
		received: map[int]string{}, harvest: map[int]int{}}
	return t, mets.Read(stopping{ctx, f}, mets.Handler{
		Root:    func(r mets.Root) error { t.pkg.ID, t.pkg.Title = r.ObjID, r.Label; return nil },
		Section: t.section,
		File:    t.file,
		Problem: func(mets.Problem) {}, // for aip.Validate
	})
}

// stopping is a reader that stops when the context ends.
type stopping struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (s stopping) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

func (t *metsFacts) section(s mets.Section, payload *xmlstream.Reader) error {
	if payload == nil {
		return nil
	}
	payload.OnUnknown = func(string) {} // the schemas check the elements of PREMIS
	n, _ := aip.NumberOf(s.ID, aip.ContainerObjID)
	check, _ := aip.NumberOf(s.ID, aip.VirusEventID)
	source, _ := aip.NumberOf(s.ID, aip.SourceObjID)
	switch {
	case HarvestNumber(s.ID) > 0:
		e, err := aip.ReadEvent(payload)
		t.captures[HarvestNumber(s.ID)] = e
		return err
	case strings.HasPrefix(s.ID, aip.AgentIDPrefix):
		a, err := premis.ReadAgent(payload)
		if err == nil && len(a.Identifiers) > 0 && len(a.Names) > 0 {
			t.agents[a.Identifiers[0].Value] = a.Names[0].Text
		}
		return err
	case check > 0:
		e, err := premis.ReadEvent(payload)
		if err == nil {
			t.scans[check], err = ScanOf(e)
		}
		return err
	case n > 0, source > 0:
		o, err := premis.ReadObject(payload, nil)
		if source > 0 {
			t.received[source] = receivedAs(o.Category)
			return err
		}
		for _, l := range o.Events {
			t.harvest[n] = max(t.harvest[n], HarvestNumber(l.Value))
		}
		return err
	}
	return nil
}

// receivedAs returns the original form of a container: an ARC is a file, a mirror a representation
// (docs/reference/310_package-format.md, 2.5).
func receivedAs(c premis.Category) string {
	if c == premis.Representation {
		return ReceivedMirror
	}
	return ReceivedARC
}

// The possible original forms of a container.
const (
	ReceivedARC    = "ARC"
	ReceivedMirror = "mirror"
)

// file reads a file of the fileSec. A nested file is a part of its parent, and an entry without a
// size is not a separate file (2.6, 2.8). CDXJ indexes were not received, so they do not count
// (2.17).
func (t *metsFacts) file(f mets.File, at mets.FilePlace) error {
	size, stated := f.Size.Get()
	in := func(use string) bool {
		return slices.ContainsFunc(at.Groups, func(g mets.FileGrp) bool { return g.Use == use })
	}
	if len(at.Files) > 0 || !stated || in(aip.UseIndexes) || in(aip.UseMETS) {
		return nil
	}
	t.pkg.Files++
	t.pkg.Bytes += size
	n, ok := aip.NumberOf(f.ID, aip.ContainerFileID)
	if !ok || !in(aip.UseContainers) {
		return nil
	}
	path, err := aip.PathOf(&f)
	if err != nil {
		return err
	}
	t.containers = append(t.containers, placed{n, path, size})
	t.bytes += size
	return nil
}

func (t *metsFacts) harvests() map[int]*HarvestFacts {
	all := map[int]*HarvestFacts{}
	for n, e := range t.captures {
		all[n] = HarvestOf(e, t.agents)
	}
	return all
}

func (t *metsFacts) container(c placed) ContainerFacts {
	return ContainerFacts{Harvest: t.harvest[c.n], Path: c.path, Bytes: c.bytes, Received: t.received[c.n],
		Scan: t.scans[c.n]}
}
