// Profile runs the one pass over a container and writes a processor profile for go tool pprof.
//
//	profile FILE.warc.gz cpu.prof
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"

	"quire/preserve/inspect"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: profile FILE.warc.gz cpu.prof")
		os.Exit(2)
	}
	if err := profile(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintf(os.Stderr, "profile: %v\n", err)
		os.Exit(2)
	}
}

func profile(container, to string) (err error) {
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}()
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	_, err = inspect.File(context.Background(), container, inspect.Options{})
	return err
}
