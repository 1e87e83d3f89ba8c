// Recode measures the unavoidable work of converting an ARC. It inflates the ARC and deflates the
// content of the WARC, member by member at the same level, with the libraries that quire convert
// uses. It prints the processor time of both in seconds.
//
//	recode ARC WARC
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"quire/format/gzipmember"
	"quire/format/inflate"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: recode ARC WARC")
		os.Exit(2)
	}
	inflating, err := spent(func() error { return eachMember(os.Args[1], nothing{}) })
	reading, err2 := spent(func() error { return eachMember(os.Args[2], nothing{}) })
	both, err3 := spent(func() error { return deflate(os.Args[2]) })
	if err := errors.Join(err, err2, err3); err != nil {
		fmt.Fprintf(os.Stderr, "recode: %v\n", err)
		os.Exit(2)
	}
	fmt.Printf("inflate %.2f deflate %.2f\n", inflating.Seconds(), (both - reading).Seconds())
}

// spent returns the processor time of a function.
func spent(do func() error) (time.Duration, error) {
	before := cpu()
	err := do()
	return cpu() - before, err
}

func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// members receives the inflated bytes of a file, member by member.
type members interface {
	begin() error
	io.Writer
	end() error
}

type nothing struct{}

func (nothing) begin() error                { return nil }
func (nothing) Write(p []byte) (int, error) { return len(p), nil }
func (nothing) end() error                  { return nil }

type deflated struct{ *gzipmember.Writer }

func (d deflated) begin() error { return d.Begin() }

func (d deflated) end() error {
	_, _, err := d.End()
	return err
}

func deflate(path string) error {
	w, err := gzipmember.NewWriter(io.Discard, gzipmember.DefaultLevel)
	if err != nil {
		return err
	}
	return eachMember(path, deflated{w})
}

func eachMember(path string, to members) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it was only read
	in := inflate.NewReader(f, inflate.Options{})
	for member := int64(-1); ; {
		at, err := in.Position()
		if member >= 0 && (err != nil || at.Member != member) {
			if err := to.end(); err != nil {
				return err
			}
			member = -1
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if member < 0 {
			member = at.Member
			if err := to.begin(); err != nil {
				return err
			}
		}
		chunk, err := in.Chunk(1 << 20)
		if err != nil {
			return err
		}
		if _, err := to.Write(chunk); err != nil {
			return err
		}
	}
}
