package aip

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"quire/internal/humanize"
)

// digestPool reads each file of the package once, with one reader for each processor.
type digestPool struct {
	v    *validation
	met  map[uint64]struct{} // containers that have an object; nil if not known
	free chan struct{}       // one for each processor

	itemized bool // the package lists each record of its containers
	gone     sync.WaitGroup
	files    atomic.Int64 // files with content read
	bytes    atomic.Int64
	parts    atomic.Int64 // parts read
	missed   atomic.Int64 // parts not read
	records  atomic.Int64 // compared with their elements
	indexes  indexes

	buffers sync.Pool
}

// buffer returns a read buffer; the caller puts it back.
func (p *digestPool) buffer() []byte {
	if b, ok := p.buffers.Get().(*[]byte); ok {
		return *b
	}
	return make([]byte, bufferSize)
}

// bufferSize is the size of one read, in bytes.
const bufferSize = 256 << 10

// batchSize is how many parts are sent at a time.
const batchSize = 256

func newPool(v *validation, met map[uint64]struct{}) *digestPool {
	return &digestPool{v: v, met: met, free: make(chan struct{}, runtime.GOMAXPROCS(0)),
		indexes: indexes{known: map[string]*indexed{}}}
}

func (p *digestPool) summary() string {
	return fmt.Sprintf("%s read, %s", humanize.Count(p.files.Load(), "file"), humanize.Count(p.bytes.Load(), "byte"))
}

// job is a file to read: the statements of its groups, and the channel of its parts.
type job struct {
	number  string // of its path, in the key
	listed  []*listed
	parts   chan []placed // nil until its reading has begun
	batch   []placed
	waiting *digestPool
}

// read reads all files of the listing. The error is from the context or the temporary files.
func (p *digestPool) read(l *listing) error {
	if l.err != nil {
		return l.err
	}
	var j *job
	defer func() {
		j.end()
		p.gone.Wait()
	}()
	err := l.sorter.Each(func(key, value []byte) error {
		if j == nil || j.number != string(key[:4]) {
			j.end()
			j = &job{number: string(key[:4]), waiting: p}
		}
		if key[4] == itemFile {
			f, err := readListed(value)
			j.listed = append(j.listed, f)
			return err
		}
		part, err := readPlaced(value)
		j.add(part)
		return errors.Join(err, p.v.ctx.Err())
	})
	return err
}

// add sends a part to the reader.
func (j *job) add(part placed) {
	if j.batch = append(j.batch, part); len(j.batch) == batchSize {
		j.hand()
	}
}

func (j *job) hand() {
	j.begin()
	j.parts <- j.batch
	j.batch = make([]placed, 0, batchSize)
}

// begin starts the reading when a processor is free.
func (j *job) begin() {
	if j.parts != nil {
		return
	}
	p := j.waiting
	j.parts = make(chan []placed, 4)
	p.free <- struct{}{}
	p.gone.Go(func() {
		p.file(j.listed, j.parts)
		for rest := range j.parts { // the sender of parts must not wait forever
			p.missed.Add(int64(len(rest)))
		}
		<-p.free
	})
}

// end marks the end of the parts.
func (j *job) end() {
	if j == nil {
		return
	}
	j.begin()
	if len(j.batch) > 0 {
		j.hand()
	}
	close(j.parts)
}

// file reads one file.
func (p *digestPool) file(all []*listed, parts <-chan []placed) {
	f := all[0]
	for _, l := range all {
		if !l.again {
			f = l
		}
	}
	if f.again {
		p.v.findings.add(breaks(CodeFileFixity, f.path,
			"is listed in the group %s, but no group states its size and SHA-512", clip(f.use)))
	}
	if _, met := p.met[f.number]; f.number > 0 && p.met != nil && !met {
		p.v.findings.add(breaks(CodeObjectMissing, f.path,
			"is a container, but no ADMID of file %s names the premis:object of a file", clip(f.id)))
	}
	if f.use == UseContainers {
		p.indexes.container(f)
	}
	readable := p.agree(f, all)
	if p.v.ctx.Err() == nil {
		p.v.findings.add(p.judge(f, readable, parts))
	}
}

// agree checks that all elements of a file state the same of it. It takes over the transformations of
// those with parts, and reports whether these can be undone. Without parts they do not matter: the
// METS of a container has a transformation for each record, mets.xml one for the file.
func (p *digestPool) agree(f *listed, all []*listed) bool {
	first, same := (*listed)(nil), true
	for _, l := range all {
		if l != f && (l.size >= 0 && l.size != f.size || l.sha512 != "" && l.sha512 != f.sha512) {
			p.v.findings.add(breaks(CodeDocument, f.path, "file %s states another size or digest than file %s of %s",
				clip(l.id), clip(f.id), METSName))
		}
		switch {
		case !l.parts:
		case first == nil:
			first = l
		case !slices.Equal(l.transforms, first.transforms):
			same = false
			p.v.findings.add(breaks(CodePartTransform, f.path,
				"file %s has other transformations than file %s, which is the same file; their parts "+
					"were not read",
				clip(l.id), clip(first.id)))
		}
	}
	if first == nil {
		return !f.shut
	}
	f.transforms, f.shut = first.transforms, first.shut
	return same && !first.shut
}
