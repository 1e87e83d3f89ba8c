package dspace

import (
	"iter"

	"quire/internal/spool"
)

// pull iterates over a spool, one value at a time.
func pull[T any](s *spool.Spool[T]) (next func() (v T, more bool, err error), stop func()) {
	pulled, stop := iter.Pull2(s.All())
	return func() (v T, more bool, err error) {
		v, err, more = pulled()
		return v, more && err == nil, err
	}, stop
}
