// Package oaiharvest reads what quire oai harvest leaves: a folder with WARC files, or files, and a harvest.json that says all of the
// harvest. Package quire/oai/harvest writes it; docs/harvest.md describes it.
//
//	claims, err := oaiharvest.Reader{}.Find(ctx, t)
//	h, err := claims[0].Read(ctx)
//	about := h.About() // the server, the windows, the tools that it ran, what was refused and why
package oaiharvest
