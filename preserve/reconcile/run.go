package reconcile

import (
	"context"
	"errors"
	"math"

	"quire/internal/archivefs"
	"quire/internal/extsort"
	"quire/model"
	"quire/source"
)

// Options of a comparison. The zero value is ready to use.
type Options struct {
	Max      int               // examples per kind and reason; 0 means DefaultMax, negative none
	Hosts    int               // hosts listed; 0 means DefaultHosts, negative none
	List     func(Entry) error // called with every difference; may be nil
	Progress func(bytes int64) // called with bytes read; may be nil
	Dir      string            // for temporary files; "" means the system default
	Memory   int               // bytes for sorting; 0 means the sorter's default

	elsewhere others // containers of other harvests in the source
}

// Defaults of Options.
const (
	DefaultMax   = 10
	DefaultHosts = 100
)

// run is the comparison of one harvest.
type run struct {
	ctx     context.Context
	options Options
	harvest source.Harvest
	about   *model.Harvest
	tree    *archivefs.Tree

	out   *HarvestResult
	shelf *containerSet
	diffs differences
	hosts hostTable

	urls   *extsort.Sorter  // sightings by URL and time
	places *extsort.Sorter  // records and index entries by container and offset
	counts *extsort.Counter // for log and reports: see reports.go
	away   *extsort.Counter // containers of other harvests, by name

	isMirror  bool
	noHeaders bool // sizes in reports could not be compared
	hasHosts  bool // there is a hosts-report.txt

	dedupAgainst string       // index of another crawl that wget used for deduplication
	missing      []*container // listed, but missing
	missingNames string
	sums         hostSums // of the current host
	log          logFacts
	records      recordFacts
	index        indexFacts
	key          []byte // reused
	val          []byte
}

// logFacts is the summary of the log.
type logFacts struct {
	first, last int64   // start of the earliest and the latest fetch, in milliseconds; noTime
	pieces      []int64 // fetched lines, by piece of the log
	sized       bool    // each line has content-size
	bytes       int64   // sum of content-size
}

// recordFacts is the summary of the records.
type recordFacts struct {
	first, last int64
	lookups     int64 // records of dns: and whois:
	content     int64
}

// indexFacts is the summary of the indexes.
type indexFacts struct {
	kinds map[string]bool // types of records in the indexes, with the scheme of look-ups
}

func newRun(ctx context.Context, h source.Harvest, t *archivefs.Tree, o Options) *run {
	about := h.About()
	sorting := extsort.Options{Memory: o.Memory, Dir: o.Dir}
	r := &run{
		ctx: ctx, options: o, harvest: h, about: about, tree: t, shelf: newShelf(),
		out:  &HarvestResult{System: about.System, ID: about.ID, Notes: []string{}, Spellings: map[string]int64{}},
		urls: extsort.New(sorting), places: extsort.New(sorting),
		counts: extsort.NewCounter(extsort.Options{Dir: o.Dir}), away: extsort.NewCounter(extsort.Options{Dir: o.Dir}),
		log:     logFacts{first: math.MaxInt64, last: math.MinInt64, sized: true},
		records: recordFacts{first: math.MaxInt64, last: math.MinInt64},
		index:   indexFacts{kinds: map[string]bool{}},
	}
	r.shelf.elsewhere = o.elsewhere
	r.out.Witnesses.Records.ByType = map[string]int64{}
	_, r.isMirror = h.(source.Mirror)
	r.diffs = newDifferences(o)
	r.hosts = newHostTable(o)
	return r
}

// all runs the comparison: first the lists, because they name the expected containers; then the
// sources read in order; then the sorted rest.
func (r *run) all() (*HarvestResult, error) {
	steps := []func() error{
		r.shelve, r.readLists, r.readContainers, r.readMirror,
		func() error { return r.readIndexes(r.readEntry) }, r.readLog, r.readPages, r.readReports,
		r.matchPlaces, r.miss, r.matchURLs, r.compareReports, r.judgeContainers, r.finish,
	}
	var err error
	for _, step := range steps {
		if err = errors.Join(r.ctx.Err(), err); err != nil {
			break
		}
		err = step()
	}
	err = errors.Join(err, r.urls.Close(), r.places.Close(), r.counts.Close(), r.away.Close())
	return r.out, err
}

// see stores a sighting for sorting.
func (r *run) see(s *sighting) error {
	r.key, r.val = s.key(r.key), s.value(r.val)
	return r.urls.Add(r.key, r.val)
}

// note records an omitted comparison.
func (r *run) note(text string) { r.out.Notes = append(r.out.Notes, text) }

// spelled counts the spelling differences of a URL.
func (r *run) spelled(how spelling) {
	for i := range spellings {
		if how&(1<<i) != 0 {
			r.out.Spellings[spellingNames[i]]++
		}
	}
}

// maxFindings limits the listed findings of a harvest.
const maxFindings = 200

// find adds a finding about a container or the log.
func (r *run) find(f model.Finding) {
	r.out.Total++
	if len(r.out.Findings) < maxFindings {
		r.out.Findings = append(r.out.Findings, f)
	}
}

// reading opens a file of the source, and reports progress.
func (r *run) reading(file *model.SourceFile) (*counted, error) {
	f, err := source.OpenFile(r.tree, r.harvest, file)
	if err != nil {
		return nil, err
	}
	return &counted{f, r}, nil
}

// counted is a file that reports read bytes as progress. It stops when the context ends.
type counted struct {
	archivefs.Content
	r *run
}

func (c *counted) Read(p []byte) (int, error) {
	if err := c.r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.Content.Read(p)
	c.r.progress(int64(n))
	return n, err
}

func (r *run) progress(n int64) {
	if r.options.Progress != nil {
		r.options.Progress(n)
	}
}
