// Package filemap maps files into memory for reading, and turns the memory faults of a failing disk
// into errors.
package filemap

import (
	"errors"
	"fmt"
	"runtime/debug"
	"unsafe"
)

// ErrFault reports that a mapped file could not be read.
var ErrFault = errors.New("a mapped file cannot be read from disk, or has become shorter")

// Guard runs a function that reads mapped files. A failing disk or a truncated file causes a memory
// fault (SIGBUS), which would end the process. Guard turns this fault into [ErrFault]. Other panics
// continue, including panics of visit functions. maps reports whether an address is in the files.
func Guard(maps func(address uintptr) bool, read func() error) (err error) {
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
		err = fmt.Errorf("%w: %w", ErrFault, fault)
	}()
	return read()
}

// Contains reports whether an address is in mapped text.
func Contains(text []byte, address uintptr) bool {
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(text)))
	return address >= begin && address-begin < uintptr(len(text))
}
