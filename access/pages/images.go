package pages

import (
	"cmp"
	"context"
	"net/url"
	"path"
	"strconv"
	"strings"

	"quire/access/address"
	"quire/access/pictures"
	"quire/access/search"
	"quire/holdings"
)

// Pictures answers searches for images: package pictures, or nil without an index.
type Pictures interface {
	Query(ctx context.Context, who holdings.Reader, q pictures.Query) (*pictures.Result, error)
}

// imagesAPage is the number of images on a page.
const imagesAPage = 48

// imageResults is the page of images.
type imageResults struct {
	Title, Action, Query string
	Since, Until         string
	Levels               []tab
	Sizes, Colours       []option
	Summary              string
	Images               []image
	Pager                pager
}

type option struct {
	Value, Text string
	Here        bool
}

// image is an image in the grid.
type image struct {
	URL, Thumb, Alt string
	Words           string // of its page
	Facts           string
	Page, PageURL   string // that shows it; "" for none
}

// imageQuery is a query for images in its URL form: type=image, q, size, colour, since, until, from.
type imageQuery struct {
	pictures.Query
	since, until string // as entered
}

// readImageQuery reads the arguments of a search; ok is false if it does not ask for images.
func readImageQuery(arguments string) (a imageQuery, ok bool) {
	v, _ := url.ParseQuery(arguments) // unreadable parts are not from our pages
	if v.Get("type") != "image" {
		return a, false
	}
	a.Text, a.Size, a.Colour = v.Get("q"), pictures.Size(v.Get("size")), v.Get("colour")
	a.since, a.until = v.Get("since"), v.Get("until")
	if r := []rune(a.Text); len(r) > pictures.MaxQuery { // each link on the page repeats it
		a.Text = string(r[:pictures.MaxQuery])
	}
	a.From, a.To = digitsOf(&a.since), digitsOf(&a.until)
	if n, err := strconv.Atoi(v.Get("from")); err == nil && n > 0 {
		a.Skip = min(n, search.MaxFrom)
	}
	a.Limit = imagesAPage
	return a, true
}

// digitsOf returns a date as the beginning of a timestamp: 2015-03 as 201503.
func digitsOf(date *string) string {
	const most = 20
	if *date = strings.TrimSpace(*date); len(*date) > most {
		*date = ""
	}
	var digits strings.Builder
	for i, part := range strings.FieldsFunc(*date, func(r rune) bool { return r < '0' || r > '9' }) {
		if i > 0 && len(part) == 1 {
			digits.WriteByte('0')
		}
		digits.WriteString(part)
	}
	return digits.String()
}

// at returns the address of a query for images.
func (a imageQuery) at(ui address.UI) string {
	v := url.Values{"type": {"image"}, "q": {a.Text}}
	for name, value := range map[string]string{"size": string(a.Size), "colour": a.Colour, "since": a.since,
		"until": a.until} {
		if value != "" {
			v.Set(name, value)
		}
	}
	if a.Skip > 0 {
		v.Set("from", strconv.Itoa(a.Skip))
	}
	return ui.Search("") + "?" + v.Encode()
}

// images shows the images of a search as a grid.
func (s *site) images(q *request, a imageQuery) (answer, error) {
	p := imageResults{Title: s.words.T("images.title"), Action: s.ui.Search(""), Query: a.Text, Since: a.since,
		Until: a.until, Levels: s.imageLevels(a)}
	p.Sizes = []option{{Text: s.words.T("images.any")}}
	for _, size := range pictures.Sizes {
		p.Sizes = append(p.Sizes, option{string(size), s.words.T("images.size." + string(size)), size == a.Size})
	}
	p.Colours = []option{{Text: s.words.T("images.any")}}
	for _, colour := range pictures.Colours[1:] {
		p.Colours = append(p.Colours, option{colour, s.words.T("images.colour." + colour), colour == a.Colour})
	}
	r, err := s.Pictures.Query(q.Context(), q.who, a.Query)
	if err != nil {
		return answer{}, err
	}
	p.Summary = s.words.N("images.summary", int64(r.Total))
	if r.More {
		p.Summary = s.words.T("images.summary.more", s.words.Number(int64(r.Total)))
	}
	for i := range r.Pictures {
		p.Images = append(p.Images, s.image(&r.Pictures[i]))
	}
	p.Pager = s.imagePager(a, r)
	title := p.Title
	if strings.TrimSpace(a.Text) != "" {
		title = s.words.T("images.title.of", a.Text)
	}
	return answer{template: "images.html", title: title, body: p, private: true}, nil
}

// imageLevels links the search for pages and files, and this one.
func (s *site) imageLevels(a imageQuery) []tab {
	other := asked{Query: search.Query{Text: a.Text}}
	files := other
	files.Level = search.Bytestreams
	return []tab{{link: link{s.words.T("images.pages"), other.at(s.ui)}},
		{link: link{s.words.T("images.files"), files.at(s.ui)}}, {link: s.imageTab(a.Text), Here: true}}
}

// imageTab links the images of a search.
func (s *site) imageTab(text string) link {
	return link{s.words.T("images.title"), imageQuery{Query: pictures.Query{Text: text}}.at(s.ui)}
}

// image describes an image in the grid.
func (s *site) image(x *pictures.Picture) image {
	c := x.Capture
	name := c.URL
	if u, err := url.Parse(c.URL); err == nil {
		name = cmp.Or(strings.Trim(path.Base(u.Path), "/."), u.Host)
	}
	out := image{URL: s.ui.Banner(address.All, c.Timestamp, c.URL),
		Thumb: s.ui.Thumbnail(address.All, c.Timestamp, c.URL),
		Alt:   cmp.Or(clip(x.Alt, 160), name), Words: clip(cmp.Or(x.Near, x.Alt, name), 120),
		Facts: s.words.T("images.facts", s.words.Number(int64(x.Width)), s.words.Number(int64(x.Height)),
			s.words.When(c.Timestamp[:8]))}
	if x.Page != "" {
		out.Page, out.PageURL = x.Page, s.ui.Banner(address.All, x.PageTime, x.Page)
	}
	return out
}

// imagePager links the previous and next images.
func (s *site) imagePager(a imageQuery, r *pictures.Result) (p pager) {
	if a.Skip > 0 {
		before := a
		before.Skip = max(0, a.Skip-imagesAPage)
		p.Prev = before.at(s.ui)
	}
	if next := a.Skip + imagesAPage; next < r.Total {
		behind := a
		behind.Skip = next
		p.Next = behind.at(s.ui)
	}
	if len(r.Pictures) > 0 {
		p.Words = s.words.T("pager.of", s.words.Number(int64(a.Skip+1)), s.words.Number(int64(a.Skip+len(r.Pictures))),
			s.words.Number(int64(r.Total)))
	}
	return p
}
