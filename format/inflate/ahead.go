package inflate

// slabsAhead is how many slabs there are when a goroutine inflates ahead: enough for either side to
// go on for a while when the other is busy with something large.
const slabsAhead = 8

// ahead inflates in a goroutine of its own, up to slabsAhead slabs before the reader. The goroutine
// owns the producer from start until an error, which is the last it hands over, or until halt.
type ahead struct {
	full, free chan *slab
	made       int // slabs in circulation
	stop, done chan struct{}
	running    bool
}

func newAhead() *ahead {
	return &ahead{full: make(chan *slab, slabsAhead), free: make(chan *slab, slabsAhead), made: 1} // the reader's own
}

// start begins to inflate behind the slab last.
func (a *ahead) start(p *producer, last *slab) {
	a.stop, a.done, a.running = make(chan struct{}), make(chan struct{}), true
	go func() {
		defer close(a.done)
		a.run(p, last)
	}()
}

func (a *ahead) run(p *producer, last *slab) {
	for {
		s := a.emptySlab()
		if s == nil {
			return
		}
		s.follow(last)
		for s.err == nil && !s.full() {
			p.fill(s)
		}
		end := s.err != nil // once handed over, the slab is the reader's
		select {
		case a.full <- s:
		case <-a.stop:
			a.free <- s
			return
		}
		if end {
			return
		}
		last = s
	}
}

// emptySlab waits for a slab that the reader is done with; nil when it is to stop. A short file
// never needs them all.
func (a *ahead) emptySlab() *slab {
	select {
	case s := <-a.free:
		return s
	default:
	}
	if a.made < slabsAhead {
		a.made++
		return newSlab()
	}
	select {
	case s := <-a.free:
		return s
	case <-a.stop:
		return nil
	}
}

// next gives the next full slab in exchange for the one that was read. With the slab that carries
// an error the goroutine has ended, and the producer is the caller's again.
func (a *ahead) next(done *slab) *slab {
	s := <-a.full
	a.free <- done // has room for all
	if s.err != nil {
		<-a.done
		a.running = false
	}
	return s
}

// halt ends the goroutine and waits until it has ended. What it had ready is lost.
func (a *ahead) halt() {
	if !a.running {
		return
	}
	close(a.stop)
	<-a.done
	a.running = false
	for len(a.full) > 0 {
		a.free <- <-a.full
	}
}
