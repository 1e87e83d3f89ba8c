package main

import (
	"context"
	"errors"

	"quire/internal/httpserver"
)

type healthCmd struct {
	URL string `arg:"" optional:"" default:"http://127.0.0.1:8000" help:"Address of the server. Default: ${default}."`
}

// Run asks the server for its health check. Container engines expect status 1 of a server that is
// not healthy.
func (c *healthCmd) Run(ctx context.Context, t *terminal) error {
	err := httpserver.CheckHealth(ctx, c.URL)
	if errors.Is(err, httpserver.ErrAddress) {
		return err
	}
	if err != nil {
		t.printError(err)
		return errContent
	}
	t.printf("healthy\n")
	return nil
}
