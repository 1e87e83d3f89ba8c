package check

import (
	"net/url"
	"slices"

	"quire/oai/client"
	"quire/oai/protocol"
)

// following reads a list from token to token.
type following struct {
	k    *checker
	verb string
	most int // pages

	pages    int
	units    int64
	complete bool // the end was reached
	last     *answer
	size     int64 // the last completeListSize; 0 if it was absent
	sizeAt   string
	seen     map[string]bool
	again    bool // a token was already repeated
}

// follow requests page after page and calls visit for each.
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

// refused handles an error answer within a list.
func (l *following) refused(a *answer, first bool) error {
	if !first {
		l.k.find(CodeTokenDead, a.request, "the answer to the new token is %s", a.summary())
		return errAnswer
	}
	return errAnswer
}

// judge checks the token of a page (clause 3.5), and returns it if the list continues.
func (l *following) judge(a *answer, first bool) (token string, err error) {
	k := l.k
	if a.shape.tokens > 1 {
		k.find(CodeTokenTwo, a.request, "the page has %d elements resumptionToken", a.shape.tokens)
	}
	if a.shape.units == 0 {
		k.find(CodeEmptyPage, a.request, "the page contains only a resumptionToken")
	}
	before := l.units
	l.units += int64(a.shape.units)
	t := a.Token
	switch {
	case t == nil && !first:
		k.find(CodeTokenLast, a.request,
			"the last page of the list lacks the empty element resumptionToken")
	case t != nil && t.Value == "" && first:
		k.find(CodeTokenFirst, a.request, "the list is complete in one page, but has an empty resumptionToken")
	}
	l.judgeNumbers(a, t, before)
	if t == nil || t.Value == "" {
		l.complete = true
		if l.size > 0 && l.size != l.units && !first {
			k.find(CodeTokenSize, l.sizeAt, "completeListSize is %d, but the list has %d", l.size, l.units)
		}
		return "", nil
	}
	if l.seen[t.Value] {
		k.find(CodeTokenLoop, a.request, "the token repeats an earlier one: the list is endless")
		return "", errAnswer
	}
	l.seen[t.Value] = true
	if !t.Expires.IsZero() && !t.Expires.After(a.Date) {
		k.find(CodeTokenExpired, a.request, "the token expired at %s, before it arrived",
			protocol.FormatDatestamp(t.Expires))
	}
	return t.Value, nil
}

// judgeNumbers checks cursor and completeListSize, which are optional.
func (l *following) judgeNumbers(a *answer, t *client.Token, before int64) {
	if t == nil {
		return
	}
	if n, ok := t.Cursor.Get(); ok && n != before {
		l.k.find(CodeTokenCursor, a.request, "cursor is %d, but %d came before this page", n, before)
	}
	if n, ok := t.CompleteListSize.Get(); ok {
		if n < l.units {
			l.k.find(CodeTokenSize, a.request, "completeListSize is %d, but %d came already", n, l.units)
			n = 0
		}
		l.size, l.sizeAt = n, a.request
	}
}

// repeat requests a page again (clause 3.5.1), as a harvester does after losing the answer. v are
// the arguments of the page.
func (l *following) repeat(v url.Values, a *answer, first bool) error {
	k := l.k
	if first { // request the page of the token instead, twice
		v = args("verb", l.verb, "resumptionToken", a.Token.Value)
		once, err := k.ask(v)
		if err != nil {
			return err
		}
		a = once
	}
	if len(a.Errors) > 0 {
		k.find(CodeTokenDead, a.request, "the answer to the new token is %s", a.summary())
		return errAnswer
	}
	twice, err := k.ask(v)
	if err != nil {
		return err
	}
	switch {
	case len(twice.Errors) > 0:
		k.find(CodeTokenRepeat, twice.request, "the repeated request gets %s", twice.summary())
	case !slices.EqualFunc(a.heads, twice.heads, sameRecord):
		k.find(CodeTokenRepeat, twice.request, "the repeated page has other records (%d, before %d)",
			len(twice.heads), len(a.heads))
	case !slices.Equal(a.sets, twice.sets):
		k.find(CodeTokenRepeat, twice.request, "the repeated page has other sets")
	case (a.Token == nil || a.Token.Value == "") != (twice.Token == nil || twice.Token.Value == ""):
		k.find(CodeTokenRepeat, twice.request, "the repeated page has another end")
	}
	return nil
}

// sameRecord compares two records with their digests.
func sameRecord(a, b head) bool { return sameHeader(a, b) && a.digest == b.digest }

// sameHeader compares headers. The order of their sets does not matter.
func sameHeader(a, b head) bool {
	return a.id == b.id && a.datestamp == b.datestamp && a.deleted == b.deleted &&
		slices.Equal(slices.Sorted(slices.Values(a.sets)), slices.Sorted(slices.Values(b.sets)))
}
