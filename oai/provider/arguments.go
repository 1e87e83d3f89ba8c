package provider

import (
	"fmt"
	"net/url"
	"strings"

	"quire/metadata/xmlstream"
	"quire/oai/protocol"
)

// request is the request of a client.
type request struct {
	verb protocol.Verb
	args []argument // as received, for the element request; empty if they must not be repeated

	identifier string
	query      Query
	given      bool // the request has an identifier
	resumed    bool // by a token
	cursor     int64
	size       int64 // of the whole list; 0 if unknown
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

// The arguments, in the spelling of clients.
const (
	argVerb       = "verb"
	argIdentifier = "identifier"
	argPrefix     = "metadataPrefix"
	argFrom       = "from"
	argUntil      = "until"
	argSet        = "set"
	argToken      = "resumptionToken"
)

// maxArguments is the maximum number of arguments read; a valid request has at most five.
const maxArguments = 16

// rule lists the arguments of a verb (clause 4).
type rule struct{ required, optional []string }

var rules = map[protocol.Verb]rule{
	protocol.Identify:            {},
	protocol.ListMetadataFormats: {nil, []string{argIdentifier}},
	protocol.ListSets:            {nil, []string{argToken}},
	protocol.ListIdentifiers:     {[]string{argPrefix}, []string{argFrom, argUntil, argSet, argToken}},
	protocol.ListRecords:         {[]string{argPrefix}, []string{argFrom, argUntil, argSet, argToken}},
	protocol.GetRecord:           {[]string{argIdentifier, argPrefix}, nil},
}

// parse reads the arguments. It returns all errors in them at once.
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

// split splits the encoded arguments into pairs.
func split(encoded string) (args []argument, wrong []condition) {
	for piece := range strings.SplitSeq(encoded, "&") {
		if piece == "" {
			continue
		}
		if len(args) == maxArguments {
			return args, append(wrong, badArgument("the request has more than %d arguments", maxArguments))
		}
		name, value, _ := strings.Cut(piece, "=")
		name, err := url.QueryUnescape(name)
		if err == nil {
			value, err = url.QueryUnescape(value)
		}
		if err != nil {
			wrong = append(wrong, badArgument("%s is not a valid query encoding: %s", quoted(piece), err))
			continue
		}
		args = append(args, argument{name, value})
	}
	return args, wrong
}

// theVerb finds the verb. Without it the other arguments cannot be checked.
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
			"the argument verb is missing: use Identify, ListMetadataFormats, ListSets, ListIdentifiers, " +
				"ListRecords or GetRecord"}
	case n > 1:
		return "", &condition{protocol.BadVerb, "the argument verb is repeated"}
	case !known:
		return "", &condition{protocol.BadVerb,
			quoted(verb) +
				" is not a verb: use Identify, ListMetadataFormats, ListSets, ListIdentifiers, " +
				"ListRecords or GetRecord"}
	}
	return protocol.Verb(verb), nil
}

// fits returns the unknown, missing and repeated arguments of a verb.
func fits(verb protocol.Verb, args []argument) (wrong []condition) {
	r := rules[verb]
	seen := map[string]int{}
	for _, a := range args {
		seen[a.name]++
		switch {
		case seen[a.name] == 2:
			wrong = append(wrong, badArgument("the argument %s is repeated", quoted(a.name)))
		case seen[a.name] == 1 && a.name != argVerb && !contains(r.required, a.name) && !contains(r.optional, a.name):
			wrong = append(wrong, badArgument("%s has no argument %s", verb, quoted(a.name)))
		}
	}
	if seen[argToken] > 0 && contains(r.optional, argToken) {
		if len(seen) > 2 {
			wrong = append(wrong, badArgument("the argument resumptionToken allows no other argument "+
				"except the verb"))
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

// take stores the value of one argument, or returns an error. It refuses a value that an answer
// could not contain.
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
			return wrong("set %s is not a setSpec: letters, digits and -_.!~*'(), in parts with : between",
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
			return wrong("the resumptionToken is not from this repository")
		}
		r.resumed = true
	}
	return nil
}

// checkDates compares from and until. They must have the same granularity, and from must not be
// later (clause 2.7.1).
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

// quoted quotes a client's text: on one line, shortened.
func quoted(s string) string {
	const most = 100
	if len(s) > most {
		return fmt.Sprintf("%.*q...", most, s)
	}
	return fmt.Sprintf("%q", s)
}
