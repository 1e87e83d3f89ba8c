package jobs_test

import (
	"errors"
	"slices"
	"testing"

	"quire/repository/jobs"
)

// TestEnded: a follower gets each job that ends after its first call, once; those of a failed call come again.
func TestEnded(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q := opened(t, p)
		var got []jobs.State
		next := func(follower string, err error) {
			t.Helper()
			got = nil
			more, failed := q.Ended(t.Context(), follower, func(all []jobs.Job) error {
				for i := range all {
					got = append(got, all[i].State)
				}
				return err
			})
			if more || !errors.Is(failed, err) {
				t.Errorf("%s: more: %v, %v", follower, more, failed)
			}
		}
		next("one", nil)
		if len(got) > 0 {
			t.Errorf("before any job: %v", got)
		}
		once := a("status", "2")
		once.Attempts = 1
		made := submitted(t, q, a("status", "0"), a("status", "1"), once, a("status", "0", "later"))
		if _, err := q.Cancel(t.Context(), made[3].Job); err != nil {
			t.Fatal(err)
		}
		submitted(t, q, a("status", "0", "waits"))
		next("one", nil)
		if want := []jobs.State{jobs.Cancelled}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		drain(t, q)
		want := []jobs.State{jobs.Done, jobs.Done, jobs.Failed, jobs.Problems}
		for _, err := range []error{errors.New("the follower failed"), nil} {
			if next("one", err); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
				t.Errorf("%v, want %v", got, want)
			}
		}
		if next("one", nil); len(got) > 0 {
			t.Errorf("again: %v", got)
		}
		if next("two", nil); len(got) > 0 {
			t.Errorf("a new follower: %v", got)
		}
	})
}

// TestOlderTables: a queue of version 1 gets the tables of followers.
func TestOlderTables(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		opened(t, p)
		db := database(t, p)
		for _, s := range []string{"DROP TABLE jobs_followers", "DROP TABLE jobs_told", "DELETE FROM jobs_schema",
			"INSERT INTO jobs_schema (version) VALUES (1)"} {
			db.exec(t, s)
		}
		if _, err := opened(t, p).Ended(t.Context(), "one", nil); err != nil {
			t.Error(err)
		}
	})
}
