package sqlite

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// WriterOf returns the process that holds the write lock of the database at path, which is in WAL
// mode. It returns false if there is none, or if the system does not say.
//
// The lock is on byte 120 of the file with the suffix -shm
// (https://sqlite.org/walformat.html#wal_locks). WriterOf reads the list of the kernel. Opening and
// closing that file here would release the locks of this process.
func WriterOf(path string) (Writer, bool) {
	var stat syscall.Stat_t
	if syscall.Stat(path+"-shm", &stat) != nil {
		return Writer{}, false
	}
	list, err := os.Open("/proc/locks")
	if err != nil {
		return Writer{}, false
	}
	defer func() { _ = list.Close() }() // opened for reading only
	lines := bufio.NewScanner(list)
	for lines.Scan() {
		if pid, inode, ok := writeLock(lines.Text()); ok && inode == stat.Ino {
			return Writer{PID: pid, Name: programName(pid)}, true
		}
	}
	return Writer{}, false
}

// writeLock parses a line of /proc/locks. It returns false for all locks except a write lock on byte
// 120, and for processes that this one cannot see.
func writeLock(line string) (pid int, inode uint64, ok bool) {
	var n, kind, how, mode, device, first, last string
	if _, err := fmt.Sscan(line, &n, &kind, &how, &mode, &pid, &device, &first, &last); err != nil {
		return 0, 0, false
	}
	at := strings.LastIndexByte(device, ':')
	if _, err := fmt.Sscan(device[at+1:], &inode); err != nil {
		return 0, 0, false
	}
	const writeByte = "120"
	return pid, inode, mode == "WRITE" && first == writeByte && last == writeByte && pid > 0
}

// programName returns the name of the program of a process, or "".
func programName(pid int) string {
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(name))
}
