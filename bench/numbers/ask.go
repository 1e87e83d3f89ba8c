package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"quire/model"
	"quire/repository/catalogue"
)

// page is the number of packages in a page of a list.
const page = 100

// ask measures each kind of call, and prints its median, 95th percentile and maximum.
func (b *bench) ask(ctx context.Context, c *catalogue.Catalogue) error {
	random := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // the same questions each time
	anyID := func() string { return idOf(random.IntN(b.packages)) }
	top := func(kind model.NumberKind, collection string, from, to int) func() error {
		return func() error {
			_, err := c.Sums(ctx, catalogue.NumberQuery{Kind: kind, Collection: collection, From: from, To: to,
				Top: page})
			return err
		}
	}
	for _, call := range []struct {
		name string
		do   func() error
	}{
		{"list, a page of 100", func() error { return list(ctx, c, anyID()) }},
		{"show", func() error { _, err := c.Get(ctx, anyID()); return err }},
		{"numbers of a package", func() error { _, _, err := c.Numbers(ctx, anyID()); return err }},
		{"formats, all", func() error {
			_, err := c.Sums(ctx, catalogue.NumberQuery{Kind: model.ByFormat})
			return err
		}},
		{"formats at risk, by year: ten", func() error { return byYear(ctx, c, 10) }},
		{"formats at risk, by year: all", func() error { return byYear(ctx, c, 0) }},
		{"hosts, first 100", top(model.ByHost, "", 0, 0)},
		{"hosts, first 100, a collection", top(model.ByHost, "collection-1", 0, 0)},
		{"hosts, first 100, one year", top(model.ByHost, "", 2010, 2010)},
		{"hosts, first 100, ten years", top(model.ByHost, "", 2005, 2014)},
		{"sum of all hosts", func() error {
			_, err := c.Total(ctx, catalogue.NumberQuery{Kind: model.ByHost})
			return err
		}},
		{"states of the packages", func() error {
			_, err := c.CountStates(ctx, catalogue.NumberQuery{})
			return err
		}},
		{"names of 256 packages", func() error {
			n := random.IntN(b.packages)
			_, err := c.Names(ctx, idOf(n), idOf(n+256), []model.NumberKind{model.ByFormat})
			return err
		}},
		{"audit runs", func() error { _, err := c.Runs(ctx); return err }},
		{"due packages, a page of 1,000", func() error {
			for _, err := range c.Candidates(ctx, anyID(), true) {
				return err
			}
			return nil
		}},
		{"put a package with its numbers", func() error { return put(ctx, c, b, random, true) }},
		{"put a package without numbers", func() error { return put(ctx, c, b, random, false) }},
	} {
		if err := b.measure(call.name, call.do); err != nil {
			return fmt.Errorf("%s: %w", call.name, err)
		}
	}
	return nil
}

// byYear asks for the first formats, or all, as they were found over the years.
func byYear(ctx context.Context, c *catalogue.Catalogue, top int) error {
	q := catalogue.NumberQuery{Kind: model.ByFormat, Top: top}
	sums, err := c.Sums(ctx, q)
	if err != nil {
		return err
	}
	names := make([]string, 0, len(sums))
	for _, s := range sums {
		names = append(names, s.Name)
	}
	if _, err := c.TotalsByYear(ctx, q); err != nil {
		return err
	}
	if _, err := c.Spans(ctx, q, names); err != nil || top == 0 { // the sums of all names are the totals
		return err
	}
	_, err = c.NamesByYear(ctx, q, names)
	return err
}

// maxTime ends the calls of one kind.
const maxTime = 20 * time.Second

func (b *bench) measure(name string, do func() error) error {
	var times []time.Duration
	for until := time.Now().Add(maxTime); len(times) < b.asked && time.Now().Before(until); {
		began := time.Now()
		if err := do(); err != nil {
			return err
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	fmt.Printf("%-34s  %4d calls  median %9.2f ms  p95 %9.2f ms  most %9.2f ms\n", name, len(times),
		ms(times[len(times)/2]), ms(times[len(times)*95/100]), ms(times[len(times)-1]))
	return nil
}

func list(ctx context.Context, c *catalogue.Catalogue, after string) error {
	n := 0
	for _, err := range c.List(ctx, after) {
		if n++; err != nil || n == page {
			return err
		}
	}
	return nil
}

// added numbers the packages that put adds.
var added int

// put adds a package as an ingest does.
func put(ctx context.Context, c *catalogue.Catalogue, b *bench, random *rand.Rand, counted bool) error {
	added++
	id := fmt.Sprintf("added-%d-%d", time.Now().UnixNano(), added)
	at := time.Now()
	r := catalogue.Record{
		Package: catalogue.Package{ID: id, Object: id, Path: id, Head: 1, Inventory: id, Stored: at, Created: at,
			First: at, Containers: 4},
		Versions: []catalogue.Version{{Number: 1, Created: at,
			Files: []catalogue.File{{Path: "a", SHA512: digest(id)}}}},
		Copies: []catalogue.Copy{{Name: "copy-1", Status: catalogue.Good}},
		Events: []catalogue.Event{{File: "e", ID: id, Type: "ingestion", Time: at, Outcome: "success"}},
	}
	if counted {
		all := tables()
		b.pack(all, 0, random)
		r.Numbers = &model.Numbers{Exact: true}
		for _, row := range all[6].rows[:len(all[6].rows)-1] {
			kind, _ := row[1].(string)
			name, _ := row[2].(string)
			r.Numbers.Rows = append(r.Numbers.Rows, model.Number{Harvest: 1, Year: at.Year(),
				Kind: model.NumberKind(kind), Name: name, Count: 1, Bytes: 1, Containers: 1})
		}
	}
	return c.Put(ctx, r)
}
