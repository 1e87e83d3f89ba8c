package archive

import (
	"io"
	"testing"

	"quire/internal/prove"
	"quire/oai/provider"
)

// A thousand packages are indexed for harvesters without opening a container.
func TestNoContainerIsOpened(t *testing.T) {
	packages := prove.Rounds(50, 200, 1000)
	r := newRepo(t)
	r.IngestMany(packages)
	o, watched := r.WatchContainers()
	if watched != 2*packages {
		t.Fatalf("%d containers in both copies", watched)
	}
	a := r.open("oai", all(later()))
	listed := list(t, a, provider.Query{})
	if opened := o.Count(); len(listed) != 2*packages || opened != 0 {
		t.Errorf("%d records are listed; containers were opened %d times", len(listed), opened)
	}
	one, err := a.Resource(t.Context(), listed[0].Identifier)
	if err != nil {
		t.Fatal(err)
	}
	body, err := one.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, body); err != nil {
		t.Error(err)
	}
	_ = body.Close() // read only
	if o.Count() == 0 {
		t.Error("a container was read but not counted: the test counts nothing")
	}
}
