//go:build linux && !amd64 && !arm64

package jail

// filter is none: the calls of this machine have other numbers. Here tells what is lacking.
type filter struct{}

func newFilter() filter { return filter{} }

func filterWorks() bool { return false }

func (filter) load() error { return nil }
