package salvage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"quire/format/arc"
	"quire/format/inflate"
	"quire/format/warc"
	"quire/internal/atomicdir"
	"quire/model"
	"quire/preserve/inspect"
)

// Options configures Run.
type Options struct {
	Out   string      // the folder of results; it must not exist, or be empty
	Agent model.Agent // the salvaging software: name and version
	Date  time.Time   // that the new records state; the time of the call if zero
	CDX   []string    // indexes that name records of the containers
	Logs  []string    // crawl logs that name records of the containers

	// DryRun reads the containers as a salvage does, and writes only temporary files. The names of results are those
	// that a salvage would give.
	DryRun bool

	Start    func(total int64)
	Progress func(bytes int64)
}

// Run salvages containers. Options.Out appears when all is written and synced; after an error
// nothing remains.
func Run(ctx context.Context, paths []string, o Options) (_ []Result, err error) {
	if err := atomicdir.Check(o.Out); err != nil {
		return nil, err
	}
	total := int64(0)
	for _, path := range append(append([]string{}, paths...), append(o.CDX, o.Logs...)...) {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is not a regular file", path)
		}
		total += info.Size()
	}
	if o.Date.IsZero() {
		o.Date = time.Now()
	}
	if o.Start != nil {
		o.Start(2 * total)
	}
	if o.DryRun {
		temp, err := os.MkdirTemp("", "quire-salvage-")
		if err != nil {
			return nil, err
		}
		results, err := runAll(ctx, paths, temp, &o)
		return results, errors.Join(err, os.RemoveAll(temp))
	}
	work, err := atomicdir.Beside(o.Out)
	if err != nil {
		return nil, err
	}
	defer work.End(&err)
	results, err := runAll(ctx, paths, work.Path(), &o)
	if err != nil {
		return nil, err
	}
	return results, work.Install(o.Out)
}

// runAll salvages containers into a folder.
func runAll(ctx context.Context, paths []string, dir string, o *Options) (results []Result, err error) {
	taken := map[string]bool{}
	for _, path := range paths {
		r, err := run(ctx, path, stem(path, taken), dir, o)
		if err != nil {
			return nil, fmt.Errorf("salvaging %s: %w", path, err)
		}
		results = append(results, *r)
	}
	return results, nil
}

var ending = regexp.MustCompile(`(?i)\.w?arc(\.gz|\.zst)?(\.open)?$`)

// stem returns the beginning of the names of the results for a container.
func stem(path string, taken map[string]bool) string {
	base := ending.ReplaceAllString(filepath.Base(path), "")
	name := base
	for n := 2; taken[name]; n++ {
		name = base + "-" + strconv.Itoa(n)
	}
	taken[name] = true
	return name
}

// job is the salvage of one container.
type job struct {
	ctx    context.Context
	o      *Options
	dir    string
	stem   string
	file   *os.File
	found  *examined
	in     *inflate.Reader
	reader reader
	result Result
	lines  *lines
	names  *names

	out   *body // the whole records
	aside *aside
	info  string // id of the warcinfo of the new WARC

	stretch stretch
	covered int64
	follows bool // records come after one that was found by a search
}

func run(ctx context.Context, path, stem, dir string, o *Options) (_ *Result, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	j := &job{ctx: ctx, o: o, dir: dir, stem: stem, file: file}
	if j.found, err = examine(ctx, filepath.Base(path), file, o.Progress); err != nil {
		return nil, err
	}
	j.result = Result{Source: path, Bytes: j.found.Bytes, SHA512: j.found.SHA512, Format: j.found.Format,
		Compression: j.found.Compression, Report: stem + "-salvage.jsonl", Fragments: []Line{}, Losses: []Line{}}
	j.info = j.id("warcinfo")
	if err := j.all(); err != nil {
		return nil, err
	}
	return &j.result, nil
}

func (j *job) all() (err error) {
	if j.lines, err = newLines(j.written(j.result.Report)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.lines.close()) }()
	j.names = newNames(j.dir)
	defer func() { err = errors.Join(err, j.names.close()) }()
	if j.out, err = newBody(j.written(j.stem+".body"), j.found.Format); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.out.remove()) }()
	j.aside = &aside{job: j, path: filepath.Join(j.dir, j.stem+"-aside.warc.gz")}
	defer func() { err = errors.Join(err, j.aside.close()) }()
	if err := j.read(); err != nil {
		return err
	}
	if err := j.lose(); err != nil {
		return err
	}
	if j.aside.info != "" {
		j.result.Aside = filepath.Base(j.aside.path)
	}
	if j.result.Kept == 0 {
		return nil
	}
	j.result.Output = j.stem + "-salvaged.warc.gz"
	if j.o.DryRun {
		return nil
	}
	return j.write(filepath.Join(j.dir, j.result.Output))
}

// written returns the path of a file of results; "" in a dry run, which discards them.
func (j *job) written(name string) string {
	if j.o.DryRun {
		return ""
	}
	return filepath.Join(j.dir, name)
}

// read reads the container record by record.
func (j *job) read() (err error) {
	if _, err := j.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	j.in = inflate.NewReader(&watched{j.file, j.ctx, j.o.Progress},
		inflate.Options{Holds: inspect.HoldsRecords, Ahead: true})
	defer func() { err = errors.Join(err, j.in.Close()) }()
	switch j.found.Format {
	case "WARC":
		w := &warcParts{in: j.in, r: warc.NewReader(j.in)}
		defer func() { err = errors.Join(err, w.buf.Close()) }()
		w.buf.Dir, j.reader = j.dir, w
	case "ARC":
		a := &arcParts{in: j.in, r: arc.NewReader(j.in)}
		defer func() { err = errors.Join(err, a.buf.Close()) }()
		a.buf.Dir, j.reader = j.dir, a
	}
	for j.reader != nil {
		p, err := j.reader.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = j.add(p)
		}
		if err != nil {
			return err
		}
	}
	return j.end()
}

// end covers the rest of the file.
func (j *job) end() error {
	at, _ := j.in.Position() // the end again
	if err := j.flush(j.found.Bytes, at.Inflated); err != nil {
		return err
	}
	if j.covered < j.found.Bytes {
		return j.gap(j.covered, j.found.Bytes)
	}
	return nil
}

// add keeps a part, or reports that it is damaged.
func (j *job) add(p *part) (err error) {
	j.follow(p)
	kept, err := j.judge(p)
	if err != nil {
		return err
	}
	var inner *within
	if !kept {
		if inner, err = j.swallowed(p); err != nil {
			return err
		}
	}
	if inner != nil {
		defer func() { err = errors.Join(err, j.addAll(inner), inner.close()) }()
	}
	if err := j.cover(p, kept); err != nil {
		return err
	}
	if err := j.names.part(p, kept); err != nil {
		return err
	}
	if !kept {
		p.Kind = Damaged
		j.result.Damaged++
		return j.lines.add(p.Line)
	}
	j.count(p)
	if err := j.out.add(p); err != nil {
		return err
	}
	if p.Found == BySearch && j.found.Format == "WARC" {
		if err := j.mark(p); err != nil {
			return err
		}
	}
	s := &j.stretch
	s.line = p.Line
	if s.records == 1 && p.last && !s.bad {
		return nil // the line is written with its length
	}
	s.listed = true
	return j.lines.add(p.Line)
}

// addAll adds the records within the block of another.
func (j *job) addAll(w *within) error {
	for {
		p, err := w.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = j.add(p)
		}
		if err != nil {
			return err
		}
	}
}

// follow marks the records after one that was found by a search. Their lengths lead from it.
func (j *job) follow(p *part) {
	if p.Found == BySearch {
		j.follows = true
	} else if j.follows {
		p.Found = Behind
	}
}

func (j *job) count(p *part) {
	j.result.Kept++
	switch p.Found {
	case BySearch:
		j.result.Inferred++
	case Behind:
		j.result.Behind++
	}
	if p.Proof == Unproven {
		j.result.Unproven++
	}
}

// watched is the container, for the second reading.
type watched struct {
	*os.File
	ctx      context.Context
	progress func(int64)
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.File.Read(p)
	if w.progress != nil {
		w.progress(int64(n))
	}
	return n, err
}
