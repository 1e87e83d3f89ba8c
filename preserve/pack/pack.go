package pack

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"path/filepath"
	"time"

	"quire/model"
	"quire/preserve/folder"
	"quire/preserve/internal/spool"
	"quire/preserve/internal/workplace"
)

// Options of Pack.
type Options struct {
	Out      string            // the package folder to make; it must not exist, or be empty
	ID       string            // "" makes one of the content
	Title    string            // "" takes one from the source
	Agent    model.Agent       // the software that packs: name and version
	Start    func(total int64) // told the bytes to be read, before reading; may be nil
	Progress func(bytes int64) // told of bytes read; may be nil
	Now      func() time.Time  // nil is time.Now
}

// Result is what was made.
type Result struct {
	Package    string        `json:"package"` // path of the folder
	ID         string        `json:"id"`
	Title      string        `json:"title"`
	METS       string        `json:"mets"` // path of the METS
	Containers int64         `json:"containers"`
	Records    int64         `json:"records"`
	OtherFiles int64         `json:"other_files"`
	Bytes      int64         `json:"bytes"` // of all files, mets.xml included
	First      *time.Time    `json:"first"`
	Last       *time.Time    `json:"last"`
	Outcome    model.Outcome `json:"outcome"` // invalid when a container is
	Checked    []Checked     `json:"checked"` // the containers, at most MaxChecked
}

// Checked is the verdict on one container.
type Checked struct {
	Path     string        `json:"path"` // within the package
	Outcome  model.Outcome `json:"outcome"`
	Records  int64         `json:"records"`
	Findings int64         `json:"findings"`
	Worst    string        `json:"worst,omitempty"` // the first of its worst findings
}

// MaxChecked is how many containers a Result lists. The METS has them all.
const MaxChecked = 1000

// Pack makes a package of the sources: containers, or folders that hold some. Options.Out appears when everything is
// written and synced; after an error nothing is left behind.
func Pack(ctx context.Context, sources []string, o Options) (_ *Result, err error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if len(sources) == 0 {
		return nil, errors.New("nothing to pack: name a container or a folder that holds some")
	}
	if err := checkID(o.ID); err != nil {
		return nil, err
	}
	if err := workplace.Check(o.Out); err != nil {
		return nil, err
	}
	work, err := workplace.New(filepath.Dir(filepath.Clean(o.Out)))
	if err != nil {
		return nil, fmt.Errorf("making a folder beside %s: %w", o.Out, err)
	}
	defer work.Close()
	defer func() {
		if err != nil {
			err = errors.Join(err, work.Remove())
		}
	}()
	found, err := gather(sources, work.Path())
	if err != nil {
		return nil, err
	}
	b, err := newBuilder(work.Path(), sources, o)
	if err != nil {
		return nil, err
	}
	b.harvest.left = found.left
	err = errors.Join(b.build(ctx, found.items), b.spool.Close())
	if err != nil {
		return nil, err
	}
	if err := work.Install(o.Out); err != nil {
		return nil, err
	}
	b.result.Package = o.Out
	b.result.METS = filepath.Join(o.Out, folder.METSName)
	return &b.result, nil
}

// builder makes one package.
type builder struct {
	o       Options
	temp    string
	sources []string
	spool   *spool.Spool[packed]
	sync    *syncer
	buffer  []byte // for copying
	result  Result
	harvest harvest
	content hash.Hash // over the digests and paths of all files, for the identifier
	started time.Time
	read    time.Time // when the last file had been read
}

func newBuilder(temp string, sources []string, o Options) (*builder, error) {
	s, err := spool.New[packed](temp)
	if err != nil {
		return nil, err
	}
	b := &builder{o: o, temp: temp, sources: sources, spool: s, content: sha256.New(), buffer: make([]byte, 256<<10), result: Result{Outcome: model.Valid, Checked: []Checked{}}}
	b.started = b.now()
	return b, nil
}

// now is the time, as precisely as events are dated.
func (b *builder) now() time.Time { return b.o.Now().UTC().Truncate(time.Second) }

func (b *builder) build(ctx context.Context, items []item) error {
	b.announce(items)
	if err := b.takeAll(ctx, items); err != nil {
		return err
	}
	if b.result.Records == 0 && b.result.Outcome != model.Valid && !b.anyContainer() {
		return fmt.Errorf("%w in %s: what is there has the name of one, but cannot be read as one", ErrNoContainer, join(b.sources))
	}
	b.read = b.now()
	b.name()
	return b.describe()
}

// takeAll copies all files, and returns when they are on the disk.
func (b *builder) takeAll(ctx context.Context, items []item) (err error) {
	b.sync = newSyncer()
	defer func() { err = errors.Join(err, b.sync.close()) }()
	n := map[bool]int{}
	for _, it := range items {
		n[it.container]++
		if err := b.take(ctx, it, n[it.container]); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) anyContainer() bool { return b.harvest.containers > 0 }

func (b *builder) announce(items []item) {
	if b.o.Start == nil {
		return
	}
	var total int64
	for _, it := range items {
		total += it.size
	}
	b.o.Start(total)
}

// name settles identifier and title.
func (b *builder) name() {
	base := baseName(b.sources[0])
	b.result.Title = b.o.Title
	switch {
	case b.o.Title != "":
		b.harvest.note("title", "given to quire pack")
	case b.harvest.title != "":
		b.result.Title = b.harvest.title
		b.harvest.note("title", b.harvest.titleSource)
	default:
		b.result.Title = base
		b.harvest.note("title", "the name of the source "+base)
	}
	b.result.First, b.result.Last = b.harvest.first, b.harvest.last
	b.result.ID = b.o.ID
	if b.result.ID == "" {
		b.result.ID = makeID(base, b.result.First, b.content.Sum(nil))
	}
}
