package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"time"

	embedded "quire/examples"
	"quire/internal/tour"
)

type demoCmd struct {
	Out    string `placeholder:"FOLDER" help:"Where the tour works. The folder must not exist, or be empty. Default: a new temporary folder."`
	Serve  bool   `help:"Serve the pages to readers at the end, until Ctrl-C."`
	Listen string `default:"127.0.0.1:8000" placeholder:"ADDR" help:"Address to listen on with --serve, HOST:PORT. Default: ${default}."`
}

// crawled is when wget ended the example crawl.
var crawled = time.Date(2026, 11, 21, 3, 34, 39, 0, time.UTC)

// Run takes the tour.
func (c *demoCmd) Run(ctx context.Context, t *terminal) error {
	program, _ := os.Executable() // without /proc the path is unknown, and the hint is omitted
	o := tour.Options{
		Folder: c.Out, Program: program, Files: embedded.Files, Crawled: crawled, Out: t.out,
		Call: func(ctx context.Context, args []string) error {
			if t.chosen != "" { // the tour drops the settings
				args = append(slices.Clone(args), "--color="+t.chosen)
			}
			if status := run(ctx, args, t.out, t.err); status != exitGood {
				return fmt.Errorf("status %d, see above", status)
			}
			return nil
		},
	}
	if c.Serve {
		o.Serve = []string{"--listen", c.Listen}
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Listen) // before the tour, not after it
		if err == nil {
			err = l.Close()
		}
		if err != nil {
			return err
		}
	}
	return tour.Run(ctx, o)
}
