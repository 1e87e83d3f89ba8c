package pack

import (
	"errors"
	"os"
	"sync"
)

// syncer brings finished files to the disk and closes them, several at a time: a disk is told of a
// hundred small files as fast as of ten. The first error stands, and is given by every call after
// it.
type syncer struct {
	files   chan *os.File
	workers sync.WaitGroup
	mu      sync.Mutex
	err     error
}

// syncers is how many files are brought to the disk at once. It bounds the files that are open.
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

// add takes a file over. It waits while all hands are full.
func (s *syncer) add(f *os.File) error {
	s.files <- f
	return s.failed()
}

// close waits until every file is on the disk.
func (s *syncer) close() error {
	close(s.files)
	s.workers.Wait()
	return s.err
}
