package identify

import "sync"

// DefaultRemember is the default number of remembered results; they take some 40 MB.
const DefaultRemember = 100_000

// Pending is a result that may not be ready yet.
type Pending struct {
	ready  chan struct{}
	result Result
	fits   []Result // all matches, if there are several
}

func (p *Pending) finish(r Result, fits []Result) {
	p.result, p.fits = r, fits
	close(p.ready)
}

// Done reports whether Wait would return at once.
func (p *Pending) Done() bool {
	select {
	case <-p.ready:
		return true
	default:
		return false
	}
}

// Wait returns the result when it is ready. It may be called any number of times.
func (p *Pending) Wait() Result {
	<-p.ready
	return p.result
}

// results remembers results by payload. There are two generations: when the younger is full, the
// older is dropped. So memory is bounded, frequent payloads stay, and no order has to be
// maintained. A dropped result costs work, but never changes.
type results struct {
	mu           sync.Mutex
	young, old   map[key]*Pending
	inGeneration int
}

func newResults(remember int) *results {
	if remember <= 0 {
		remember = DefaultRemember
	}
	return &results{young: map[key]*Pending{}, inGeneration: max(1, remember/2)}
}

// of returns the result of k, known or pending. If k is not known, the caller must identify it and
// finish the result.
func (r *results) of(k key) (p *Pending, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.young[k]; p != nil {
		return p, true
	}
	p, known = r.old[k]
	if !known {
		p = &Pending{ready: make(chan struct{})}
	}
	if len(r.young) >= r.inGeneration {
		r.young, r.old = make(map[key]*Pending, r.inGeneration), r.young
	}
	r.young[k] = p
	return p, known
}
