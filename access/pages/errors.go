package pages

import (
	"net/http"
	"strconv"
)

// failure is an error page with advice.
type failure struct {
	Kicker, Heading string
	Text            []string
	Links           []link
}

// fail sends an error page. It does not reveal whether the requested page is missing or closed.
func (s *site) fail(w http.ResponseWriter, r *http.Request, status int) {
	code := strconv.Itoa(status)
	if !s.words.Has("error." + code) {
		code = "500"
	}
	f := failure{Kicker: s.words.T("error.kicker", status), Heading: s.words.T("error." + code),
		Text:  []string{s.words.T("error." + code + ".text")},
		Links: []link{{s.words.T("error.front"), s.ui.Front()}}}
	if s.Search != nil {
		f.Links = append(f.Links, link{s.words.T("nav.search"), s.ui.Search("")})
	}
	q := &request{Request: r, who: s.Reader(r)}
	s.send(w, q, answer{status: status, template: "error.html", title: f.Heading, body: f, private: true})
}
