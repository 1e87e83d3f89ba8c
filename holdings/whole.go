package holdings

// whole judges a package: what a reader gets of what is most open in it. It gives nil of what is not there.
func (j *judging) whole(who *Reader, id string) (*pkg, Decision) {
	j.h.mu.RLock()
	defer j.h.mu.RUnlock()
	p := j.h.packages[id]
	d, closed := j.closed(p)
	if p == nil {
		return nil, d
	}
	class := who.In(id)
	if !closed {
		c := p.whole()
		d = j.Judge.Whole(&c)
		d.Allowed = class.May(d.Verdict)
	}
	return p, d.For(class)
}
