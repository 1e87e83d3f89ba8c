package pages

import (
	"net/url"
	"strings"

	"quire/access/index"
)

func trimmed(arguments string) string {
	v, _ := url.ParseQuery(arguments)
	return strings.TrimSpace(v.Get("url"))
}

func (s *site) counts(q *request, query index.Query, digits int) ([]bucket, error) { return nil, nil }

type pkgView struct{ Title string }

func (s *site) pkg(q *request, id string) (*pkgView, error) { return nil, nil }
func (s *site) front(q *request) (answer, error)            { return answer{}, nil }
func (s *site) sites(q *request) (answer, error)            { return answer{}, nil }
func (s *site) collections(q *request) (answer, error)      { return answer{}, nil }
func (s *site) collection(q *request) (answer, error)       { return answer{}, nil }
func (s *site) title(q *request) (answer, error)            { return answer{}, nil }
func (s *site) harvest(q *request) (answer, error)          { return answer{}, nil }
func (s *site) history(q *request) (answer, error)          { return answer{}, nil }
func (s *site) file(q *request) (answer, error)             { return answer{}, nil }
