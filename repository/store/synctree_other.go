//go:build !linux

package store

import "errors"

// syncsAtOnce reports that each file must be synced on this system.
func syncsAtOnce(string) bool { return false }

func syncWhole(string) error { return errors.ErrUnsupported }
