package main

import (
	"quire/access/holdings"
	"quire/access/server"
)

// settingsFor reads the settings of quire serve for a command that gives what readers of a class may have. Without any it says that no
// rules are asked: what a rule closes would be given. Curators have most of it all the same.
func settingsFor(t *terminal, file, class string) (server.Config, error) {
	if file != "" {
		return server.Load(file)
	}
	if class != string(holdings.Staff) {
		t.warn("no --config: only what packages and collections say of their rights was asked, and no rules of access")
	}
	return server.Config{}, nil
}
