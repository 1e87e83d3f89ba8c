package main

import (
	"cmp"
	"context"
	"fmt"

	"quire/access/server"
	"quire/holdings"
	"quire/internal/humanize"
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

// closedUnsaid says that packages are closed to a class of readers because nobody says who may see them: otherwise a curator who forgot it
// sees an archive in which nothing is. It is "" where that is not so.
func closedUnsaid(ctx context.Context, h *holdings.Holdings, settings server.Config, class string) string {
	unstated := cmp.Or(settings.Unstated, string(holdings.Restricted))
	if class == string(holdings.Staff) || unstated == string(holdings.Open) || unstated == class {
		return ""
	}
	ids, of, err := h.Unstated(ctx)
	if err != nil || len(ids) == 0 {
		return "" // what is wrong with the repository is told by what was asked of it
	}
	return fmt.Sprintf("nobody says who may see %d of %s: what is in there is %s then, and kept from readers of the class %s. "+
		"Say it by quire pack --rights FILE, in access/rules.yaml of the repository, or by unstated: open in the file of --config",
		len(ids), humanize.Number(int64(of), "package", "packages"), unstated, class)
}
