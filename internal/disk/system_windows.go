package disk

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// NoFollow is zero here: os.OpenFile follows links, and Windows has no pipes in folders.
const NoFollow = 0

// Device returns the volume of a path.
func Device(path string) (uint64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // opened for a query only
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		return 0, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return uint64(info.VolumeSerialNumber), nil
}

// Free returns the bytes available to this process on the volume of a path.
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

// Writable reports nothing here: only an attempt to write shows the rights of a process.
func Writable(string) error { return nil }

// Changeable reports nothing here, like [Writable].
func Changeable(string) error { return nil }

// KeepOwner does nothing: on Windows, the folder decides the owner of new files.
func KeepOwner(*os.File, fs.FileInfo) error { return nil }

// SyncFolder does nothing: Windows refuses it, and NTFS writes names in the order of its journal.
func SyncFolder(string) error { return nil }
