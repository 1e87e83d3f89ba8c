package outline_test

import (
	"context"
	"fmt"
	"os"

	"quire/holdings/facts"
	"quire/holdings/outline"
	"quire/holdings/rights"
	"quire/model"
	"quire/preserve/statements"
)

// The outline of a package is written once, and found at the next start.
func Example() {
	dir, err := os.MkdirTemp("", "example-*")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx, shared := context.Background(), rights.NewShared(rights.Restricted)
	f, err := outline.Open(ctx, dir)
	if err != nil {
		panic(err)
	}
	o, err := outline.Of(&facts.Facts{Rights: &statements.Set{}, Containers: map[string]*facts.Container{
		"containers/a.warc.gz": {Scan: model.ScanClean}}}, shared)
	if err != nil {
		panic(err)
	}
	w := f.Write()
	if err := w.Add(ctx, "p", "inventory", o); err != nil {
		panic(err)
	}
	if err := w.Flush(ctx); err != nil {
		panic(err)
	}
	for k, err := range f.All(ctx) {
		if err != nil {
			panic(err)
		}
		o, err := f.Outline(ctx, &k, shared)
		if err != nil {
			panic(err)
		}
		fmt.Println(k.ID, o.Containers[0].Path, o.Containers[0].Scan)
	}
	if err := f.Close(); err != nil {
		panic(err)
	}
	// Output: p containers/a.warc.gz clean
}
