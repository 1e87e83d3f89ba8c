package research

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"quire/access/search/extract"
	"quire/format/surt"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/secret"
	"quire/preserve/pages"
)

// link is a row of the table links: from a page to another address.
type link struct {
	URLKey     string    `parquet:"url_surtkey"`
	URL        string    `parquet:"url"`
	Host       string    `parquet:"url_host_name,optional,dict"`
	Time       time.Time `parquet:"fetch_time,timestamp(millisecond)"`
	Harvest    int32     `parquet:"harvest"`
	TargetKey  string    `parquet:"target_url_surtkey"`
	Target     string    `parquet:"target_url"`
	TargetHost string    `parquet:"target_host_name,optional,dict"`
	Kind       string    `parquet:"link_kind,dict"`
	Text       string    `parquet:"link_text,optional"`
}

// hostLink is a row of the table host_links: a partial sum. Rows of the same hosts are added up.
type hostLink struct {
	Host       string `parquet:"url_host_name,dict"`
	TargetHost string `parquet:"target_host_name,dict"`
	Links      int64  `parquet:"links"`
}

// text is a row of the table texts.
type text struct {
	URLKey      string    `parquet:"url_surtkey"`
	URL         string    `parquet:"url"`
	Host        string    `parquet:"url_host_name,optional,dict"`
	Time        time.Time `parquet:"fetch_time,timestamp(millisecond)"`
	Harvest     int32     `parquet:"harvest"`
	Digest      string    `parquet:"content_digest,optional"`
	MIME        string    `parquet:"content_mime_type,optional,dict"`
	Languages   string    `parquet:"content_languages,optional,dict"`
	Kind        string    `parquet:"text_kind,dict"`
	Title       string    `parquet:"title,optional"`
	Description string    `parquet:"description,optional"`
	Text        string    `parquet:"text,optional"`
	Cut         bool      `parquet:"text_truncated"`
}

// Limits for one payload, without its content codings.
const (
	maxPage  = 32 << 20  // bytes of a page that are read for links
	maxText  = 32 << 20  // bytes of a payload that are read for its text, in memory
	maxPairs = 128 << 10 // pairs of hosts whose links are added up before they are written
)

// content writes the rows of a capture that need its payload: links and text.
func (w *pkgWriter) content(ctx context.Context, c *captures.Capture, at time.Time, month string) error {
	isPage := (w.links != nil || w.hostLinks != nil) && c.Type != "revisit" && successful(c) && pages.IsHTML("", c.MIME)
	hasText := w.texts != nil && c.Type != "revisit" && successful(c) && textual(c)
	if !isPage && !hasText {
		return nil
	}
	content, err := w.h.Read(ctx, w.who, c)
	if err != nil {
		return w.unreadable(ctx, c, err)
	}
	defer func() { _ = content.Body.Close() }() // only read
	if !hasText {
		return w.readLinks(ctx, c, content, holdings.Decoded(content), at, month)
	}
	body, err := io.ReadAll(io.LimitReader(holdings.Decoded(content), maxText))
	if err != nil && len(body) == 0 {
		return w.unreadable(ctx, c, err)
	}
	if isPage {
		if err := w.readLinks(ctx, c, content, bytes.NewReader(body), at, month); err != nil {
			return err
		}
	}
	return w.readText(c, content, body, at, month)
}

// successful reports whether a capture is an answer with content.
func successful(c *captures.Capture) bool { return c.Status == 0 || c.Status/100 == 2 }

// textual reports whether a payload may have text for people: pictures, sound and films have none.
func textual(c *captures.Capture) bool {
	switch extract.TypeOf(c.MIME, c.URL) {
	case "page", "text", "pdf", "document", "spreadsheet", "presentation":
		return true
	}
	return false
}

// unreadable counts a payload that no copy has undamaged. Errors of a cancelled run are returned.
func (w *pkgWriter) unreadable(ctx context.Context, c *captures.Capture, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var denied *holdings.DeniedError
	if errors.As(err, &denied) || errors.Is(err, captures.ErrNotFound) {
		return nil // access changed during the run: the next run finds it
	}
	w.result.Unreadable++
	w.request.problem(fmt.Errorf("%s of %s in package %s has no links and no text in the export: %w", c.URL,
		c.Timestamp, c.Package, err))
	return nil
}

// found is a link of a page, before the base address of the page is known.
type found struct {
	kind       string
	href, text []byte
}

// readLinks writes the links of a page.
func (w *pkgWriter) readLinks(ctx context.Context, c *captures.Capture, content *holdings.Content, body io.Reader,
	at time.Time, month string) error {
	var all []found
	keep := func(l pages.Link) error {
		if !l.Cut {
			all = append(all, found{string(l.Kind), bytes.Clone(l.Href), bytes.Clone(l.Text)})
		}
		return nil
	}
	page := pages.New(pages.Options{ContentType: field(content, "Content-Type"),
		Language: field(content, "Content-Language"), Link: keep, Embedded: keep})
	_, failed := io.Copy(page, io.LimitReader(body, maxPage))
	declared, err := page.Close()
	if err = errors.Join(failed, err); err != nil {
		return w.unreadable(ctx, c, err)
	}
	resolver := declared.Resolver(c.URL)
	row := link{URLKey: secret.Without(c.Key), URL: c.URL, Host: c.Host(), Time: at, Harvest: int32(c.Harvest)}
	for i := range all {
		to, ok := resolver.Resolve(all[i].href)
		if !ok || !isWeb(to.URL) {
			continue
		}
		may, err := w.mayName(ctx, c, to.URL)
		if err != nil {
			return err
		}
		if !may {
			continue
		}
		row.Target, row.TargetHost, row.Kind = secret.Without(to.URL), hostOf(to.URL), all[i].kind
		row.TargetKey, row.Text = surt.Key(row.Target), string(resolver.Words(all[i].text))
		if w.links != nil {
			if err := w.links.add(month, row, len(row.Text)+len(row.Target)); err != nil {
				return err
			}
		}
		if err := w.countHosts(month, row.Host, row.TargetHost, row.Kind); err != nil {
			return err
		}
	}
	return nil
}

// isWeb reports whether a link leads to a website: not to a mail address, a script or data.
func isWeb(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "ftp://")
}

// countHosts adds a link to the sums of its hosts. Files that a page loads do not count.
func (w *pkgWriter) countHosts(month, from, to, kind string) error {
	if w.hostLinks == nil || from == "" || to == "" || kind == string(pages.Embedded) {
		return nil
	}
	sums := w.byHost[month]
	if sums == nil {
		sums = map[[2]string]int64{}
		w.byHost[month] = sums
	}
	pair := [2]string{from, to}
	if sums[pair]++; sums[pair] > 1 {
		return nil
	}
	if w.pairs++; w.pairs < maxPairs {
		return nil
	}
	return w.addHostLinks()
}

// addHostLinks writes the sums, and starts again.
func (w *pkgWriter) addHostLinks() error {
	for month, sums := range w.byHost {
		for pair, n := range sums {
			if err := w.hostLinks.add(month, hostLink{pair[0], pair[1], n}, 0); err != nil {
				return err
			}
		}
	}
	w.byHost, w.pairs = map[string]map[[2]string]int64{}, 0
	return nil
}

// readText writes the text of a payload.
func (w *pkgWriter) readText(c *captures.Capture, content *holdings.Content, body []byte, at time.Time,
	month string) error {
	from := extract.Content{URL: c.URL, MIME: c.MIME, In: bytes.NewReader(body), Size: int64(len(body)), Bytes: body,
		Language: field(content, "Content-Language")}
	if mime := field(content, "Content-Type"); mime != "" {
		from.MIME = mime
	}
	t := extract.From(from)
	if t.Body == "" && t.Title == "" {
		return nil
	}
	row := text{URLKey: secret.Without(c.Key), URL: c.URL, Host: c.Host(), Time: at, Harvest: int32(c.Harvest),
		Digest: strings.TrimPrefix(c.Digest, "sha1:"), MIME: c.MIME, Languages: t.Language, Kind: t.Type,
		Title: t.Title, Description: t.Description, Text: t.Body, Cut: t.Cut}
	return w.texts.add(month, row, len(row.Text))
}

// field returns the first value of a header field, or "".
func field(c *holdings.Content, name string) string {
	for _, f := range c.Header {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}
