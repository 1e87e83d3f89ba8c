package main

import (
	"cmp"
	"context"
	"fmt"

	"quire/access/server"
	"quire/holdings"
	"quire/internal/humanize"
)

// settingsFor reads the settings of quire serve for a command that checks rights for a class of
// readers. Without settings, only the rules in the repository apply, and settingsFor prints that.
// Curators see most of the content in either case.
func settingsFor(t *terminal, file, class string) (server.Config, error) {
	if file != "" {
		return server.Load(file)
	}
	if class != string(holdings.Staff) {
		t.warn("no --config: only the rules in the repository apply: its document, and access/rules.yaml if it exists")
	}
	return server.Config{}, nil
}

// noRightsWarning warns of packages that lack a rights statement and are therefore closed to a
// class of readers. Without the warning, a curator who forgot the statement would only see an empty
// archive. It returns "" if there are no such packages.
func noRightsWarning(ctx context.Context, h *holdings.Holdings, settings server.Config, class string) string {
	unstated := cmp.Or(settings.Unstated, string(holdings.Restricted))
	if class == string(holdings.Staff) || unstated == string(holdings.Open) || unstated == class {
		return ""
	}
	ids, of, err := h.Unstated(ctx)
	if err != nil || len(ids) == 0 {
		return "" // the command itself reports an error of the repository
	}
	return fmt.Sprintf("%d of %s without a rights statement: %s, and closed to readers of the class %s. "+
		"Add a statement with quire pack --rights FILE, a rule in access/rules.yaml of the repository, "+
		"or unstated: open in the file of --config",
		len(ids), humanize.Number(int64(of), "package", "packages"), unstated, class)
}
