//go:build linux && (amd64 || arm64)

package enter

import (
	"errors"
	"strconv"
)

// Orders lists the restrictions that the process sets for itself, in this order.
type Orders struct {
	Nice int // the priority

	// Landlock: the kinds of rights that are removed, as in struct landlock_ruleset_attr; zero
	// means no landlock. Rules grants some of them again.
	Handled [3]uint64 // files, network, scope
	Rules   []Rule

	KeepRights uint64  // capabilities to keep, as bits; all others are dropped
	Filter     []byte  // of system calls: struct sock_filter in sequence; empty means no filter
	Limits     []Limit // by setrlimit

	Program string
}

// Rule grants rights on a path and everything below it.
type Rule struct {
	Rights     uint64 // of a folder
	FileRights uint64 // if it is not a folder
	Path       string
}

// Limit is the maximum of a resource.
type Limit struct {
	Resource int
	Most     uint64
}

var errNoCommand = errors.New("this is not a command: quire uses it to run other programs")

// Args returns the arguments for a process that executes the orders and becomes the program. of are
// the program's arguments; the first is its name.
func (o *Orders) Args(of []string) []string {
	all := []string{Name, o.Program, string(hexOf(o.Filter))}
	number := func(n uint64) { all = append(all, strconv.FormatUint(n, 16)) }
	for _, n := range []uint64{uint64(o.Nice), o.Handled[0], o.Handled[1], o.Handled[2], o.KeepRights,
		uint64(len(o.Limits)), uint64(len(o.Rules))} {
		number(n)
	}
	for _, l := range o.Limits {
		number(uint64(l.Resource))
		number(l.Most)
	}
	for _, r := range o.Rules {
		number(r.Rights)
		number(r.FileRights)
		all = append(all, r.Path)
	}
	return append(all, of...)
}

// reading consumes one argument after the other.
type reading struct {
	args []string
	bad  bool
}

func (r *reading) text() string {
	if len(r.args) == 0 {
		r.bad = true
		return ""
	}
	s := r.args[0]
	r.args = r.args[1:]
	return s
}

func (r *reading) number() uint64 {
	n, err := strconv.ParseUint(r.text(), 16, 64)
	r.bad = r.bad || err != nil
	return n
}

// parse parses the result of Args, and returns the program's arguments.
func parse(args []string) (o *Orders, of []string, err error) {
	r := &reading{args: args}
	o = &Orders{Program: r.text()}
	filter, ok := bytesOf(r.text())
	o.Filter, o.Nice = filter, int(r.number())
	o.Handled = [3]uint64{r.number(), r.number(), r.number()}
	o.KeepRights = r.number()
	limits, rules := r.number(), r.number()
	for ; limits > 0 && !r.bad; limits-- {
		o.Limits = append(o.Limits, Limit{Resource: int(r.number()), Most: r.number()})
	}
	for ; rules > 0 && !r.bad; rules-- {
		o.Rules = append(o.Rules, Rule{Rights: r.number(), FileRights: r.number(), Path: r.text()})
	}
	if r.bad || !ok || len(r.args) == 0 {
		return nil, nil, errNoCommand
	}
	return o, r.args, nil
}

const digits = "0123456789abcdef"

// hexOf and bytesOf replace encoding/hex, which imports too much for this package.
func hexOf(b []byte) []byte {
	h := make([]byte, 0, 2*len(b))
	for _, c := range b {
		h = append(h, digits[c>>4], digits[c&15])
	}
	return h
}

func bytesOf(h string) ([]byte, bool) {
	b := make([]byte, len(h)/2)
	for i := range b {
		high, low := digit(h[2*i]), digit(h[2*i+1])
		if high < 0 || low < 0 {
			return nil, false
		}
		b[i] = byte(high<<4 | low)
	}
	return b, len(h)%2 == 0
}

func digit(c byte) int {
	for i := range digits {
		if digits[i] == c {
			return i
		}
	}
	return -1
}
