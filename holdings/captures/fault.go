package captures

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"unsafe"
)

// guarded runs what reads mapped files. A disk that fails, or a file that somebody cuts off, then
// is a fault of memory (SIGBUS), by which the process would end: here it becomes an error, as it
// would be with ReadAt. Any other panic goes on, one of who is visited, too: maps says whether an
// address is in the files.
func guarded(maps func(address uintptr) bool, read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		fault, ok := p.(interface { // debug.SetPanicOnFault promises this
			error
			Addr() uintptr
		})
		if !ok || !maps(fault.Addr()) {
			panic(p)
		}
		err = fmt.Errorf("%w: %w", errFault, fault)
	}()
	return read()
}

// errFault says that a mapped file could not be read.
var errFault = errors.New("the capture index cannot be read from its disk, or is shorter than it was: see what the " +
	"system's log says of the disk, " +
	"and make the index again (quire index --rebuild)")

// maps says whether an address is in the file, as it is mapped.
func (s *segment) maps(address uintptr) bool {
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(s.text)))
	return address >= begin && address-begin < uintptr(len(s.text))
}

func (s *snapshot) maps(address uintptr) bool {
	return slices.ContainsFunc(s.segments, func(f *files) bool {
		return slices.ContainsFunc(f.segments(), func(s *segment) bool { return s.maps(address) })
	})
}

func (r *resolver) maps(address uintptr) bool {
	in := func(s *segment) bool { return s.maps(address) }
	return slices.ContainsFunc(r.captures, in) || slices.ContainsFunc(r.payloads, in)
}
