package htmllink

// candidates reads a srcset (HTML, 4.8.4.2.2): white space ends a URL, a comma ends its
// descriptors. A comma within a URL belongs to it; a comma at its end does not.
func (s *Scanner) candidates(a *attribute, t text) {
	b := t.b
	for i := 0; i < len(b); {
		for i < len(b) && (blank(int(b[i])) || b[i] == ',') {
			i++
		}
		from := i
		for i < len(b) && !blank(int(b[i])) {
			i++
		}
		to := i
		for to > from && b[to-1] == ',' {
			to--
		}
		if to > from {
			s.add(a, a.kind, t, from, to, inSet)
		}
		if to == i {
			i = endOfDescriptors(b, i)
		}
	}
}

// endOfDescriptors returns the position of the comma after the descriptors of a candidate; commas
// in parentheses do not count.
func endOfDescriptors(b []byte, i int) int {
	inParentheses := false
	for i < len(b) && (b[i] != ',' || inParentheses) {
		switch b[i] {
		case '(':
			inParentheses = true
		case ')':
			inParentheses = false
		}
		i++
	}
	return i
}

// words reads URLs separated by white space: ping, and the archives of an object. The archives of
// an applet are separated by commas (HTML 4, 13.4).
func (s *Scanner) words(a *attribute, t text) {
	b, in := t.b, inList
	if s.tag.name == "applet" {
		in = inPlus
	}
	ends := func(c byte) bool { return blank(int(c)) || c == ',' && in == inPlus }
	for i := 0; i < len(b); {
		for i < len(b) && ends(b[i]) {
			i++
		}
		from := i
		for i < len(b) && !ends(b[i]) {
			i++
		}
		if i > from {
			s.add(a, a.kind, t, from, i, in)
		}
	}
}

// contentLinks reads the content of a meta element.
func (s *Scanner) contentLinks(a *attribute) {
	if s.tag.name != "meta" {
		return
	}
	switch {
	case s.hint("http-equiv") == "refresh":
		if t := s.decode(s.raw(a)); !a.cut {
			if from, to, ok := refreshURL(t.b); ok {
				s.add(a, Refresh, t, from, to, inTimer)
			}
		}
	case properties[s.hint("property")] || properties[s.hint("name")] || properties[s.hint("itemprop")]:
		s.one(a, Property)
	}
}

// RefreshURL returns the place of the URL in the content of a meta refresh, or in a Refresh header
// field. It returns false if the text contains no URL. The browser then reloads the page itself, or
// ignores the text.
func RefreshURL(content []byte) (from, to int, ok bool) { return refreshURL(content) }

// refreshURL finds the URL after the seconds (HTML, 4.2.5.3, the shared declarative refresh steps).
func refreshURL(b []byte) (from, to int, ok bool) {
	i := skip(b, 0, isBlank)
	seconds := i
	if i = skip(b, i, isDecimal); i == seconds && (i == len(b) || b[i] != '.') {
		return 0, 0, false
	}
	i = skip(b, i, func(c byte) bool { return isDecimal(c) || c == '.' })
	if i == len(b) || b[i] != ';' && b[i] != ',' && !isBlank(b[i]) {
		return 0, 0, false
	}
	i = skip(b, i, isBlank)
	if i < len(b) && (b[i] == ';' || b[i] == ',') {
		i = skip(b, i+1, isBlank)
	}
	if i == len(b) {
		return 0, 0, false
	}
	if k, named := urlEquals(b, i); named {
		i = k
	} else if b[i] != '"' && b[i] != '\'' {
		return i, len(b), true
	}
	if i < len(b) && (b[i] == '"' || b[i] == '\'') {
		quote := b[i]
		i++
		return i, skip(b, i, func(c byte) bool { return c != quote }), true
	}
	return i, len(b), true
}

// urlEquals skips "url =", in any case.
func urlEquals(b []byte, i int) (int, bool) {
	if i+3 > len(b) || lower(b[i]) != 'u' || lower(b[i+1]) != 'r' || lower(b[i+2]) != 'l' {
		return i, false
	}
	if i = skip(b, i+3, isBlank); i == len(b) || b[i] != '=' {
		return i, false
	}
	return skip(b, i+1, isBlank), true
}

func skip(b []byte, i int, while func(byte) bool) int {
	for i < len(b) && while(b[i]) {
		i++
	}
	return i
}

func isBlank(c byte) bool   { return blank(int(c)) }
func isDecimal(c byte) bool { return c >= '0' && c <= '9' }
