package check

import (
	"net/url"
	"slices"
	"strings"

	"quire/oai/protocol"
)

// badRequest is an invalid request and the error codes that may answer it.
type badRequest struct {
	args url.Values
	want []protocol.Code
}

// badRequests returns the invalid requests of HTTP::OAIPMH::Validator and some more.
func (k *checker) badRequests() []badRequest {
	const (
		verb, prefix, id, token = "verb", "metadataPrefix", "identifier", "resumptionToken"
		list, records, get      = "ListIdentifiers", "ListRecords", "GetRecord"
	)
	badVerb := []protocol.Code{protocol.BadVerb}
	badArgument := []protocol.Code{protocol.BadArgument}
	exclusive := []protocol.Code{protocol.BadArgument, protocol.BadResumptionToken}
	all := []badRequest{
		{args("junk", ""), badVerb},
		{args(verb, "junk"), badVerb},
		{args(verb, "Identify", verb, "Identify"), badVerb},
		{args(verb, "Identify", "junk", "junk"), badArgument},
		{args(verb, get, prefix, "oai_dc"), badArgument},
		{args(verb, get, id, k.aRecord()), badArgument},
		{args(verb, get, prefix, "oai_dc", id, `invalid"id`),
			[]protocol.Code{protocol.BadArgument, protocol.IDDoesNotExist}},
		{args(verb, get, prefix, "no_such_format", id, k.aRecord()), []protocol.Code{protocol.CannotDisseminateFormat}},
		{args(verb, "ListMetadataFormats", id, "urn:x-quire:no-such-record"), []protocol.Code{protocol.IDDoesNotExist}},
		{args(verb, list, prefix, "oai_dc", "until", "junk"), badArgument},
		{args(verb, list, prefix, "oai_dc", "from", "junk"), badArgument},
		{args(verb, list, prefix, "oai_dc", "from", "2001-02-30"), badArgument},
		{args(verb, list, prefix, "oai_dc", "from", "2002-02-05", "from", "2002-02-05"), badArgument},
		{args(verb, list, token, "junk", "until", "2000-02-05"), exclusive},
		{args(verb, records, prefix, "oai_dc", "from", "junk"), badArgument},
		{args(verb, records, prefix, "oai_dc", "until", "junk"), badArgument},
		{args(verb, records, prefix, "no_such_format"), []protocol.Code{protocol.CannotDisseminateFormat}},
		{args(verb, records, token, "junk"), []protocol.Code{protocol.BadResumptionToken}},
		{args(verb, records, prefix, "oai_dc", token, "junk", "until", "1990-01-10"), exclusive},
		{args(verb, records), badArgument},
		{args(verb, list, prefix, "oai_dc", "from", "2002-02-05", "until", "2002-02-06T05:35:00Z"), badArgument},
		{args(verb, list, prefix, "oai_dc", "from", "2002-02-06", "until", "2002-02-05"), badArgument},
	}
	if e := k.identify.Earliest; !e.IsZero() && e.Year() > 1 {
		before := e.AddDate(-1, 0, 0).Format(protocol.Granularity(k.identify.Granularity).Layout())
		all = append(all, badRequest{args(verb, records, prefix, "oai_dc", "until", before),
			[]protocol.Code{protocol.NoRecordsMatch}})
	}
	if k.identify.DayOnly() {
		all = append(all, badRequest{args(verb, list, prefix, "oai_dc", "from", "2002-02-05T05:35:00Z"), badArgument})
	}
	if k.noSets {
		all = append(all, badRequest{args(verb, records, prefix, "oai_dc", "set", "a"),
			[]protocol.Code{protocol.NoSetHierarchy}})
	}
	return all
}

// aRecord returns the identifier of a known record, or an invented one.
func (k *checker) aRecord() string {
	if k.sample.id == "" {
		return "urn:x-quire:no-such-record"
	}
	return k.sample.id
}

// checkErrors sends each invalid request (clause 3.6).
func (k *checker) checkErrors() error {
	for _, b := range k.badRequests() {
		if k.sample.id == "" && b.args.Get("identifier") != "" {
			continue
		}
		a, err := k.ask(b.args)
		switch {
		case err == nil:
			k.judgeError(a, b)
		case err != errAnswer: //nolint:errorlint // our own, as it is
			return err
		}
	}
	return nil
}

func (k *checker) judgeError(a *answer, b badRequest) {
	want := make([]string, len(b.want))
	for i, c := range b.want {
		want[i] = string(c)
	}
	expected := strings.Join(want, " or ")
	if len(a.Errors) == 0 {
		k.find(CodeNoError, a.request, "expected %s, but the answer is %s", expected, a.summary())
		return
	}
	if !slices.ContainsFunc(b.want, a.Has) {
		k.find(CodeOtherError, a.request, "expected %s, but the answer is %s", expected, a.summary())
	}
}
