package facts

import (
	"strings"

	"quire/model"
)

// overridden stands in the templates of Heritrix 3 for a value that an override is to give.
const overridden = "[see override above]"

// TellInfo takes over what the first record of a container says of its crawl. WARC and ARC call the
// fields alike.
func (f *Facts) TellInfo(fields []model.Field, file string) {
	about := f.About
	for _, v := range fields {
		if v.Value == overridden { // what Heritrix 3 writes of a field that nobody filled in
			continue
		}
		source := "field " + v.Name + " of the first record of " + file
		switch strings.ToLower(v.Name) {
		case "software":
			f.Tell(&about.Software, "software", v.Value, source)
		case "hostname":
			f.Tell(&about.Host, "host", v.Value, source)
		case "operator":
			f.Tell(&about.Operator, "operator", v.Value, source)
		case "publisher":
			f.Tell(&about.Organization, "organization", v.Value, source)
		case "ispartof":
			f.Tell(&about.Collection, "collection", v.Value, source)
		case "description":
			f.Tell(&about.Note, "note", v.Value, source)
		case "robots":
			f.Tell(&about.Robots, "robots policy", v.Value, source)
		case "http-header-user-agent":
			f.Tell(&about.UserAgent, "user agent", v.Value, source)
		case "http-header-from":
			f.Tell(&about.Contact, "contact", v.Value, source)
		}
	}
}
