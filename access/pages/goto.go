package pages

import (
	"net/url"
	"strings"

	"quire/access/address"
)

// goTo redirects from the forms with an address that a reader entered: on the first page to all
// captures of the address, in the banner to its capture of the same date.
func (s *site) goTo(q *request) (answer, error) {
	at, ok := address.ReadURL(wanted(q.place.Arguments))
	if !ok {
		return answer{redirect: s.ui.Front()}, nil
	}
	if moment, ok := momentOf(q.place.Arguments); ok {
		return answer{redirect: s.ui.Banner(q.place.ID, moment, at)}, nil
	}
	return answer{redirect: s.ui.Versions(q.place.ID, at)}, nil
}

func wanted(arguments string) string {
	v, _ := url.ParseQuery(arguments) // unreadable parts are not from our pages
	return strings.TrimSpace(v.Get("url"))
}

// momentOf returns the moment that the banner adds to its form: a timestamp, and the modifier of
// the engine.
func momentOf(arguments string) (moment string, ok bool) {
	v, _ := url.ParseQuery(arguments) // unreadable parts are not from our pages
	moment = v.Get("at")
	timestamp := strings.TrimSuffix(moment, string(address.Engine))
	_, ok = address.Time(timestamp)
	return moment, ok && len(timestamp) == 14
}
