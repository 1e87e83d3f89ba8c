// Package prove sets the length of long tests. Tests with kills, faults and inputs of gigabytes
// have a short form for every test run, and a full form for `make prove`.
package prove

import (
	"os"
	"testing"
)

// Whole reports whether the full form is requested (QUIRE_PROVE=1).
func Whole() bool { return os.Getenv("QUIRE_PROVE") == "1" }

// Rounds returns the number of repetitions of a test: few with -short, whole for `make prove`,
// otherwise usual.
func Rounds(few, usual, whole int) int {
	if testing.Short() && !Whole() {
		return few
	}
	return Stride(usual, whole)
}

// Stride returns the distance between the faults of a test that [Serial] skips in the short form.
func Stride(usual, whole int) int {
	if Whole() {
		return whole
	}
	return usual
}

// Serial skips a test in the short form, which runs with the race detector. Such a test makes hundreds of calls, one
// after the other; CI runs its usual form, too, without the race detector.
func Serial(t *testing.T) {
	t.Helper()
	if testing.Short() && !Whole() {
		t.Skip("makes one call after the other: run it without -short")
	}
}

// Gigabytes skips a test that reads or writes gigabytes, unless the full form is requested.
func Gigabytes(t *testing.T) {
	t.Helper()
	if !Whole() {
		t.Skip("needs gigabytes: run it with make prove")
	}
}
