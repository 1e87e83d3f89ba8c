package identify

import "sync"

// DefaultRemember is how many payloads' results are remembered unless Options say otherwise; they
// take some 40 MB.
const DefaultRemember = 100_000

// Pending is a result that may still be worked on.
type Pending struct {
	ready  chan struct{}
	result Result
	fits   []Result // all that fit, where several do
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

// Wait gives the result, when it is there. It may be called any number of times.
func (p *Pending) Wait() Result {
	<-p.ready
	return p.result
}

// results remembers by what a payload is. There are two generations: when the younger is full, the
// older is forgotten. So memory is bounded, a payload that is often met is not forgotten, and
// nothing is moved about to keep an order. Forgetting costs work, never a different result.
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

// of gives what is known, or being found out, of k. When it is not known, the caller must find out
// and finish it.
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
