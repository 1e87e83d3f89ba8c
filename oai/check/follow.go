package check

import (
	"net/url"
	"slices"

	"quire/oai/client"
	"quire/oai/protocol"
)

// following is a list that is followed from token to token.
type following struct {
	k    *checker
	verb string
	most int // pages

	pages    int
	units    int64
	complete bool // its end was seen
	last     *answer
	size     int64 // completeListSize as last told; 0 when it was not
	sizeAt   string
	seen     map[string]bool
	again    bool // a token was asked for again already
}

// follow asks for page after page. What stands in one is looked at by visit.
func (l *following) follow(v url.Values, visit func(*answer)) error {
	if v == nil {
		v = url.Values{}
	}
	v.Set("verb", l.verb)
	l.seen = map[string]bool{}
	for first := true; ; first = false {
		a, err := l.k.ask(v)
		if err != nil {
			return err
		}
		l.pages++
		l.last = a
		if len(a.Errors) > 0 {
			return l.refused(a, first)
		}
		visit(a)
		token, err := l.judge(a, first)
		if err != nil || token == "" {
			return err
		}
		if !l.again {
			l.again = true
			if err := l.repeat(v, a, first); err != nil {
				return err
			}
		}
		if l.pages >= l.most {
			return nil
		}
		v = args("verb", l.verb, "resumptionToken", token)
	}
}

// refused is an error in a list.
func (l *following) refused(a *answer, first bool) error {
	if !first {
		l.k.find(CodeTokenDead, a.request, "the token that was just given is answered by %s", a.says())
		return errAnswer
	}
	return errAnswer
}

// judge looks at the token of a page (clause 3.5), and gives it when there is one to go on with.
func (l *following) judge(a *answer, first bool) (token string, err error) {
	k := l.k
	if a.shape.tokens > 1 {
		k.find(CodeTokenTwo, a.request, "there are %d elements resumptionToken", a.shape.tokens)
	}
	if a.shape.units == 0 {
		k.find(CodeEmptyPage, a.request, "the page has nothing in it but a resumptionToken")
	}
	before := l.units
	l.units += int64(a.shape.units)
	t := a.Token
	switch {
	case t == nil && !first:
		k.find(CodeTokenLast, a.request,
			"the last page of the list has no element resumptionToken; it must have an empty one")
	case t != nil && t.Value == "" && first:
		k.find(CodeTokenFirst, a.request, "the list came whole, and has an empty resumptionToken")
	}
	l.judgeNumbers(a, t, before)
	if t == nil || t.Value == "" {
		l.complete = true
		if l.size > 0 && l.size != l.units && !first {
			k.find(CodeTokenSize, l.sizeAt, "completeListSize is %d, and the list has %d", l.size, l.units)
		}
		return "", nil
	}
	if l.seen[t.Value] {
		k.find(CodeTokenLoop, a.request, "the token was given before: the list goes in a circle")
		return "", errAnswer
	}
	l.seen[t.Value] = true
	if !t.Expires.IsZero() && !t.Expires.After(a.Date) {
		k.find(CodeTokenExpired, a.request, "the token expired at %s, when it was given",
			protocol.FormatDatestamp(t.Expires))
	}
	return t.Value, nil
}

// judgeNumbers looks at cursor and completeListSize, which may be left out.
func (l *following) judgeNumbers(a *answer, t *client.Token, before int64) {
	if t == nil {
		return
	}
	if n, ok := t.Cursor.Get(); ok && n != before {
		l.k.find(CodeTokenCursor, a.request, "cursor is %d, and %d were given before this page", n, before)
	}
	if n, ok := t.CompleteListSize.Get(); ok {
		if n < l.units {
			l.k.find(CodeTokenSize, a.request, "completeListSize is %d, and %d were given already", n, l.units)
			n = 0
		}
		l.size, l.sizeAt = n, a.request
	}
}

// repeat asks for a page once more (clause 3.5.1): whoever lost the answer must get it again. v is
// what led to the page.
func (l *following) repeat(v url.Values, a *answer, first bool) error {
	k := l.k
	if first { // the page of a token is of more interest: it is asked for, twice
		v = args("verb", l.verb, "resumptionToken", a.Token.Value)
		once, err := k.ask(v)
		if err != nil {
			return err
		}
		a = once
	}
	if len(a.Errors) > 0 {
		k.find(CodeTokenDead, a.request, "the token that was just given is answered by %s", a.says())
		return errAnswer
	}
	twice, err := k.ask(v)
	if err != nil {
		return err
	}
	switch {
	case len(twice.Errors) > 0:
		k.find(CodeTokenRepeat, twice.request, "asked for again, the page is answered by %s", twice.says())
	case !slices.EqualFunc(a.heads, twice.heads, sameRecord):
		k.find(CodeTokenRepeat, twice.request, "asked for again, the page has other records (%d, before %d)",
			len(twice.heads), len(a.heads))
	case !slices.Equal(a.sets, twice.sets):
		k.find(CodeTokenRepeat, twice.request, "asked for again, the page has other sets")
	case (a.Token == nil || a.Token.Value == "") != (twice.Token == nil || twice.Token.Value == ""):
		k.find(CodeTokenRepeat, twice.request, "asked for again, the page ends otherwise")
	}
	return nil
}

// sameRecord compares all that is kept of a record.
func sameRecord(a, b head) bool { return sameHeader(a, b) && a.digest == b.digest }

// sameHeader compares headers. Their sets may stand in any order.
func sameHeader(a, b head) bool {
	return a.id == b.id && a.datestamp == b.datestamp && a.deleted == b.deleted &&
		slices.Equal(slices.Sorted(slices.Values(a.sets)), slices.Sorted(slices.Values(b.sets)))
}
