package provider

import (
	"fmt"
	"net/url"
	"strings"

	"quire/metadata/xmlstream"
	"quire/oai/protocol"
)

// request is what a client asks for.
type request struct {
	verb protocol.Verb
	args []argument // as they came, for the element request; none when they must not stand there

	identifier string
	query      Query
	given      bool // an identifier was
	resumed    bool // by a token
	cursor     int64
	size       int64 // of the whole list; 0 when not known
}

type argument struct{ name, value string }

// condition is an error or exception condition (clause 3.6).
type condition struct {
	code protocol.Code
	text string
}

func badArgument(format string, args ...any) condition {
	return condition{protocol.BadArgument, fmt.Sprintf(format, args...)}
}

// The arguments, as clients write them.
const (
	argVerb       = "verb"
	argIdentifier = "identifier"
	argPrefix     = "metadataPrefix"
	argFrom       = "from"
	argUntil      = "until"
	argSet        = "set"
	argToken      = "resumptionToken"
)

// maxArguments is how many arguments are looked at; no request has more than five.
const maxArguments = 16

// rule says which arguments a verb takes (clause 4).
type rule struct{ required, optional []string }

var rules = map[protocol.Verb]rule{
	protocol.Identify:            {},
	protocol.ListMetadataFormats: {nil, []string{argIdentifier}},
	protocol.ListSets:            {nil, []string{argToken}},
	protocol.ListIdentifiers:     {[]string{argPrefix}, []string{argFrom, argUntil, argSet, argToken}},
	protocol.ListRecords:         {[]string{argPrefix}, []string{argFrom, argUntil, argSet, argToken}},
	protocol.GetRecord:           {[]string{argIdentifier, argPrefix}, nil},
}

// parse reads the arguments. It tells of all that is wrong with them at once.
func (p *Provider) parse(encoded string) (*request, []condition) {
	args, wrong := split(encoded)
	verb, bad := theVerb(args)
	if bad != nil {
		return &request{}, []condition{*bad}
	}
	wrong = append(wrong, fits(verb, args)...)
	req := &request{verb: verb}
	for _, a := range args {
		if c := req.take(a); c != nil {
			wrong = append(wrong, *c)
		}
	}
	if c := req.checkDates(args); c != nil {
		wrong = append(wrong, *c)
	}
	if len(wrong) > 0 {
		return &request{}, wrong // no attributes: a bad value could break the document, or its schema (clause 3.2)
	}
	req.args = args
	if req.resumed {
		return req, p.resume(req, value(args, argToken))
	}
	return req, nil
}

// split cuts the encoded arguments into pairs.
func split(encoded string) (args []argument, wrong []condition) {
	for piece := range strings.SplitSeq(encoded, "&") {
		if piece == "" {
			continue
		}
		if len(args) == maxArguments {
			return args, append(wrong, badArgument("there are more than %d arguments", maxArguments))
		}
		name, value, _ := strings.Cut(piece, "=")
		name, err := url.QueryUnescape(name)
		if err == nil {
			value, err = url.QueryUnescape(value)
		}
		if err != nil {
			wrong = append(wrong, badArgument("%s is not encoded as a query is: %s", quoted(piece), err))
			continue
		}
		args = append(args, argument{name, value})
	}
	return args, wrong
}

// theVerb finds the verb. Without it nothing else can be judged.
func theVerb(args []argument) (protocol.Verb, *condition) {
	verb, n := "", 0
	for _, a := range args {
		if a.name == argVerb {
			verb = a.value
			n++
		}
	}
	_, known := rules[protocol.Verb(verb)]
	switch {
	case n == 0:
		return "", &condition{protocol.BadVerb,
			"the argument verb is missing: it is Identify, ListMetadataFormats, ListSets, ListIdentifiers, " +
				"ListRecords or GetRecord"}
	case n > 1:
		return "", &condition{protocol.BadVerb, "the argument verb stands more than once"}
	case !known:
		return "", &condition{protocol.BadVerb,
			quoted(verb) +
				" is no verb: it is Identify, ListMetadataFormats, ListSets, ListIdentifiers, ListRecords or GetRecord"}
	}
	return protocol.Verb(verb), nil
}

// fits says which arguments a verb does not take, misses, or has twice.
func fits(verb protocol.Verb, args []argument) (wrong []condition) {
	r := rules[verb]
	seen := map[string]int{}
	for _, a := range args {
		seen[a.name]++
		switch {
		case seen[a.name] == 2:
			wrong = append(wrong, badArgument("the argument %s stands more than once", quoted(a.name)))
		case seen[a.name] == 1 && a.name != argVerb && !contains(r.required, a.name) && !contains(r.optional, a.name):
			wrong = append(wrong, badArgument("%s takes no argument %s", verb, quoted(a.name)))
		}
	}
	if seen[argToken] > 0 && contains(r.optional, argToken) {
		if len(seen) > 2 {
			wrong = append(wrong, badArgument("the argument resumptionToken stands alone, with the verb"))
		}
		return wrong
	}
	for _, name := range r.required {
		if seen[name] == 0 {
			wrong = append(wrong, badArgument("%s needs the argument %s", verb, name))
		}
	}
	return wrong
}

// take keeps the value of one argument, or says what is wrong with it. A value that could not stand
// in the answer is refused here.
func (r *request) take(a argument) *condition {
	wrong := func(format string, args ...any) *condition {
		c := badArgument(format, args...)
		return &c
	}
	switch a.name {
	case argPrefix:
		if !protocol.IsPrefix(a.value) {
			return wrong("metadataPrefix %s is not the name of a format: letters, digits and -_.!~*'()",
				quoted(a.value))
		}
		r.query.Prefix = a.value
	case argIdentifier:
		if len(a.value) > protocol.MaxIdentifier || !protocol.IsURIReference(a.value) {
			return wrong("identifier %s is not a URI", quoted(a.value))
		}
		r.identifier, r.given = a.value, true
	case argSet:
		if !protocol.IsSetSpec(a.value) {
			return wrong("set %s is not the spec of a set: letters, digits and -_.!~*'(), in parts with : between",
				quoted(a.value))
		}
		r.query.Set = a.value
	case argFrom, argUntil:
		t, g, err := protocol.ParseDatestamp(a.value)
		if err != nil {
			return wrong("%s %s is not a date: write it as 2026-11-22 or 2026-11-22T10:00:00Z", a.name, quoted(a.value))
		}
		if a.name == argFrom {
			r.query.From = t
		} else {
			r.query.Until = g.Last(t)
		}
	case argToken:
		if xmlstream.Sanitize(a.value) != a.value {
			return wrong("the resumptionToken is none that was given here")
		}
		r.resumed = true
	}
	return nil
}

// checkDates compares from and until: they must be of one granularity, and in order (clause 2.7.1).
func (r *request) checkDates(args []argument) *condition {
	from, until := value(args, argFrom), value(args, argUntil)
	if r.query.From.IsZero() || r.query.Until.IsZero() {
		return nil
	}
	c := badArgument("from %s is later than until %s", from, until)
	switch {
	case len(from) != len(until):
		c.text = "from " + from + " and until " + until + " must both be days, or both have seconds"
	case !r.query.From.After(r.query.Until):
		return nil
	}
	return &c
}

func value(args []argument, name string) string {
	for _, a := range args {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// quoted shows what a client sent: on one line, not too long.
func quoted(s string) string {
	const most = 100
	if len(s) > most {
		return fmt.Sprintf("%.*q...", most, s)
	}
	return fmt.Sprintf("%q", s)
}
