package pack

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"path/filepath"
	"slices"
	"time"

	"quire/internal/atomicdir"
	"quire/internal/disk"
	"quire/internal/spool"
	"quire/metadata/mets"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/antivirus"
	"quire/preserve/cdxj"
	"quire/preserve/convert"
	"quire/preserve/describe/rowmatch"
	"quire/preserve/identify"
	"quire/preserve/policy"
	"quire/preserve/reconcile"
	"quire/preserve/statements"
	"quire/source"
	"quire/source/detect"
)

// Options configures Pack.
type Options struct {
	Out           string        // the package folder to make; it must not exist, or be empty
	ID            string        // "" derives it from the content
	Title         string        // "" means the title of the source
	Keep          Keep          // which originals are packed with their WARC files
	Profile       Profile       // level of detail of the METS
	METS          METSForm      // number of documents of the METS
	SchemaVersion SchemaVersion // versions of PREMIS, MODS and containerMD
	// path of a file with rights (docs/reference/325_rights.md); it is packed as documentation
	Rights    string
	Documents []string           // paths of files about the harvests, packed as documentation
	Sheet     *Sheet             // describes the content; nil without a sheet
	Source    detect.Options     // how the sources are read
	Agent     model.Agent        // the packing software: name and version
	Scan      *antivirus.Scanner // scans for viruses; nil does not scan
	Cleaner   *antivirus.Cleaner // cleans infected content; nil does not clean
	Policy    *policy.Policy     // checks the package; nil does not check
	// identifies formats, if the Profile or the Policy needs them; nil is the built-in one
	Identify *identify.Identifier
	Start    func(total int64) // receives the bytes to read, before reading; may be nil
	Progress func(bytes int64) // receives the bytes read; may be nil
	Now      func() time.Time  // nil is time.Now

	linksOnDisk bool // resolve links as for a package with many captures: for tests
}

// Result describes the package that was made.
type Result struct {
	Package    string     `json:"package"` // path of the folder
	ID         string     `json:"id"`
	Title      string     `json:"title"`
	METS       string     `json:"mets"` // path of the METS
	Containers int64      `json:"containers"`
	Records    int64      `json:"records"`
	OtherFiles int64      `json:"other_files"`
	Bytes      int64      `json:"bytes"` // of all files, including mets.xml
	First      *time.Time `json:"first"`
	Last       *time.Time `json:"last"`
	// invalid if a container is, or if part of the source could not be read
	Outcome   model.Outcome `json:"outcome"`
	Checked   []Checked     `json:"checked"` // the containers, at most MaxChecked
	Harvests  []HarvestRef  `json:"harvests"`
	Converted int64         `json:"converted"` // containers made by normalizing
	Originals int64         `json:"originals"` // original files kept in the package
	Refused   []string      `json:"refused"`   // unread parts of the source, at most MaxChecked
	Scan      *Scan         `json:"scan"`      // for viruses; null without a scanner
	Described *Described    `json:"described"` // by a sheet; null without one
	// rows of the sheet about websites and pages that were not captured, at most rowmatch.MaxUnfound
	Unfound    []rowmatch.Unfound `json:"rows_not_captured"`
	Restricted int64              `json:"restricted"` // restricted files
	Rights     int64              `json:"rights"`     // rights statements
	// current access to the package as a whole, by these; "" if not stated
	Access model.Zone `json:"access"`

	Policy *policy.Judgement `json:"policy"` // result of the policy; null without one

	Completeness []Completeness `json:"completeness"` // of the harvests with something to compare
}

// Checked is the result for one container.
type Checked struct {
	Path     string        `json:"path"` // within the package
	Outcome  model.Outcome `json:"outcome"`
	Records  int64         `json:"records"`
	Findings int64         `json:"findings"`
	Worst    string        `json:"worst,omitempty"` // the first of its most severe findings

	// Original is the fault of the container's source, if that makes the Outcome of the Result
	// invalid.
	Original string `json:"original,omitempty"`
}

// HarvestRef names a harvest of the package in short form.
type HarvestRef struct {
	System        model.System        `json:"system"`
	ID            string              `json:"id"`
	Documentation model.Documentation `json:"documentation"`
	// Warnings are the findings about the harvest that are no information only, one of each code, and
	// at most MaxWarnings: a run that broke off, dates in doubt. Restricted files are counted apart.
	Warnings []HarvestWarning `json:"warnings"`
}

// HarvestWarning is the first finding of a code about a harvest, with their number.
type HarvestWarning struct {
	Code    string `json:"code"`
	Path    string `json:"path"`
	Message string `json:"message"`
	Count   int64  `json:"count"`
}

// MaxWarnings is how many warnings a HarvestRef lists.
const MaxWarnings = 20

// warningsOf returns the warnings about a harvest.
func warningsOf(about *model.Harvest) []HarvestWarning {
	all := []HarvestWarning{}
	for _, f := range about.Findings {
		i := slices.IndexFunc(all, func(w HarvestWarning) bool { return w.Code == f.Code })
		switch {
		case f.Severity == model.Info, f.Code == source.CodeSecret, f.Code == source.CodePersonal: // see Restricted
		case i >= 0:
			all[i].Count++
		case len(all) < MaxWarnings:
			all = append(all, HarvestWarning{Code: f.Code, Path: f.Path, Message: f.Message, Count: 1})
		}
	}
	return all
}

// MaxChecked is how many containers a Result lists. The METS has them all.
const MaxChecked = 1000

// Pack makes a package of the sources: containers, or folders with containers. Options.Out appears
// when everything is written and synced; after an error nothing remains.
func Pack(ctx context.Context, sources []string, o Options) (_ *Result, err error) {
	described, err := o.check(ctx, sources)
	if err != nil {
		return nil, err
	}
	work, err := atomicdir.Beside(o.Out)
	if err != nil {
		return nil, err
	}
	defer work.End(&err)
	surveyed, err := newSurvey(sources, work.Path())
	if err != nil {
		return nil, err
	}
	source, err := o.Source.Open(ctx, sources...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	b, err := newBuilder(work.Path(), sources, o)
	if err != nil {
		return nil, err
	}
	b.left, b.described = surveyed.left, described
	b.described.begin(b.temp)
	if err := errors.Join(b.build(ctx, source), b.close()); err != nil {
		return nil, err
	}
	if err := work.Install(o.Out); err != nil {
		return nil, err
	}
	b.result.Package = o.Out
	b.result.METS = filepath.Join(o.Out, aip.METSName)
	return &b.result, nil
}

// check completes the options. Before any work, it refuses options that cannot be fulfilled. It
// returns the sheet that it read, or nil without a sheet.
func (o *Options) check(ctx context.Context, sources []string) (*description, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if len(sources) == 0 {
		return nil, errors.New("nothing to pack: name a container or a folder with containers")
	}
	if err := errors.Join(checkID(o.ID), o.Keep.check(), o.Profile.check(), o.METS.check()); err != nil {
		return nil, err
	}
	if err := atomicdir.Check(o.Out); err != nil {
		return nil, err
	}
	if err := errors.Join(checkPolicy(o), checkScanner(ctx, *o)); err != nil {
		return nil, err
	}
	return o.openSheet()
}

// builder makes one package.
type builder struct {
	o        Options
	temp     string
	sources  []string
	spool    *spool.Spool[packed]
	contents *contentRows // records of the containers, as far as the METS lists them
	lines    *cdxj.Maker
	web      *webPages // nil if pages are not listed

	linkWriter *linkWriter // of the current document; nil before the first link
	front      frontPage

	titleSource *aip.TitleSource // nil if the title is not from a page
	derived     *derivations
	transforms  []mets.Transform     // of the current bytestream
	formats     *identify.Identifier // nil if formats are not listed
	judge       *policy.Judge        // nil without a policy
	sync        *syncer
	buffer      []byte // for copying
	result      Result
	facts       facts
	left        omissions
	originals   []packed // ARC files that are kept
	secrets     []string // distinct reasons for restricting files
	rights      []statements.Statement
	grantors    []string // distinct grantors of rights
	scanners    []model.Scanner
	infections  infections
	described   *description // nil without a sheet
	attached    int64        // descriptions in the containers
	docs        metsDocuments
	harvestOf   map[int]int // of containers, by number
	content     hash.Hash   // over digests and paths of all files, for the identifier
	own         ownDescriptions
	complete    *reconcile.Completeness
	started     time.Time
	read        time.Time // when the last file was read
}

func newBuilder(temp string, sources []string, o Options) (*builder, error) {
	s, err := spool.New[packed](temp)
	if err != nil {
		return nil, err
	}
	c, err := newContentRows(temp)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	b := &builder{o: o, temp: temp, sources: sources, spool: s, contents: c, lines: cdxj.NewMaker(temp),
		content: sha256.New(), buffer: make([]byte, 256<<10),
		result: Result{Outcome: model.Valid, Checked: []Checked{}, Refused: []string{}, Harvests: []HarvestRef{},
			Completeness: []Completeness{}}}
	if b.formats, err = o.identifier(); err != nil {
		return nil, errors.Join(err, s.Close(), c.close())
	}
	if b.web, err = newWebPages(temp, o.Profile); err != nil {
		return nil, errors.Join(err, s.Close(), c.close())
	}
	b.harvestOf = map[int]int{}
	b.front.begin()
	b.started = b.now()
	if o.Policy != nil {
		if b.judge, err = policy.NewJudge(o.Policy, temp); err != nil {
			return nil, errors.Join(err, s.Close(), c.close())
		}
	}
	return b, nil
}

// close removes the temporary files.
func (b *builder) close() error {
	err := errors.Join(b.spool.Close(), b.contents.close(), b.lines.Close(), b.web.close(), b.described.close(),
		b.closeComplete())
	if b.judge != nil {
		err = errors.Join(err, b.judge.Close())
	}
	return err
}

// now returns the time in the precision of events.
func (b *builder) now() time.Time { return b.o.Now().UTC().Truncate(time.Second) }

func (b *builder) build(ctx context.Context, source *detect.Source) error {
	plan, l, err := b.plan(ctx, source)
	if err != nil {
		return err
	}
	if err := b.beginComplete(ctx, source, plan); err != nil {
		return err
	}
	if err := b.readLogs(ctx, plan); err != nil {
		return err
	}
	for _, h := range plan.Harvests {
		b.front.addSeeds(h.About().Seeds)
	}
	if b.o.Start != nil {
		b.o.Start(l.bytes())
	}
	if err := b.takeAll(ctx, l.items); err != nil {
		return err
	}
	if b.result.Records == 0 && b.result.Outcome != model.Valid && b.facts.whole.containers == 0 {
		return b.onlyNamed()
	}
	b.refused(source)
	b.read = b.now()
	if err := errors.Join(b.compareComplete(), b.match(), b.readOwn()); err != nil {
		return err
	}
	b.name()
	if err := b.judged(ctx); err != nil {
		return err
	}
	if err := b.derive(); err != nil {
		return errors.Join(err, b.derived.close())
	}
	if err := b.resolveLinks(); err != nil {
		return errors.Join(err, b.derived.close())
	}
	if err := errors.Join(b.describe(), b.derived.close()); err != nil {
		return err
	}
	return disk.SyncFolders(b.temp)
}

// plan decides which content goes into the package, and at which path.
func (b *builder) plan(ctx context.Context, source *detect.Source) (*convert.Plan, *listing, error) {
	plan, err := convert.Make(ctx, source)
	if err != nil {
		return nil, nil, err
	}
	if err := b.takeRights(plan); err != nil {
		return nil, nil, err
	}
	b.result.Access = b.access()
	l, err := listFiles(plan, b.o.Keep, b.o.Documents)
	if err != nil {
		return nil, nil, err
	}
	if len(plan.Harvests) == 0 || len(l.items) == 0 {
		return nil, nil, fmt.Errorf("%w in %s: name a container, a mirror, or a folder with containers", ErrNoContainer,
			join(b.sources))
	}
	for _, what := range l.left {
		b.left.add(what)
	}
	for _, h := range plan.Harvests {
		about := h.About()
		b.result.Harvests = append(b.result.Harvests, HarvestRef{about.System, about.ID, about.Documentation,
			warningsOf(about)})
	}
	return plan, l, nil
}

// onlyNamed returns the error that files have the name of a container, but none of them can be read
// as a container.
func (b *builder) onlyNamed() error {
	return fmt.Errorf("%w in %s: files with the name of a container cannot be read as one", ErrNoContainer,
		join(b.sources))
}

// takeAll copies all files into the package, and returns when they are on disk.
func (b *builder) takeAll(ctx context.Context, items []item) (err error) {
	b.sync = newSyncer()
	defer func() { err = errors.Join(err, b.sync.close()) }()
	var n [groups]int
	for i, it := range items {
		if it.group > containers && (i == 0 || items[i-1].group == containers) {
			if err := b.endContainers(ctx, items, &n); err != nil {
				return err
			}
		}
		n[it.group]++
		if err := b.addFile(ctx, it, n[it.group]); err != nil {
			return err
		}
	}
	if items[len(items)-1].group == containers { // there are no other files
		return b.endContainers(ctx, items, &n)
	}
	return nil
}

// endContainers does the steps that need all containers.
func (b *builder) endContainers(ctx context.Context, items []item, n *[groups]int) error {
	if err := b.clean(ctx, items, &n[containers]); err != nil {
		return err
	}
	return b.keepOriginals(&n[originals])
}

// keepOriginals adds the ARC files that were copied during their conversion.
func (b *builder) keepOriginals(n *int) error {
	for _, p := range b.originals {
		*n++
		p.N = *n
		if err := b.keep(p); err != nil {
			return err
		}
	}
	b.originals = nil
	return nil
}

// name sets identifier and title.
func (b *builder) name() {
	title := b.title()
	b.result.Title = title.name
	b.facts.whole.note("title", title.source)
	b.result.First, b.result.Last = b.facts.whole.first, b.facts.whole.last
	b.result.ID = b.o.ID
	if b.result.ID == "" {
		b.result.ID = makeID(convert.BaseName(b.sources[0]), b.result.First, b.content.Sum(nil))
	}
}
