package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"quire/internal/filelock"
)

// Holder identifies the holder of a lock. It is in the lock file, or in a table of the database, for people to
// read. The lock itself is the flock on the file, which the kernel drops when the process ends, for any reason; or
// that of the database.
type Holder struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
	Doing string    `json:"doing"`
}

// newHolder returns a Holder for this process.
func newHolder(doing string) Holder {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host" // only for people
	}
	return Holder{PID: os.Getpid(), Host: host, Since: time.Now().UTC().Truncate(time.Second), Doing: doing}
}

// String describes the holder.
func (h Holder) String() string {
	if h.PID == 0 {
		return "another process"
	}
	return fmt.Sprintf("process %d on %s since %s (%s)", h.PID, h.Host, h.Since.UTC().Format(time.RFC3339), h.Doing)
}

// lockMode is the kind of a lock.
type lockMode int

const (
	shared    lockMode = iota // any number of readers
	exclusive                 // one writer
)

// try locks a file in this mode.
func (m lockMode) try(f *os.File) error {
	if m == shared {
		return filelock.TryShared(f)
	}
	return filelock.Try(f)
}

// lock is a held lock: the flock of a file, or that of a database.
type lock struct {
	f    *os.File
	path string // "" if the file must not be removed
	free func() // releases the lock of a database
	also *lock  // released with it; may be nil
}

// lockPoll is the interval between attempts to get a lock.
const lockPoll = 20 * time.Millisecond

// lockFileMode lets the group see the holder of a lock.
const lockFileMode fs.FileMode = 0o640

// tryLock locks the file at path, or returns a *BusyError at once.
func tryLock(path string, mode lockMode, subject, doing string) (*lock, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, lockFileMode)
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		err = mode.try(f)
		switch {
		case errors.Is(err, filelock.ErrHeld):
			holder := readHolder(f)
			_ = f.Close()
			return nil, &BusyError{Subject: subject, Holder: holder}
		case err != nil:
			_ = f.Close()
			return nil, fmt.Errorf("lock %s: %w (the file system must support flock)", path, err)
		}
		l := &lock{f: f, path: path}
		if !l.current() {
			_ = f.Close() // the earlier holder removed it; the next attempt creates a new file
			continue
		}
		if mode == exclusive {
			if err := l.sign(doing); err != nil {
				l.release()
				return nil, err
			}
		}
		return l, nil
	}
}

// tryReadLock is tryLock for processes that may read the file at path, but not write it. Without a
// file the lock is free.
func tryReadLock(path, subject string) (*lock, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &lock{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	err = filelock.TryShared(f)
	if errors.Is(err, filelock.ErrHeld) {
		err = &BusyError{Subject: subject, Holder: readHolder(f)}
	}
	if err != nil {
		_ = f.Close() // opened for reading only
		return nil, err
	}
	return &lock{f: f}, nil
}

// denied reports whether an error means that this process may not write.
func denied(err error) bool { return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) }

// signTries is the number of extra attempts, lockPoll apart, for a lock without a holder's name.
const signTries = 50

// named tries again while the holder has no name yet.
func named(ctx context.Context, take func() (*lock, error)) (*lock, error) {
	for try := 0; ; try++ {
		l, err := take()
		var busy *BusyError
		if !errors.As(err, &busy) || busy.Holder != (Holder{}) || try == signTries {
			return l, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// whenFree tries until the lock is free, or ctx ends.
func whenFree(ctx context.Context, try func() (*lock, error)) (*lock, error) {
	for {
		l, err := try()
		var busy *BusyError
		if err == nil || !errors.As(err, &busy) {
			return l, err
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), err)
		case <-time.After(lockPoll):
		}
	}
}

// current reports whether the locked file is still the file at the path. A holder removes the file
// before it releases the lock. So a process can lock a file that is no longer at the path.
func (l *lock) current() bool {
	held, err := l.f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(l.path)
	return err == nil && os.SameFile(held, there)
}

// sign writes the holder into the lock file.
func (l *lock) sign(doing string) error {
	text, err := json.Marshal(newHolder(doing))
	if err != nil {
		return err
	}
	if err := l.f.Truncate(0); err != nil {
		return fmt.Errorf("lock %s: %w", l.path, err)
	}
	if _, err := l.f.WriteAt(append(text, '\n'), 0); err != nil {
		return fmt.Errorf("lock %s: %w", l.path, err)
	}
	return nil
}

// readHolder reads the holder of a lock. Missing or incomplete text means an unknown holder.
func readHolder(f *os.File) Holder {
	var h Holder
	text := make([]byte, 4096)
	n, _ := f.ReadAt(text, 0) // io.EOF is usual
	if json.Unmarshal(text[:n], &h) != nil {
		return Holder{}
	}
	return h
}

// release releases the lock. It removes the file if no other process holds the lock, to keep locks/
// small.
func (l *lock) release() {
	if l.also != nil {
		l.also.release()
		l.also = nil
	}
	if l.free != nil {
		l.free()
		l.free = nil
	}
	if l.f == nil {
		return
	}
	if l.path != "" && filelock.Try(l.f) == nil && l.current() {
		_ = os.Remove(l.path) // a remaining lock file does no harm
	}
	_ = l.f.Close()
	l.f = nil
}
