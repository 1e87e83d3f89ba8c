package facts

import (
	"strings"

	"quire/model"
)

// overridden is a placeholder in the templates of Heritrix 3 for a value that an override supplies.
const overridden = "[see override above]"

// TellInfo adds the facts in the first record of a container. WARC and ARC use the same field
// names.
func (f *Facts) TellInfo(fields []model.Field, file string) {
	about := f.About
	for _, v := range fields {
		if v.Value == overridden { // written by Heritrix 3 for an unset field
			continue
		}
		source := "field " + v.Name + " of the first record of " + file
		switch strings.ToLower(v.Name) {
		case "software":
			f.Set(&about.Software, "software", v.Value, source)
		case "hostname":
			f.Set(&about.Host, "host", v.Value, source)
		case "operator":
			f.Set(&about.Operator, "operator", v.Value, source)
		case "publisher":
			f.Set(&about.Organization, "organization", v.Value, source)
		case "ispartof":
			f.Set(&about.Collection, "collection", v.Value, source)
		case "description":
			f.Set(&about.Note, "note", v.Value, source)
		case "robots":
			f.Set(&about.Robots, "robots policy", v.Value, source)
		case "http-header-user-agent":
			f.Set(&about.UserAgent, "user agent", v.Value, source)
		case "http-header-from":
			f.Set(&about.Contact, "contact", v.Value, source)
		}
	}
}
