package store

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"quire/repository/catalogue"
	"quire/repository/ocfl"
)

// fakeJob is a job that the test takes away.
type fakeJob struct {
	holds, done error
	from        int // the call of Holds that fails first, from 1
	asked       int
	ended       int
}

func (j *fakeJob) Holds(ctx context.Context, db catalogue.Asker) error {
	var n int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM packages WHERE id = ?", "x").Scan(&n); err != nil {
		return err
	}
	if j.asked++; j.asked < j.from {
		return nil
	}
	return j.holds
}

func (j *fakeJob) Done(ctx context.Context, tx catalogue.Changer) error {
	j.ended++
	// It is in the transaction: an error must undo this, too.
	_, err := tx.ExecContext(ctx, "UPDATE packages SET title = ? WHERE id = ?", "of the job", damagedID)
	return errors.Join(err, j.done)
}

// TestJobEnds: an ingest that is a whole job ends it in the transaction of its record. A job that was taken away
// keeps the package out of its place, or its record out of the catalogue; the next program finishes the change.
func TestJobEnds(t *testing.T) {
	taken := errors.New("taken")
	for name, c := range map[string]struct {
		job     fakeJob
		ends    bool
		ended   int    // calls of Done
		title   string // in the catalogue; "" for no record
		inPlace bool
		decided bool // the change is finished by the next program
	}{
		"whole job":                 {fakeJob{}, true, 1, "of the job", true, true},
		"part of one":               {fakeJob{}, false, 0, "Title of " + damagedID, true, true},
		"taken before the decision": {fakeJob{holds: taken, from: 1}, true, 0, "", false, false},
		"taken before the move":     {fakeJob{holds: taken, from: 2}, true, 0, "", false, true},
		"taken after the move":      {fakeJob{done: taken}, true, 1, "", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(fastDir(t), "repo")
			s, err := Init(t.Context(), root, InitOptions{Describe: testDescribe})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if s, err = Open(t.Context(), root, Options{Describe: testDescribe, Job: &c.job}); err != nil {
				t.Fatal(err)
			}
			_, err = s.Ingest(t.Context(), makePackage(t, damagedID, content{"a.warc": "one"}),
				IngestOptions{EndsJob: c.ends})
			var unplaced *UnplacedError
			lost := c.title == ""
			if errors.Is(err, taken) != lost || errors.As(err, &unplaced) != (lost && c.decided) {
				t.Errorf("error %v", err)
			}
			if c.job.ended != c.ended {
				t.Errorf("ended %d times, want %d", c.job.ended, c.ended)
			}
			p, err := s.catalogue.Get(t.Context(), damagedID)
			if c.title == "" != errors.Is(err, catalogue.ErrNotFound) || err == nil && p.Package.Title != c.title {
				t.Errorf("record %q, %v", p.Package.Title, err)
			}
			if got := exists(s.copies[0].object(ocfl.ObjectPath(objectID(damagedID)))); got != c.inPlace {
				t.Errorf("in place: %v, want %v", got, c.inPlace)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			again := reopen(t, root)
			if _, err := again.catalogue.Get(t.Context(), damagedID); (err == nil) != c.decided {
				t.Errorf("then: %v", err)
			}
			mustBeSound(t, again)
		})
	}
}
