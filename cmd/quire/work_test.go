package main

import (
	"strings"
	"testing"

	"quire/service/webhook"
)

// TestIsJob: a job in the queue is one that submit makes. No job decides on a withdrawal.
func TestIsJob(t *testing.T) {
	for command, good := range map[string]bool{
		"ingest a --repo r": true, "--verbose inspect a": true, "withdraw finish W1 --repo r": true,
		webhook.Queue + " x": true, "withdraw http://a.org/": false, "withdraw lift W1": false, "withdraw": false,
		"withdraw --repo finish lift W1": false, "purge a": false, "serve": false, "": false, "--verbose": false,
	} {
		if err := isJob(strings.Fields(command)); (err == nil) != good {
			t.Errorf("%q: %v", command, err)
		}
	}
}
