package inflate

// slabsAhead is the number of slabs when a goroutine inflates ahead. It lets either side work on
// for a while when the other is busy with a large task.
const slabsAhead = 8

// ahead inflates in its own goroutine, up to slabsAhead slabs before the reader. The goroutine owns
// the producer from start until halt, or until it passes on an error.
type ahead struct {
	full, free chan *slab
	made       int // slabs allocated
	stop, done chan struct{}
	running    bool
}

func newAhead() *ahead {
	return &ahead{full: make(chan *slab, slabsAhead), free: make(chan *slab, slabsAhead), made: 1} // the reader's own
}

// start begins to inflate after the slab last.
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
		end := s.err != nil // after it is sent, the slab belongs to the reader
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

// emptySlab waits for a slab that the reader has finished, or returns nil if the goroutine must
// stop. A short file never needs all slabs.
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

// next exchanges the finished slab for the next full one. After a slab with an error the goroutine
// has ended, and the producer belongs to the caller again.
func (a *ahead) next(done *slab) *slab {
	s := <-a.full
	a.free <- done // has room for all
	if s.err != nil {
		<-a.done
		a.running = false
	}
	return s
}

// halt ends the goroutine and waits for it. The slabs that it has ready are lost.
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
