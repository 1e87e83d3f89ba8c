package ocfl

import (
	"errors"
	"fmt"
	"io"
	"path"
	"runtime"
	"strings"
	"sync"
)

// bufferSize is the size of one read in bytes. It is large enough to make the cost of calls
// negligible, and small enough to cancel promptly.
const bufferSize = 256 << 10

// digestPool reads files in parallel. It owns its goroutines: digestAll returns when all have
// ended.
type digestPool struct {
	*objectCheck
	mu sync.Mutex // guards the log, the count of bytes, and Progress
}

// digestAll reads each file once for all its digests, and reports differences. The log is only
// changed under the lock; the other fields are read-only while the workers run.
func (c *objectCheck) digestAll(files []string) {
	workers := c.o.Concurrency
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	pool := &digestPool{objectCheck: c}
	queue := make(chan string)
	var running sync.WaitGroup
	for range min(workers, len(files)) {
		running.Go(func() { pool.work(queue) })
	}
	for _, f := range files {
		if c.ctx.Err() != nil {
			break
		}
		queue <- f
	}
	close(queue)
	running.Wait()
}

func (pool *digestPool) work(queue <-chan string) {
	buf := make([]byte, bufferSize)
	for name := range queue {
		if pool.ctx.Err() != nil {
			continue // drain, to unblock the sender
		}
		pool.check(name, buf)
	}
}

// check reads one file and compares its digests.
func (pool *digestPool) check(name string, buf []byte) {
	e := pool.want[name]
	var names []string
	for _, d := range e.digests {
		names = append(names, d.algorithm)
	}
	m := newMultiHash(names)
	err := pool.read(name, m, buf)
	if pool.ctx.Err() != nil {
		return
	}
	pool.mu.Lock()
	defer pool.mu.Unlock()
	if err != nil {
		pool.log.add(Issue{Code: "E092", Kind: KindUnreadable, Path: name, Detail: err.Error()})
		return
	}
	for _, d := range e.digests {
		if found := m.sum(d.algorithm); found != "" && !equalDigest(found, d.digest) {
			pool.log.add(d.mismatch(name, found))
		}
	}
}

func (d expectedDigest) mismatch(name, found string) Issue {
	want := strings.ToLower(d.digest)
	return Issue{Code: d.code, Kind: KindDigestMismatch, Path: name,
		Detail:    fmt.Sprintf("%s is %s, but %s states %s", d.algorithm, found, d.source, want),
		Algorithm: d.algorithm, Expected: want, Found: found}
}

// read passes a file through the hashes. It stops between two reads if the context is cancelled.
func (pool *digestPool) read(name string, m *multiHash, buf []byte) (err error) {
	f, err := pool.fsys.Open(path.Join(pool.dir, name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for {
		n, err := f.Read(buf)
		_, _ = m.Write(buf[:n]) // a hash never fails
		pool.count(int64(n))
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case pool.ctx.Err() != nil:
			return pool.ctx.Err()
		}
	}
}

func (pool *digestPool) count(n int64) {
	if n == 0 {
		return
	}
	pool.mu.Lock()
	defer pool.mu.Unlock()
	pool.result.Bytes += n
	if pool.o.Progress != nil {
		pool.o.Progress(n)
	}
}
