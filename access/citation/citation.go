package citation

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Capture is a capture to cite.
type Capture struct {
	URL     string // the archived URL
	Title   string // default: the URL
	Time    time.Time
	Page    bool   // a page with its parts; otherwise a file
	Archive string // name of the archive
	Address string // of the capture in the archive: "https://archive.example/all/20150102030405/http://a.example/"
}

// title returns the title on one line.
func (c *Capture) title() string {
	if t := strings.Join(strings.Fields(c.Title), " "); t != "" {
		return t
	}
	return c.URL
}

// RobustLink returns a link in HTML, with the original URL and the date of the capture as data.
func (c *Capture) RobustLink() string {
	return fmt.Sprintf(`<a href="%s" data-originalurl="%[1]s" data-versionurl="%s" data-versiondate="%s">%s</a>`,
		escaped(c.URL), escaped(c.Address), c.Time.Format(time.DateOnly), escaped(c.title()))
}

// PWID returns the persistent identifier of the capture, with the host of the archive.
func (c *Capture) PWID() string {
	coverage := "part" // a file
	if c.Page {
		coverage = "page"
	}
	return "urn:pwid:" + hostOf(c.Address) + ":" + c.moment() + ":" + coverage + ":" + c.URL
}

// BibTeX returns an entry for BibTeX.
func (c *Capture) BibTeX() string {
	return fmt.Sprintf("@misc{capture%s,\n  title = {%s},\n  howpublished = {\\url{%s}},\n  note = {%s, %s},\n"+
		"  year = {%d},\n  url = {%s}\n}", c.Time.Format("20060102150405"), bibText(c.title()), bibURL(c.URL),
		bibText(c.Archive), c.moment(), c.Time.Year(), bibURL(c.Address))
}

// RIS returns an entry for programs that read RIS.
func (c *Capture) RIS() string {
	return strings.Join([]string{"TY  - ELEC", "TI  - " + c.title(), "UR  - " + c.Address, "L2  - " + c.URL,
		"PY  - " + strconv.Itoa(c.Time.Year()), "DA  - " + c.Time.Format("2006/01/02"), "DP  - " + c.Archive, "ER  - "},
		"\n")
}

func (c *Capture) moment() string { return c.Time.Format(time.RFC3339) }

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escaped(s string) string { return escapes.Replace(s) }

// bibText removes the characters with a meaning in BibTeX.
func bibText(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`{}\%$&#_^~`, r) {
			return ' '
		}
		return r
	}, s)
}

var bibEscapes = strings.NewReplacer("{", "%7B", "}", "%7D", `\`, "%5C")

// bibURL returns a URL without the characters that would end its field in BibTeX.
func bibURL(s string) string { return bibEscapes.Replace(s) }

// hostOf returns the host of an address, without its port.
func hostOf(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, ":")
	return host
}
