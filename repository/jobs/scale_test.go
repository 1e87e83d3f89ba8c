package jobs_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"quire/internal/prove"
	"quire/repository/jobs"
)

// TestScale reports how long calls take in a queue of many jobs: a few hundred, and for make prove 100,000 in a file and
// 1.6 million in PostgreSQL. It asserts no time.
func TestScale(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		const inFile, inDatabase = 100_000, 1_600_000
		total := inFile
		if p.Database != nil {
			total = inDatabase
		}
		asked := 100
		if !prove.Whole() {
			total, asked = 200, 10
		}
		q := opened(t, p)
		began, n := time.Now(), 0
		for n < total {
			calls := make([]jobs.Call, min(total, 100_000))
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
			"queues": func(int) error {
				_, err := q.Queues(t.Context())
				return err
			},
		} {
			var took []time.Duration
			for i := range asked {
				began := time.Now()
				if err := call(i); err != nil {
					t.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			t.Logf("%-12s median %v, p95 %v", name, took[asked/2], took[asked*95/100])
		}
		began = time.Now()
		drain(t, q)
		t.Logf("the %d jobs of another queue ran in %v", asked, time.Since(began))
		var took []time.Duration
		for range asked {
			began := time.Now()
			n, err := q.Fetch(t.Context(), "others", 1)
			if err != nil || n != 1 {
				t.Fatalf("%d jobs were fetched: %v", n, err)
			}
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		t.Logf("%-12s median %v, p95 %v", "fetch", took[asked/2], took[asked*95/100])
		counts, err := q.Counts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if waiting := counts[jobs.Waiting]; waiting != int64(total-asked) {
			t.Errorf("%d of %d jobs wait after %d were fetched", waiting, total, asked)
		}
	})
}
