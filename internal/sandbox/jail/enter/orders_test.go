//go:build linux && (amd64 || arm64)

package enter

import (
	"reflect"
	"strings"
	"testing"
)

// TestOrders checks that orders are parsed as written, whatever a path contains.
func TestOrders(t *testing.T) {
	o := &Orders{
		Nice: 10, Handled: [3]uint64{1, 0, 1 << 63}, KeepRights: 4, Filter: []byte{0, 1, 0xff, 0x7f},
		Program: "-- \n/x",
		Rules:   []Rule{{Rights: 7, FileRights: 5, Path: "/a b"}, {Path: ""}},
		Limits:  []Limit{{Resource: 7, Most: 1 << 40}, {}},
	}
	args := o.Args([]string{"x", "-b", ""})
	got, of, err := parse(args[1:])
	if err != nil || !reflect.DeepEqual(got, o) || strings.Join(of, "|") != "x|-b|" {
		t.Errorf("%+v, %q, %v", got, of, err)
	}
	for n := range len(args) - 3 {
		if _, _, err := parse(args[1 : n+1]); err == nil {
			t.Errorf("%d arguments are enough", n)
		}
	}
}

// FuzzParse checks that any call of the binary by that name returns an error and does not crash.
func FuzzParse(f *testing.F) {
	f.Add(strings.Join((&Orders{Program: "/x", Rules: []Rule{{Path: "/"}},
		Limits: []Limit{{}}}).Args([]string{"x"})[1:], "\n"))
	f.Add("/x\n0g\n0\n0\n0\n0\n0\nffffffffffffffff\nffffffffffffffff\nx")
	f.Fuzz(func(t *testing.T, args string) {
		if _, of, err := parse(strings.Split(args, "\n")); err == nil && len(of) == 0 {
			t.Error("there is no program to become")
		}
	})
}
