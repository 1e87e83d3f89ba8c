package catalogue

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"quire/model"
)

// TestTopOfYears compares the most frequent names of several years with the sums of all names: with names that are
// frequent in each year, in one year, or all alike.
func TestTopOfYears(t *testing.T) { everyEngine(t, testTopOfYears) }

func testTopOfYears(t *testing.T, again func() *Catalogue) {
	ctx := context.Background()
	c := again()
	random := rand.New(rand.NewPCG(1, 2))
	var rows []model.Number
	for year := 2000; year < 2006; year++ {
		for k := range 120 {
			rows = append(rows,
				number(1, year, model.ByHost, fmt.Sprintf("h%03d", k), int64(1+random.IntN(10)+(120-k)*(120-k))),
				number(1, year, model.ByMIME, fmt.Sprintf("m%03d", (k+20*year)%200), int64(1+random.IntN(1000))),
				number(1, year, model.ByType, fmt.Sprintf("t%03d", k), 5))
		}
	}
	// no list begins with the most frequent name of both years
	for year, first := range map[int]string{2001: "200", 2002: "404"} {
		rows = append(rows, number(1, year, model.ByStatus, first, 10), number(1, year, model.ByStatus, "301", 9))
	}
	if err := c.Put(ctx, countedRecord("a", true, rows...)); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []model.NumberKind{model.ByHost, model.ByMIME, model.ByType, model.ByStatus} {
		all := map[string]int64{}
		full, err := c.Sums(ctx, NumberQuery{Kind: kind, From: 2001, To: 2004})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if r.Kind == kind && r.Year >= 2001 && r.Year <= 2004 {
				all[r.Name] += r.Count
			}
		}
		for i, s := range full {
			if s.Count != all[s.Name] || i > 0 && full[i-1].Count < s.Count {
				t.Errorf("%s: %+v, want %d", kind, s, all[s.Name])
			}
		}
		for _, top := range []int{1, 2, 10, 100, 1000} {
			got, err := c.Sums(ctx, NumberQuery{Kind: kind, From: 2001, To: 2004, Top: top})
			if want := full[:min(top, len(full))]; err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, first %d: %v\n got %+v\nwant %+v", kind, top, err, got, want)
			}
		}
	}
	q := NumberQuery{Kind: model.ByHost, From: 2001, To: 2004, Top: 5}
	if _, enough, err := c.topOfYears(ctx, &q); !enough || err != nil {
		t.Errorf("frequent names were not found without all: %v", err)
	}
}
