package server

import (
	"net/http"

	"quire/access/address"
	"quire/holdings"
)

// cdx answers CDX queries about a collection, within the reader's rights
// (docs/reference/540_cdx-server.md).
func (s *Server) cdx(w http.ResponseWriter, r *http.Request, q address.Request, who holdings.Reader) {
	packages, known := s.holdings.InCollection(q.In.Collection)
	if !known {
		http.NotFound(w, r)
		return
	}
	s.listed.Serve(w, r, who, packages)
}
