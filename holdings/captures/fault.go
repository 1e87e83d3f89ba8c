package captures

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"unsafe"
)

// guarded runs a function that reads mapped files. A failing disk or a truncated file causes a
// memory fault (SIGBUS), which would end the process. guarded turns this fault into an error, like
// an error of ReadAt. Other panics continue, including panics of visit functions. maps reports
// whether an address is in the files.
func guarded(maps func(address uintptr) bool, read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		fault, ok := p.(interface { // debug.SetPanicOnFault guarantees this interface
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

// errFault reports that a mapped file could not be read.
var errFault = errors.New("the capture index cannot be read from disk, or has become shorter. Check the " +
	"system log for disk errors, then run quire index --rebuild")

// maps reports whether an address is in the mapped file.
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
