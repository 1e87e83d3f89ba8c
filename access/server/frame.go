package server

import (
	"context"
	"net/http"

	"quire/access/address"
	"quire/access/pages"
	"quire/access/replay"
	"quire/access/wabac"
	"quire/holdings"
	"quire/holdings/captures"
)

// frame returns the replay address of a capture for our own pages, with a capability if it is
// restricted. The capability names only the package of the capture, so its page cannot read other
// restricted content.
func (s *Server) frame(r *http.Request, in address.In, timestamp, archived string) (pages.Frame, error) {
	base := s.Sites
	switch {
	case s.alone():
		base = address.Replay(s.UI)
	case base == "":
		base = address.Replay(s.Replay)
	}
	f := pages.Frame{Origin: base.Origin(), Sandbox: s.Sites == ""}
	if f.Origin == "" {
		f.Origin = "'self'"
	}
	if who := s.reader(r); who.Class != holdings.Public {
		packages, open, err := s.packagesOf(r.Context(), who, in, timestamp, archived)
		if err != nil {
			return f, err
		}
		if !open && len(packages) > 0 {
			in.Capability = s.key.Sign(replay.Capability{
				Class: who.Class, Packages: packages, Network: s.readers.byAddress(r) == who.Class,
				Until: s.o.Now().Add(s.o.Permission),
			})
		}
	}
	f.URL = base.Capture(in, timestamp, address.Page, archived)
	if s.engine != nil { // only with a host for each site
		f.Engine = s.Sites.For(in, archived).Origin() +
			wabac.Begin(in.Segment(), timestamp, address.EscapeURL(archived))
	}
	return f, nil
}

// packagesOf returns the packages with a capture of a URL at a moment, and those with its payload;
// and whether it is open to the public.
func (s *Server) packagesOf(ctx context.Context, who holdings.Reader, in address.In, timestamp,
	archived string) (all []string, open bool, err error) {
	packages, _ := s.holdings.InCollection(in.Collection)
	q := captures.Query{URL: archived, From: timestamp, To: timestamp, Packages: packages}
	for c, err := range s.holdings.Captures(ctx, who, q) {
		if err != nil {
			return nil, false, err
		}
		open = open || c.Verdict == holdings.Open
		if !c.Allowed || len(all) >= 8 {
			continue
		}
		all = append(all, c.Package)
		if c.Payload != nil && c.Payload.Package != c.Package {
			all = append(all, c.Payload.Package) // a revisit is subject to the rights of both packages
		}
	}
	return all, open, nil
}
