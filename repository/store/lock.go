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

// Holder says who holds a lock. It stands in the lock file for people to read; what counts is the
// flock on the file, which the kernel drops when the process dies, however it dies.
type Holder struct {
	PID   int       `json:"pid"`
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
	Doing string    `json:"doing"`
}

// newHolder describes this process.
func newHolder(doing string) Holder {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host" // for people only
	}
	return Holder{PID: os.Getpid(), Host: host, Since: time.Now().UTC().Truncate(time.Second), Doing: doing}
}

// String names the holder.
func (h Holder) String() string {
	if h.PID == 0 {
		return "another process"
	}
	return fmt.Sprintf("process %d on %s since %s (%s)", h.PID, h.Host, h.Since.UTC().Format(time.RFC3339), h.Doing)
}

// lockMode is how a lock is held.
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

// lock is a held flock.
type lock struct {
	f    *os.File
	path string // "" when the file is not ours to remove
}

// lockPoll is how often a lock that is waited for is tried.
const lockPoll = 20 * time.Millisecond

// lockFileMode lets the group see who holds a lock.
const lockFileMode fs.FileMode = 0o640

// tryLock takes the lock in the file at path, or returns a *BusyError at once.
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
			_ = f.Close() // it was removed by the one who held it before; whoever comes next makes a new file
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

// tryReadLock is tryLock for who may read the file at path, and not write. Without a file nobody
// holds the lock.
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
		_ = f.Close() // it was only read
		return nil, err
	}
	return &lock{f: f}, nil
}

// denied reports whether an error says that this process may not write.
func denied(err error) bool { return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) }

// signTries is how often a lock without a holder's name is looked at again, lockPoll apart.
const signTries = 50

// tryWriter is tryLock for who writes an object. Between taking a lock and signing it a moment
// passes: who comes just then tries again, so that a refusal can say who is writing.
func tryWriter(ctx context.Context, path, subject, doing string) (*lock, error) {
	for try := 0; ; try++ {
		l, err := tryLock(path, exclusive, subject, doing)
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

// waitLock takes the lock as soon as it is free, or returns when ctx ends.
func waitLock(ctx context.Context, path string, mode lockMode, subject, doing string) (*lock, error) {
	return whenFree(ctx, func() (*lock, error) { return tryLock(path, mode, subject, doing) })
}

// whenFree tries until nobody else holds a lock, or ctx ends.
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

// current reports whether the locked file is still the one at the path. A holder removes the file
// before letting go, so a lock can be won on a file that nobody else will ever see.
func (l *lock) current() bool {
	held, err := l.f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(l.path)
	return err == nil && os.SameFile(held, there)
}

// sign writes who holds the lock into the lock file.
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

// readHolder reads who holds a lock; nothing there, or something half written, is an unknown
// holder.
func readHolder(f *os.File) Holder {
	var h Holder
	text := make([]byte, 4096)
	n, _ := f.ReadAt(text, 0) // io.EOF is usual
	if json.Unmarshal(text[:n], &h) != nil {
		return Holder{}
	}
	return h
}

// release lets go. The file is removed when nobody else holds the lock, so that locks/ does not
// fill up.
func (l *lock) release() {
	if l.f == nil {
		return
	}
	if l.path != "" && filelock.Try(l.f) == nil && l.current() {
		_ = os.Remove(l.path) // a lock file that stays behind does no harm
	}
	_ = l.f.Close()
	l.f = nil
}
