package disk

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// NoFollow is nothing here: os.OpenFile follows links, and Windows has no pipes in folders.
const NoFollow = 0

// Device gives the volume that a path lies on.
func Device(path string) (uint64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // it was only asked
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		return 0, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return uint64(info.VolumeSerialNumber), nil
}

// Free gives the bytes that are free for us where a path lies.
func Free(path string) (int64, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: path, Err: err}
	}
	return int64(free), nil //nolint:gosec // no volume has 2⁶³ bytes
}

// KeepOwner does nothing: on Windows what is made in a folder belongs to whom the folder says.
func KeepOwner(*os.File, fs.FileInfo) error { return nil }

// SyncFolder does nothing: Windows refuses it, and NTFS writes names in the order of its journal.
func SyncFolder(string) error { return nil }
