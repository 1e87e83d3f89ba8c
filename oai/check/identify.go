package check

import (
	"regexp"
	"strings"

	"quire/oai/protocol"
)

// The forms that validators expect.
var (
	email        = regexp.MustCompile(`^\w[\w.+-]*@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$`)
	repositoryID = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9-]*(\.[a-zA-Z][a-zA-Z0-9-]+)+$`)
)

// checkIdentify requests Identify. All other steps depend on the answer.
func (k *checker) checkIdentify() error {
	a, err := k.ask(args("verb", "Identify"))
	if err != nil {
		return err
	}
	id := a.Identify
	if id == nil {
		k.find(CodeVerb, a.request, "Identify is answered by %s", a.summary())
		return errAnswer
	}
	k.identify, k.report.Name = id, id.Name
	if id.Name == "" {
		k.find(CodeName, a.request, "repositoryName is missing")
	}
	if id.BaseURL != k.base {
		k.find(CodeBaseURL, a.request, "baseURL is %.200q, but requests go to %q", id.BaseURL, k.base)
	}
	if id.ProtocolVersion != protocol.Version {
		k.find(CodeVersion, a.request, "protocolVersion is %.40q", id.ProtocolVersion)
	}
	switch id.DeletedRecord {
	case "no", "transient", "persistent":
	default:
		k.find(CodeDeletedRecord, a.request, "deletedRecord is %.40q", id.DeletedRecord)
	}
	k.checkEmails(a)
	k.checkGranularity(a)
	k.checkScheme(a)
	return nil
}

func (k *checker) checkEmails(a *answer) {
	if len(a.Identify.AdminEmails) == 0 {
		k.find(CodeEmail, a.request, "adminEmail is missing")
	}
	for _, e := range a.Identify.AdminEmails {
		plain, mailto := strings.CutPrefix(e, "mailto:")
		switch {
		case !email.MatchString(plain) || strings.HasSuffix(plain, "@localhost"):
			k.find(CodeEmail, a.request, "adminEmail %.100q is not an address", e)
		case mailto:
			k.find(CodeMailto, a.request, "adminEmail is %.100q", e)
		}
	}
}

func (k *checker) checkGranularity(a *answer) {
	id := a.Identify
	if id.Granularity != string(protocol.Days) && id.Granularity != string(protocol.Seconds) {
		k.find(CodeGranularity, a.request, "granularity is %.60q", id.Granularity)
		return
	}
	if _, g, err := protocol.ParseDatestamp(id.EarliestText); err != nil || string(g) != id.Granularity {
		k.find(CodeEarliest, a.request, "earliestDatestamp is %.60q, but the granularity is %s", id.EarliestText,
			id.Granularity)
	}
}

// checkScheme checks the description of the identifier scheme, if the server sent one.
func (k *checker) checkScheme(a *answer) {
	if len(a.shape.identifiers) > 1 {
		k.find(CodeScheme, a.request, "there are %d descriptions oai-identifier", len(a.shape.identifiers))
	}
	for _, s := range a.shape.identifiers {
		switch {
		case !strings.HasPrefix(s.space, identifierNS):
			k.find(CodeScheme, a.request, "oai-identifier is in the namespace %.100q", s.space)
		case s.scheme != "oai" || s.delimiter != ":" || !repositoryID.MatchString(s.repository):
			k.find(CodeScheme, a.request,
				"oai-identifier has scheme %.40q, delimiter %.40q, repositoryIdentifier %.100q", s.scheme, s.delimiter,
				s.repository)
		case !strings.HasPrefix(s.sample, "oai:"+s.repository+":"):
			k.find(CodeScheme, a.request, "sampleIdentifier %.100q does not start with oai:%s:", s.sample, s.repository)
		}
	}
}

// summary returns a short description of an answer.
func (a *answer) summary() string {
	switch {
	case len(a.Errors) > 0:
		var codes []string
		for _, e := range a.Errors {
			codes = append(codes, string(e.Code))
		}
		return strings.Join(codes, ", ") + " (" + short(a.Errors[0].Text) + ")"
	case a.Verb != "":
		return "the element " + a.Verb
	}
	return "nothing"
}

// short shortens the provider's text.
func short(s string) string {
	const most = 120
	if s = strings.Join(strings.Fields(s), " "); len(s) > most {
		return s[:most] + "..."
	}
	return s
}
