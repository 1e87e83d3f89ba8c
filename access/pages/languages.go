package pages

import (
	"net/http"
	"net/url"
	"strings"

	"quire/access/address"
	"quire/access/pages/uistrings"
)

// Pages serves the pages of a repository, in every language with UI strings.
type Pages struct {
	ui     address.UI
	sites  []*site // the first is the default language
	choice *uistrings.Choice
}

// tongue is a selectable language.
type tongue struct {
	Tag, Name, URL string
	Here           bool
}

// chosen is the name of the cookie with the reader's language. It contains nothing else.
const chosen = "quire-language"

// chooseAt is the path that selects a language: /-/language?to=fr&back=/site/.
const chooseAt = "/-/language"

func (p *Pages) add(s *site) { p.sites = append(p.sites, s) }

// ready links each language to the others.
func (p *Pages) ready() error {
	var words []*uistrings.Strings
	var all []tongue
	for _, s := range p.sites {
		words = append(words, s.words)
		all = append(all, tongue{Tag: s.words.Language(), Name: s.words.T("language.name")})
	}
	p.choice = uistrings.NewChoice(words...)
	for i, s := range p.sites {
		s.choice = p.choice
		if len(p.sites) > 1 {
			s.others = append([]tongue(nil), all...)
			s.others[i].Here = true
		}
	}
	return nil
}

// ServeHTTP implements http.Handler.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s := p.of(w, r)
	if len(p.sites) > 1 && p.choose(w, r) {
		return
	}
	s.serve(w, r)
}

// Fail sends an error page; uistrings/en.yaml must have a text for its status (error.STATUS).
func (p *Pages) Fail(w http.ResponseWriter, r *http.Request, status int) {
	s := p.of(w, r)
	s.protect(w.Header(), "")
	s.fail(w, r, status)
}

// of returns the pages in the language of the reader's cookie, or else of the browser's request.
func (p *Pages) of(w http.ResponseWriter, r *http.Request) *site {
	if len(p.sites) == 1 {
		return p.sites[0]
	}
	w.Header().Add("Vary", "Accept-Language, Cookie")
	if c, err := r.Cookie(chosen); err == nil {
		for _, s := range p.sites {
			if s.words.Language() == c.Value {
				return s
			}
		}
	}
	i, _ := p.choice.Accept(r.Header.Get("Accept-Language"))
	return p.sites[i]
}

// chosenFor returns the tag of the language of these pages, if the browser does not ask for it: the reader
// chose it, and the replay host cannot know. Otherwise it returns "".
func (s *site) chosenFor(r *http.Request) string {
	if _, w := s.choice.Accept(r.Header.Get("Accept-Language")); w == s.words {
		return ""
	}
	return s.words.Language()
}

// choose stores the selected language, and redirects back; it returns false for other requests.
func (p *Pages) choose(w http.ResponseWriter, r *http.Request) bool {
	target, arguments, _ := strings.Cut(strings.TrimPrefix(r.RequestURI, mount(p.ui)), "?")
	if target != chooseAt || r.Method != http.MethodGet {
		return false
	}
	v, err := url.ParseQuery(arguments)
	for _, s := range p.sites {
		if err == nil && s.words.Language() == v.Get("to") {
			http.SetCookie(w, &http.Cookie{Name: chosen, Value: v.Get("to"), Path: mount(p.ui) + "/",
				MaxAge: 365 * 24 * 60 * 60, HttpOnly: true, SameSite: http.SameSiteLaxMode})
		}
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Location", p.back(v.Get("back")))
	w.WriteHeader(http.StatusSeeOther)
	return true
}

// back returns the reader's previous page, if it is ours: an address that begins with our path,
// without another host.
func (p *Pages) back(to string) string {
	front := mount(p.ui) + "/"
	rest, ours := strings.CutPrefix(to, front)
	if !ours || strings.HasPrefix(rest, "/") || strings.ContainsAny(to, "\\\r\n\t\x00") {
		return front
	}
	return to
}

// tongues returns the languages available for a page.
func (s *site) tongues(q *request) []tongue {
	all := append([]tongue(nil), s.others...)
	for i := range all {
		all[i].URL = mount(s.ui) + chooseAt + "?" + url.Values{"to": {all[i].Tag}, "back": {q.RequestURI}}.Encode()
	}
	return all
}
