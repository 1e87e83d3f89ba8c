// Package prove says how much of a long test runs. Kills, faults and inputs that fill gigabytes
// have a short form, which every run of the tests has, and a whole one, which `make prove` runs.
package prove

import (
	"os"
	"testing"
)

// Whole reports whether the whole form was asked for (QUIRE_PROVE=1).
func Whole() bool { return os.Getenv("QUIRE_PROVE") == "1" }

// Rounds returns how often a test repeats itself: few with -short, whole for `make prove`,
// otherwise usual.
func Rounds(few, usual, whole int) int {
	switch {
	case Whole():
		return whole
	case testing.Short():
		return few
	}
	return usual
}

// Gigabytes skips a test that reads or writes gigabytes, unless the whole form was asked for.
func Gigabytes(t *testing.T) {
	t.Helper()
	if !Whole() {
		t.Skip("it takes gigabytes: make prove runs it")
	}
}
