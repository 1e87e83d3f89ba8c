package rights

// Join returns the rules of two sets: of all rules that match, the strictest decides. If one set is
// unreadable, it closes everything, as it does alone.
func Join(a, b *Set) *Set {
	switch {
	case b.Empty():
		return a
	case a.Empty():
		return b
	}
	s := &Set{Rules: append(append([]Rule{}, a.Rules...), b.Rules...), closed: a.closed}
	if s.closed == "" {
		s.closed = b.closed
	}
	if s.closed != "" {
		s.before = Join(a.hiding(), b.hiding())
	}
	s.byHost = order(s.Rules)
	s.sum = a.Fingerprint() + " " + b.Fingerprint()
	return s
}

// hiding returns the rules that still hide content: the earlier ones, if the set is unreadable.
func (s *Set) hiding() *Set {
	if s.closed == "" {
		return s
	}
	if s.before == nil {
		return &Set{}
	}
	return s.before
}
