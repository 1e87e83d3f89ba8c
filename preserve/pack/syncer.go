package pack

import (
	"errors"
	"os"
	"sync"
)

// syncer syncs finished files to disk and closes them, several at a time: a disk syncs a hundred
// small files as fast as ten. Every call after the first error returns that error.
type syncer struct {
	files   chan *os.File
	workers sync.WaitGroup
	mu      sync.Mutex
	err     error
}

// syncers is how many files are synced at once. It bounds the number of open files.
const syncers = 16

func newSyncer() *syncer {
	s := &syncer{files: make(chan *os.File)}
	for range syncers {
		s.workers.Go(func() {
			for f := range s.files {
				s.note(errors.Join(f.Sync(), f.Close()))
			}
		})
	}
	return s
}

func (s *syncer) note(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

func (s *syncer) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// add passes a file to the syncer. It waits if all workers are busy.
func (s *syncer) add(f *os.File) error {
	s.files <- f
	return s.failed()
}

// close waits until every file is on disk.
func (s *syncer) close() error {
	close(s.files)
	s.workers.Wait()
	return s.err
}
