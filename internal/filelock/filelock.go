// Package filelock locks open files and folders between processes. The system releases a lock when
// the file is closed or the process ends, in any way.
package filelock

import "errors"

// ErrHeld means that another process has locked the file.
var ErrHeld = errors.New("another process has locked it")
