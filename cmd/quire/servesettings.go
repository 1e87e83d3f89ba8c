package main

import (
	"quire/access/holdings"
	"quire/access/server"
)

// settingsFor reads the settings of quire serve for a command that gives what readers of a class may have. Without any it says which
// rules are asked: what those of the settings close would be given. Curators have most of it all the same.
func settingsFor(t *terminal, file, class string) (server.Config, error) {
	if file != "" {
		return server.Load(file)
	}
	if class != string(holdings.Staff) {
		t.warn("no --config: of rules of access only those in the repository are asked, access/rules.yaml, where there are any")
	}
	return server.Config{}, nil
}
