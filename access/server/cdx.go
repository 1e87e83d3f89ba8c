package server

import (
	"net/http"

	"quire/access/address"
	"quire/access/cdxserver"
	"quire/access/holdings"
)

// cdx answers a query about a collection in the way of CDX servers.
func (s *Server) cdx(w http.ResponseWriter, r *http.Request, q address.Request, who holdings.Reader) {
	packages, known := s.holdings.InCollection(q.In.Collection)
	if !known {
		http.NotFound(w, r)
		return
	}
	(&cdxserver.Server{Holdings: s.holdings}).Serve(w, r, who, packages)
}
