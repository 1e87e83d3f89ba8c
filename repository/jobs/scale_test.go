package jobs_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"quire/internal/prove"
	"quire/repository/jobs"
)

// TestScale reports how long calls take in a queue of many jobs, in the full form alone. It asserts no time.
func TestScale(t *testing.T) {
	prove.Gigabytes(t)
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		const inFile, inDatabase = 100_000, 1_600_000
		total := inFile
		if p.Database != nil {
			total = inDatabase
		}
		q := opened(t, p)
		began, n := time.Now(), 0
		for n < total {
			calls := make([]jobs.Call, 100_000)
			for i := range calls {
				calls[i] = a("status", fmt.Sprint(n))
				calls[i].Queue = "others"
				n++
			}
			submitted(t, q, calls...)
		}
		t.Logf("%d jobs in %v", n, time.Since(began))
		for name, call := range map[string]func(i int) error{
			"submit": func(i int) error {
				_, err := q.Submit(t.Context(), []jobs.Call{a("status", "0", fmt.Sprint(i))})
				return err
			},
			"list": func(int) error {
				_, err := q.List(t.Context(), jobs.Query{Limit: 50})
				return err
			},
			"list failed": func(int) error {
				_, err := q.List(t.Context(), jobs.Query{Limit: 50, States: []jobs.State{jobs.Failed}})
				return err
			},
			"show": func(i int) error {
				_, err := q.Get(t.Context(), int64(i+1))
				return err
			},
			"counts": func(int) error {
				_, err := q.Counts(t.Context())
				return err
			},
		} {
			var took []time.Duration
			for i := range 100 {
				began := time.Now()
				if err := call(i); err != nil {
					t.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			t.Logf("%-12s median %v, p95 %v", name, took[50], took[95])
		}
		began = time.Now()
		drain(t, q)
		t.Logf("the 100 jobs of another queue ran in %v", time.Since(began))
	})
}
