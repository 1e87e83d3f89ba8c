package identify

import (
	"fmt"
	"runtime"
	"time"
)

// DefaultMaxBytes is the default for the number of bytes that are read from a payload: the first
// 896 KiB and the last 128 KiB.
const DefaultMaxBytes = 1 << 20

// Options configures an Identifier. The zero value is usable.
type Options struct {
	Signature string // a signature file of siegfried, built by roy; "" is the built-in one
	Workers   int    // payloads that Submit identifies at the same time; 0 is twice the number of processors
	MaxBytes  int    // bytes read per payload, at least 1024; 0 is DefaultMaxBytes
	Remember  int    // number of payloads for which results are remembered; 0 is DefaultRemember
}

// Result is the format of a payload, and the evidence for it.
type Result struct {
	PUID    string // "fmt/11"; "" if no format of PRONOM matches
	Name    string // "Portable Network Graphics"
	Version string // "1.0", often ""
	MIME    string // PRONOM's media types for the format, separated by ", "; may be ""
	Basis   string // the match and its position; and how much was read, if not all
	Warning string // evidence against the result, or the reason why there is no result
}

// Known reports whether a format was found.
func (r Result) Known() bool { return r.PUID != "" || r.Name != "" }

// Software is the identifying software, for a PREMIS agent or a report.
type Software struct {
	Name      string    // "siegfried"
	Version   string    // "1.11.2"
	Signature string    // "DROID_SignatureFile_V120.xml; container-signature-20240715.xml"
	Created   time.Time // of the signature file, in UTC
}

// String returns the software on one line.
func (s Software) String() string {
	return fmt.Sprintf("%s %s with %s of %s", s.Name, s.Version, s.Signature, s.Created.Format(time.DateOnly))
}

// Identifier identifies payloads. It may be used from several goroutines.
type Identifier struct {
	engine   *engine
	maxBytes int
	buffers  chan []byte // for payloads in flight: as many as Workers
	results  *results
}

// New returns an Identifier. It fails if the signature file cannot be read or is invalid.
func New(o Options) (*Identifier, error) {
	const leastBytes = 1024
	switch {
	case o.MaxBytes == 0:
		o.MaxBytes = DefaultMaxBytes
	case o.MaxBytes < leastBytes:
		return nil, fmt.Errorf("identifying formats needs at least %d bytes of a payload, not %d", leastBytes,
			o.MaxBytes)
	}
	if o.Workers <= 0 {
		o.Workers = 2 * runtime.GOMAXPROCS(0)
	}
	e, err := load(o.Signature)
	if err != nil {
		return nil, err
	}
	id := &Identifier{engine: e, maxBytes: o.MaxBytes, buffers: make(chan []byte, o.Workers),
		results: newResults(o.Remember)}
	for range o.Workers {
		id.buffers <- nil
	}
	return id, nil
}

// Software returns the identifying software.
func (id *Identifier) Software() Software { return id.engine.software }

// MIME returns PRONOM's media types for a format, separated by ", ". It returns "" if there is none, or
// if only siegfried can read the signatures.
func (id *Identifier) MIME(puid string) string {
	if id.engine.fork == nil {
		return ""
	}
	return id.engine.fork.MIME(puid)
}

// MaxBytes returns how many bytes of a payload are read.
func (id *Identifier) MaxBytes() int { return id.maxBytes }

// Identify identifies a payload, on the caller's goroutine, and remembers the result.
func (id *Identifier) Identify(p Payload) Result { return id.pending(p).Wait() }

// IdentifyAll is like Identify, but also returns the other formats that match equally well. The
// format that Identify would choose is first, with the warnings about the payload; the others have
// warnings about themselves.
func (id *Identifier) IdentifyAll(p Payload) []Result {
	done := id.pending(p)
	chosen := done.Wait()
	if len(done.fits) == 0 {
		return []Result{chosen}
	}
	return append([]Result{chosen}, done.fits[1:]...)
}

func (id *Identifier) pending(p Payload) *Pending {
	p = p.within(id.maxBytes).hints()
	pending, known := id.results.of(p.key())
	if !known {
		pending.finish(id.engine.identify(p))
	}
	return pending
}

// Submit starts to identify a payload, and returns at once unless all workers are busy. It copies
// the needed parts of p, so the bytes may be overwritten when Submit returns. A payload seen
// before, with the same extension and declared type, shares the earlier result.
//
// The caller should call Wait on the result, so that no work remains.
func (id *Identifier) Submit(p Payload) *Pending {
	p = p.within(id.maxBytes).hints()
	pending, known := id.results.of(p.key())
	if known {
		return pending
	}
	buf := <-id.buffers
	buf = append(append(buf[:0], p.Head...), p.Tail...)
	p.Head, p.Tail = buf[:len(p.Head)], buf[len(p.Head):]
	go func() {
		pending.finish(id.engine.identify(p))
		id.buffers <- buf
	}()
	return pending
}
