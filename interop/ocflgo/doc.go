// Package ocflgo validates Quire's storage with ocfl-go, an independent OCFL implementation. It is
// a separate module, so that ocfl-go and its dependencies stay out of Quire's go.mod.
//
//	cd interop/ocflgo && go test ./...                     # an object built by repository/ocfl
//	QUIRE_OCFL_ROOT=/path/to/copy go test ./...            # and every object of a storage root
package ocflgo
