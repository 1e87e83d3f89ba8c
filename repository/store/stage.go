package store

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	system "quire/internal/disk"
)

// Staging reads each source file once. One goroutine reads blocks, one hashes them, and one for
// each copy writes them. They share a few blocks, so memory is bounded for any size and number of
// files. The slowest copy sets the pace.
const (
	blockSize  = 1 << 20 // bytes
	blockCount = 12      // shared by all
	queueSize  = 64      // pieces waiting at one copy
)

// block is a buffer that returns to the pool after its last reader.
type block struct {
	data []byte
	n    int
	refs atomic.Int32
	pool chan *block
}

func (b *block) done() {
	if b != nil && b.refs.Add(-1) == 0 {
		b.pool <- b
	}
}

// giveBack returns the buffers of a pool for other files: a package may be small, and there may be
// millions.
func giveBack(pool chan *block) {
	for range len(pool) {
		if b := <-pool; b.data != nil {
			buffers.Put(&b.data)
		}
	}
}

// piece is sent to the hashing and to the copies: part of a file, or its end.
type piece struct {
	file  int    // index in the survey
	block *block // nil at the end of the file
	cut   bool   // at the end: the file could not be read to its end
}

// stageJob defines the files and the target folders of staging.
type stageJob struct {
	survey  *survey
	keep    []bool   // for each file: whether the copies get it; every file is read and hashed
	folders []string // content folder of each copy; empty for hashing only
	disk    *disk
	advance func(bytes int64)

	// failed gets the files that cannot be read, and the others are copied. nil: the first error ends
	// the job.
	failed map[int]error
}

// stage copies the files and records the digest of each. A file that differs from the survey causes
// a *ContentError.
func (j *stageJob) stage(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	pool := make(chan *block, blockCount)
	for range blockCount {
		pool <- &block{pool: pool}
	}
	defer giveBack(pool)
	var wait sync.WaitGroup
	queues := make([]chan piece, 1+len(j.folders))
	for i := range queues {
		queues[i] = make(chan piece, queueSize)
	}
	wait.Go(func() { j.digest(queues[0]) })
	for i, folder := range j.folders {
		wait.Go(func() {
			if err := j.write(folder, queues[1+i]); err != nil {
				cancel(err)
			}
		})
	}
	err := j.read(ctx, pool, queues)
	for _, q := range queues {
		close(q)
	}
	wait.Wait()
	// A failed copy is the cause, even if the reader noticed the cancellation first.
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// read sends every file to the queues.
func (j *stageJob) read(ctx context.Context, pool chan *block, queues []chan piece) error {
	for i := range j.survey.files {
		if j.survey.files[i].same && !j.keep[i] {
			continue
		}
		to := queues
		if !j.keep[i] {
			to = queues[:1]
		}
		err := j.readFile(ctx, i, pool, to)
		if err == nil {
			continue
		}
		if ctx.Err() != nil || j.failed == nil {
			return err
		}
		j.failed[i] = err
		for _, q := range to {
			q <- piece{file: i, cut: true}
		}
	}
	return nil
}

// readFile reads one file to its end, and checks that it is the file of the survey and does not
// change.
func (j *stageJob) readFile(ctx context.Context, i int, pool chan *block, queues []chan piece) error {
	want := j.survey.files[i]
	f, err := os.OpenFile(j.survey.diskPath(want), os.O_RDONLY|system.NoFollow, 0)
	if err != nil {
		return fmt.Errorf("reading the package: %w", err)
	}
	defer func() { _ = f.Close() }() // opened for reading only
	if err := j.unchanged(f, want); err != nil {
		return err
	}
	var total int64
	for {
		var b *block
		select {
		case b = <-pool:
		case <-ctx.Done():
			return ctx.Err()
		}
		if b.data == nil {
			b.data = *buffers.Get().(*[]byte)
		}
		b.n, err = io.ReadFull(f, b.data)
		total += int64(b.n)
		if b.n > 0 {
			b.refs.Store(int32(len(queues)))
			for _, q := range queues {
				q <- piece{file: i, block: b}
			}
			j.advance(int64(b.n))
		} else {
			pool <- b
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("reading the package: %w", err)
		}
		if total > want.size {
			break // it grows while it is read; unchanged reports that
		}
	}
	if err := j.unchanged(f, want); err != nil {
		return err
	}
	if total != want.size {
		return j.changed(want, fmt.Sprintf("only %d of %d bytes could be read", total, want.size))
	}
	for _, q := range queues {
		q <- piece{file: i}
	}
	return nil
}

func (j *stageJob) unchanged(f *os.File, want sourceFile) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return fmt.Errorf("reading the package: %w", err)
	case !info.Mode().IsRegular():
		return j.changed(want, "it is no longer a regular file")
	case info.Size() != want.size:
		return j.changed(want, fmt.Sprintf("its size changed from %d to %d bytes", want.size, info.Size()))
	case !info.ModTime().Equal(want.mod):
		return j.changed(want, fmt.Sprintf("it was modified at %s", info.ModTime().UTC().Format("15:04:05.000")))
	}
	return nil
}

func (j *stageJob) changed(f sourceFile, how string) error {
	var wrong problems
	wrong.add(f.path, "changed while it was read: %s; try again when no program writes to the package", how)
	return wrong.err(j.survey.dir)
}

// digest computes the digest of every file.
func (j *stageJob) digest(queue chan piece) {
	h := sha512.New()
	for p := range queue {
		if p.block != nil {
			_, _ = h.Write(p.block.data[:p.block.n]) // a hash never fails
			p.block.done()
			continue
		}
		j.survey.files[p.file].found = hex.EncodeToString(h.Sum(nil))
		h.Reset()
	}
}

// write writes one copy of every file. After an error it only releases the blocks.
func (j *stageJob) write(folder string, queue chan piece) error {
	w := copyWriter{job: j, folder: folder, made: map[string]bool{}}
	for p := range queue {
		if w.err == nil {
			w.err = w.take(p)
		}
		p.block.done()
	}
	if w.open != nil {
		w.open.abandon()
	}
	if w.err != nil {
		return fmt.Errorf("writing to %s: %w", folder, w.err)
	}
	return nil
}

// copyWriter writes the files of one copy, one after another.
type copyWriter struct {
	job    *stageJob
	folder string
	made   map[string]bool // folders
	open   *diskFile
	err    error
}

func (w *copyWriter) take(p piece) error {
	if p.cut { // the caller removes the file
		if w.open != nil {
			w.open.abandon()
			w.open = nil
		}
		return nil
	}
	if w.open == nil {
		name := w.job.survey.files[p.file].path
		if err := w.mkdir(parent(name)); err != nil {
			return err
		}
		f, err := w.job.disk.create(filepath.Join(w.folder, filepath.FromSlash(name)), storedFile)
		if err != nil {
			return err
		}
		w.open = f
	}
	if p.block != nil {
		_, err := w.open.Write(p.block.data[:p.block.n])
		return err
	}
	f := w.open
	w.open = nil
	return f.finish()
}

func (w *copyWriter) mkdir(name string) error {
	if w.made[name] {
		return nil
	}
	w.made[name] = true
	return w.job.disk.mkdirAll(filepath.Join(w.folder, filepath.FromSlash(name)))
}
