package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/riverqueue/river"
)

// Submitted is a job that was submitted.
type Submitted struct {
	Job     int64    `json:"job"`
	Command []string `json:"command"`
	// Already says that such a job waits or runs: no other one was made.
	Already bool `json:"already,omitempty"`
}

// Submit puts calls into the queue. When it returns, they are on disk, and no kill loses them.
func (q *Queue) Submit(ctx context.Context, calls []Call) ([]Submitted, error) {
	for i := range calls {
		if err := calls[i].check(); err != nil {
			return nil, err
		}
	}
	if len(calls) == 0 {
		return nil, nil
	}
	id := newID()
	path, err := q.place.writeCalls(id, calls)
	if err != nil {
		return nil, fmt.Errorf("writing the submission: %w", err)
	}
	all := make([]Submitted, 0, len(calls))
	if err := q.insert(ctx, id, path, files{}, func(s Submitted) { all = append(all, s) }); err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	if err := q.place.keep(id, path); err != nil {
		return nil, fmt.Errorf("keeping the submission: %w", err)
	}
	return all, nil
}

// restore makes the jobs of submissions that have none yet.
func (q *Queue) restore(ctx context.Context) error {
	all, err := q.place.files()
	if err != nil || len(all) == 0 {
		return err
	}
	done, err := firstColumn[string](ctx, q, "SELECT id FROM jobs_submissions WHERE inserted = lines ORDER BY id")
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(all)) { // in the order of their time
		if _, has := slices.BinarySearch(done, id); has || all[id].calls == "" {
			continue
		}
		err := q.insert(ctx, id, q.place.calls(id), all[id], nil)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, errElsewhere): // it ended meanwhile, or begins
		case errors.Is(err, errDamaged), errors.As(err, new(*fs.PathError)):
			q.damaged = append(q.damaged, err)
		case err != nil:
			return fmt.Errorf("the submission %s: %w", id, err)
		}
	}
	return nil
}

// Damaged returns an error for each submission that cannot be read. It has no jobs until a person mends its file, or
// removes it.
func (q *Queue) Damaged() []error { return q.damaged }

// chunk is the number of jobs of a transaction.
const chunk = 1000

// insert makes the jobs of a submission that are missing. Several processes may do so at once: the row of the
// submission decides who makes which.
func (q *Queue) insert(ctx context.Context, id, path string, of files, made func(Submitted)) error {
	lines, inserted := int64(0), int64(0)
	err := q.row(ctx, "SELECT inserted FROM jobs_submissions WHERE id = ?", id).Scan(&inserted)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	err = eachCall(path, func(int, *Call) (bool, error) { lines++; return true, nil })
	if err != nil {
		return err
	}
	if _, err := q.exec(ctx, "INSERT INTO jobs_submissions (id, lines, inserted) VALUES (?, ?, 0) "+
		"ON CONFLICT (id) DO UPDATE SET lines = excluded.lines", id, lines); err != nil {
		return err
	}
	ended, err := q.place.ended(of)
	if err != nil {
		return err
	}
	p := &part{queue: q, id: id, ended: ended, made: made, begin: inserted, end: inserted}
	if err := eachCall(path, func(line int, c *Call) (bool, error) { return p.add(ctx, line, c) }); err != nil {
		return err
	}
	return p.flush(ctx)
}

// part is some calls of a submission that become jobs in one transaction.
type part struct {
	queue      *Queue
	id         string
	ended      map[int]bool
	made       func(Submitted)
	begin, end int64 // the lines
	calls      []Call
	numbers    []int
}

// errElsewhere reports that another process makes these jobs.
var errElsewhere = errors.New("another process makes the jobs of this submission")

func (p *part) add(ctx context.Context, line int, c *Call) (bool, error) {
	if int64(line) < p.begin {
		return true, nil
	}
	p.end = int64(line) + 1
	if !p.ended[line] {
		p.calls, p.numbers = append(p.calls, *c), append(p.numbers, line)
	}
	if p.end-p.begin < chunk {
		return true, nil
	}
	err := p.flush(ctx)
	return err == nil, err
}

// flush makes the jobs.
func (p *part) flush(ctx context.Context) error {
	if p.end == p.begin {
		return nil
	}
	params, same, err := p.params()
	if err != nil {
		return err
	}
	var results []Submitted
	err = p.queue.inTx(ctx, func(tx *sql.Tx) error {
		n, err := p.queue.execIn(ctx, tx, "UPDATE jobs_submissions SET inserted = ? WHERE id = ? AND inserted = ?",
			p.end, p.id, p.begin)
		if err == nil && n == 0 {
			return errElsewhere
		}
		if err != nil || len(params) == 0 {
			return err
		}
		rows, err := p.queue.client.InsertManyTx(ctx, tx, params)
		if err != nil {
			return err
		}
		results = results[:0]
		for i, n := range same {
			already := rows[n].UniqueSkippedAsDuplicate || slices.Index(same, n) < i
			results = append(results, Submitted{rows[n].Job.ID, p.calls[i].Command, already})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return p.told(results)
}

// params returns the jobs for River, which takes no key twice, and for each call the place of its job.
func (p *part) params() (all []river.InsertManyParams, same []int, err error) {
	at := map[string]int{}
	for i := range p.calls {
		key := p.calls[i].key()
		n, ok := at[key]
		if !ok {
			one, err := p.calls[i].params(note{Submission: p.id, Line: p.numbers[i]})
			if err != nil {
				return nil, nil, err
			}
			n, all = len(all), append(all, one)
			at[key] = n
		}
		same = append(same, n)
	}
	return all, same, nil
}

// told reports the jobs that were made. A line that has the job of another submission ended.
func (p *part) told(results []Submitted) error {
	for i, s := range results {
		if s.Already {
			if err := p.queue.place.end(p.id, "submit", p.numbers[i]); err != nil {
				return err
			}
		}
		if p.made != nil {
			p.made(s)
		}
	}
	p.begin, p.calls, p.numbers = p.end, p.calls[:0], p.numbers[:0]
	return nil
}
