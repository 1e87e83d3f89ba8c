package migrate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"quire/internal/blockbuffer"
	"quire/model"
	"quire/preserve/identify"
	"quire/preserve/inspect"
)

// task is one bytestream to be converted.
type task struct {
	chosen
	temp  string
	in    *blockbuffer.Buffer
	sum   hash.Hash // SHA-256 of in
	out   *blockbuffer.Buffer
	whole bool

	contentType string // of the result, if the tool knows better than the rule
	notes       []string
	err         error // of the conversion: errUnneeded, *failure, or from the machine
	ended       chan struct{}
}

// close removes the temporary files.
func (t *task) close() error { return errors.Join(t.in.Close(), t.out.Close()) }

// line is the queue of the tasks, with its workers. Results are processed in the order of the
// bytestreams in the package, whichever is finished first.
type line struct {
	j      *job
	ctx    context.Context
	cancel context.CancelCauseFunc
	slots  chan struct{}
	tasks  chan *task
	taken  chan error // result of processing the results
	next   func() (chosen, error, bool)
	stop   func()
	head   *chosen // the next chosen record
	now    *task   // the task that receives content
	err    error   // from reading the chosen

	already int64 // chosen records that already have a conversion
}

// migrate reads the containers with chosen records again, converts these records, and writes the
// new container.
func (j *job) migrate(ctx context.Context) (err error) {
	w, err := j.newContainer()
	if err != nil {
		return err
	}
	jobs := j.o.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	l := &line{j: j, slots: make(chan struct{}, jobs), tasks: make(chan *task, 2*jobs), taken: make(chan error, 1)}
	l.ctx, l.cancel = context.WithCancelCause(ctx)
	defer l.cancel(nil)
	l.next, l.stop = iter.Pull2(j.chosen.All())
	defer l.stop()
	go func() { l.taken <- l.take(w) }()
	err = l.feed()
	close(l.tasks)
	taken := <-l.taken
	if taken != nil { // the other error is then from being stopped
		err = taken
	}
	if l.already > 0 {
		j.result.Left[leftConverted] = l.already
	}
	return errors.Join(err, w.close())
}

// feed reads the containers.
func (l *line) feed() error {
	if err := l.advance(); err != nil {
		return err
	}
	paths := map[int]string{}
	total := int64(0)
	for _, f := range l.j.old.Files {
		if n := l.j.outline.number[f.Path]; n > 0 {
			paths[n] = f.Path
			total += f.Size
		}
	}
	l.j.begin("migrating", total)
	for l.head != nil {
		n := l.head.Container
		if err := l.container(n, paths[n]); err != nil {
			if cause := context.Cause(l.ctx); cause != nil {
				return cause
			}
			return fmt.Errorf("reading %s: %w", paths[n], err)
		}
	}
	return nil
}

// advance moves to the next chosen record.
func (l *line) advance() error {
	l.head = nil
	c, err, more := l.next()
	if more && err == nil {
		l.head = &c
	}
	return err
}

// container reads one container of the new package.
func (l *line) container(n int, path string) error {
	f, err := os.Open(filepath.Join(l.j.out, filepath.FromSlash(path)))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	_, err = inspect.Reader(l.ctx, f,
		inspect.Options{MaxFindings: -1, Progress: l.j.o.Progress, Served: func(r model.Record) inspect.Served {
			if l.err == nil {
				l.err = l.until(n, r.Order)
			}
			if l.err != nil || l.head == nil || l.head.Container != n || l.head.Order != r.Order {
				return nil
			}
			c := *l.head
			l.err = l.advance()
			if _, there := l.j.converted[digestOf(c.ID)]; there {
				l.already++
				return nil
			}
			l.now = l.newTask(c)
			return l
		}})
	if err = errors.Join(err, l.err); err != nil {
		return err
	}
	return l.until(n+1, 0)
}

func (l *line) newTask(c chosen) *task {
	dir := l.j.scratch
	return &task{chosen: c, temp: dir, in: newHeld(dir), sum: sha256.New(), out: newHeld(dir),
		ended: make(chan struct{})}
}

// until gives up the chosen records before a position that were not found when the containers were
// read again.
func (l *line) until(container int, order int64) error {
	for l.head != nil && (l.head.Container < container || l.head.Container == container && l.head.Order < order) {
		t := l.newTask(*l.head)
		if t.Why == "" {
			t.Why = "its content cannot be read as it was served"
		}
		if err := errors.Join(l.put(t), l.advance()); err != nil {
			return err
		}
	}
	return nil
}

// Write adds content of the current record.
func (l *line) Write(p []byte) (int, error) {
	l.now.sum.Write(p) // a hash never fails
	return l.now.in.Write(p)
}

// End submits the current record.
func (l *line) End(whole bool) error {
	t := l.now
	l.now = nil
	if t.whole = whole; !whole && t.Why == "" {
		t.Why = "its framing or coding cannot be removed to the end"
	}
	return l.put(t)
}

// put starts a task when there is room, and adds it to the queue.
func (l *line) put(t *task) error {
	select {
	case l.slots <- struct{}{}:
	case <-l.ctx.Done():
		return errors.Join(context.Cause(l.ctx), t.close())
	}
	go func() {
		t.err = l.j.convert(l.ctx, t)
		<-l.slots
		close(t.ended)
	}()
	l.tasks <- t // the workers read all of them
	return nil
}

// take processes the results in order, and also drains them after an error.
func (l *line) take(w *containerWriter) error {
	var first error
	for t := range l.tasks {
		<-t.ended
		if first == nil {
			first = l.j.settle(w, t)
		}
		if first = errors.Join(first, t.close()); first != nil {
			l.cancel(first)
		}
	}
	return first
}

// convert converts one bytestream, and checks that the result has the format of the rule.
func (j *job) convert(ctx context.Context, t *task) error {
	if t.Why != "" {
		return &failure{t.Why}
	}
	if err := j.tool.convert(ctx, t); err != nil {
		return err
	}
	if t.out.Size() == 0 {
		return &failure{"nothing came of it"}
	}
	if len(j.o.Rule.PUIDs) == 0 {
		return nil
	}
	window := identify.NewWindow(j.formats.MaxBytes())
	if _, err := io.Copy(window, t.out.Reader()); err != nil {
		return err
	}
	found := j.formats.Identify(window.Payload("", ""))
	for _, puid := range j.o.Rule.PUIDs {
		if found.PUID == puid {
			return nil
		}
	}
	what := "a format that PRONOM does not know"
	if found.PUID != "" {
		what = fmt.Sprintf("%s (%s)", found.PUID, found.FullName())
	}
	return &failure{fmt.Sprintf("what came of it is %s, and the rule promises %s", what,
		strings.Join(j.o.Rule.PUIDs, " or "))}
}

// done is the result for a record.
type done struct {
	Of          chosen
	Source      string // SHA-256 of the content as served
	SourceSize  int64
	Failure     string // reason why there is no result
	Record      string // id of the conversion record
	SHA256      string // of its content
	Size        int64
	ContentType string
}

// settle writes the result of a task.
func (j *job) settle(w *containerWriter, t *task) error {
	if errors.Is(t.err, errUnneeded) {
		j.result.left(leftUnneeded)
		return nil
	}
	j.touched[t.Container] = struct{}{}
	d := done{Of: t.chosen, Source: hex.EncodeToString(t.sum.Sum(nil)), SourceSize: t.in.Size()}
	var failed *failure
	switch {
	case errors.As(t.err, &failed):
		d.Failure = failed.why
		j.result.Failed++
		if len(j.result.Failures) < MaxFailures {
			path := j.outline.path(t.Container)
			j.result.Failures = append(j.result.Failures,
				Failure{Container: path, Record: t.ID, URI: t.URI, Reason: d.Failure})
		}
		return j.done.Add(d)
	case t.err != nil:
		return t.err
	}
	for _, n := range t.notes {
		j.notes.add(n)
	}
	j.result.Converted++
	if err := w.write(t, &d); err != nil {
		return err
	}
	return j.done.Add(d)
}
