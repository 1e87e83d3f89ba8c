// Package ocflgo asks ocfl-go, an OCFL implementation that is not ours, for its verdict on what
// Quire stores. It is a module of its own, so that ocfl-go and all it needs stay out of Quire's
// go.mod.
//
//	cd interop/ocflgo && go test ./...                     # an object built by repository/ocfl
//	QUIRE_OCFL_ROOT=/path/to/copy go test ./...            # and every object of a storage root
package ocflgo
