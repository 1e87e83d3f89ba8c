package main

import "testing"

// TestSmall makes and opens a small repository: the bench fits the packages of today. It asserts no time.
func TestSmall(t *testing.T) {
	b := bench{packages: 3, work: t.TempDir()}
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
}
