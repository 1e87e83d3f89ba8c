package folder

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// listed is a file as mets.xml states it.
type listed struct {
	path   string
	size   int64  // -1 where none is stated
	sha512 string // lower-case hex; "" where none is stated
}

// digestPool checks files, as many at once as the machine has processors for.
type digestPool struct {
	v      *validation
	jobs   chan listed
	gone   sync.WaitGroup
	waited sync.Once
	files  atomic.Int64 // whose content was read
	bytes  atomic.Int64
}

// bufferSize is what each worker reads at a time, in bytes.
const bufferSize = 256 << 10

func startPool(v *validation) *digestPool {
	workers := runtime.GOMAXPROCS(0)
	p := &digestPool{v: v, jobs: make(chan listed, workers)}
	for range workers {
		p.gone.Go(p.work)
	}
	return p
}

// check hands a file to the pool. The error is that of the context.
func (p *digestPool) check(l listed) error {
	select {
	case p.jobs <- l:
		return nil
	case <-p.v.ctx.Done():
		return p.v.ctx.Err()
	}
}

// wait returns when all files are checked. Nothing can be handed to the pool after it.
func (p *digestPool) wait() {
	p.waited.Do(func() { close(p.jobs) })
	p.gone.Wait()
}

func (p *digestPool) summary() string {
	return fmt.Sprintf("%s read, %s", count(p.files.Load(), "file"), count(p.bytes.Load(), "byte"))
}

func (p *digestPool) work() {
	buf := make([]byte, bufferSize)
	for l := range p.jobs {
		if p.v.ctx.Err() == nil {
			p.v.findings.add(p.judge(l, buf))
		}
	}
}

// judge checks that a file is there, with the size and the SHA-512 stated. Of a file whose size is wrong no byte is read: its
// digest cannot be right, and it may be very large.
func (p *digestPool) judge(l listed, buf []byte) *breach {
	f, err := openRegular(p.v.root, l.path)
	if err != nil {
		return notThere(l.path, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	info, err := f.Stat()
	switch {
	case err != nil:
		return breaks(CodeFileRead, l.path, "cannot be read: %v", err)
	case l.size >= 0 && info.Size() != l.size:
		return breaks(CodeFileSize, l.path, "has %d bytes; %s says %d", info.Size(), METSName, l.size)
	case l.sha512 == "":
		return nil // told already
	}
	in := newDigested(io.LimitReader(&watched{v: p.v, src: f}, info.Size()+1)) // a file may grow while it is read
	_, err = io.CopyBuffer(io.Discard, onlyReader{in}, buf)
	p.files.Add(1)
	p.bytes.Add(in.size)
	switch {
	case p.v.ctx.Err() != nil:
		return nil
	case err != nil:
		return breaks(CodeFileRead, l.path, "cannot be read beyond byte %d: %v", in.size, err)
	case in.size != info.Size():
		return breaks(CodeFileSize, l.path, "changed while it was read: it had %d bytes", info.Size())
	case in.hex() != l.sha512:
		return breaks(CodeFileDigest, l.path, "has SHA-512 %s; %s says %s", in.hex(), METSName, l.sha512)
	}
	return nil
}

// notThere tells why a listed file could not be opened.
func notThere(path string, err error) *breach {
	var kind kindError
	switch {
	case errors.As(err, &kind):
		return breaks(CodeFileMissing, path, "is missing: %v", kind)
	case isMissing(err):
		return breaks(CodeFileMissing, path, "is missing; %s lists it", METSName)
	}
	return breaks(CodeFileRead, path, "cannot be opened: %v", err)
}

// onlyReader keeps io.CopyBuffer from finding another way than the buffer.
type onlyReader struct{ io.Reader }
