// Package filelock locks open files and folders between processes. The system drops a lock when its
// file is closed, or its process ends in whatever way.
package filelock

import "errors"

// ErrHeld says that another process has locked the file.
var ErrHeld = errors.New("another process has locked it")
