//go:build unix && !linux

package store

import "os"

// forgetCache has no counterpart here: what is read back may come from the page cache.
func forgetCache(*os.File) {}
