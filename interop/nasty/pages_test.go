//go:build interop

package nasty

import (
	"fmt"
	"strings"
	"time"
)

// long is a name that is longer than a file name may be once crawlers add their endings.
var long = "/" + strings.Repeat("long-", 47) + "x"

func page(text string) answer {
	return answer{mime: "text/html", body: "<html><head><title>x</title></head><body>" + text +
		`<a href="/">home</a></body></html>`}
}

// with adds lines of the head.
func (a answer) with(lines ...string) answer {
	a.header = append(a.header, lines...)
	return a
}

func status(n int) answer {
	return answer{status: n, mime: "text/html", body: fmt.Sprintf("<html>status %d", n)}
}

func redirect(n int, to string) answer { return answer{status: n, location: to} }

const modified = "Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT"

// pages are the URLs of each host, without its home page and robots.txt.
func pages() []map[string]answer {
	return []map[string]answer{common(), transfers(), names(), statuses()}
}

// common is the first host: what every site has.
func common() map[string]answer {
	all := map[string]answer{
		"/plain.html": page("plain"), "/noending": page("no ending"), "/dir/": page("folder"),
		"/dir/sub.html": page(`<a href="../plain.html">up</a>`),
		"/case-3.html":  page("lower"), "/CASE-3.html": page("upper"),
		"/case.html": page("lower"), "/Case.html": page("upper"),
		"/q?": page("empty query"), "/q?a=1": page("query"), "/q?a=2&b=/x": page("slash"), "/page.php?x=@1": page("at"),
		"/at@.html": page("at in the name"), "/a%20b.html": page("space"), "/caf%C3%A9.html": page("cafe"),
		"/100%25.html": page("percent"), "/x.htmorig": page("like a backup"), "/y.orig": page("like a backup"),
		"/z.tmp": {mime: "text/plain", body: "like a temporary file"},
		long:     page("long"), "/dots..html": page("dots"), "/semi;colon=1.html": page("semicolon"),
		"/i.png":       answer{mime: "image/png", body: "\x89PNG\r\n\x1a\nxxxx"}.with(modified),
		"/wrong.png":   {mime: "text/html", body: "<html>not a picture"},
		"/style.css":   answer{mime: "text/css", body: `body{background:url("i.png")}`}.with(modified),
		"/script.js":   answer{mime: "application/javascript", body: "<!-- hide\nvar a=\"i.png\";"}.with(modified),
		"/doc.pdf":     answer{mime: "application/pdf", body: "%PDF-1.4 x"}.with(modified),
		"/empty":       {mime: "text/html"},
		"/zeros.bin":   {mime: "application/octet-stream", body: strings.Repeat("\x00", 5000)},
		"/old.html":    redirect(301, "/plain.html"),
		"/temp.html":   redirect(302, "/dir/"),
		"/loop1":       redirect(302, "/loop2"),
		"/loop2":       redirect(302, "/loop1"),
		"/gone.html":   status(404),
		"/denied.html": status(403),
		"/broken.html": status(500),
		"/dl/a.warc": {mime: "application/warc", body: "WARC/1.0\r\nWARC-Type: warcinfo\r\n" +
			"WARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2015-01-01T00:00:00Z\r\nContent-Length: 21\r\n\r\n" +
			"software: Wget/1.21.3\r\n\r\n\r\n"},
		"/dl/wget.log": {mime: "text/plain", body: "--2015-01-01 00:00:00--  http://elsewhere.test/\n" +
			"HTTP request sent, awaiting response... 200 OK\nLength: 1 [text/html]\nSaving to: ‘index.html’\n\n" +
			"2015-01-01 00:00:00 (1 MB/s) - ‘index.html’ saved [1/1]\n"},
	}
	for i := range 6 { // in several seconds, and without links, so that the times of files show the clock
		all[fmt.Sprintf("/slow%d.txt", i)] = answer{mime: "text/plain", body: "slow", delay: 700 * time.Millisecond}
	}
	return all
}

// transfers is the second host: encodings, framings and lengths.
func transfers() map[string]answer {
	bin := func(n int) string { return strings.Repeat("s", n) }
	chunked := "Transfer-Encoding: chunked"
	latin := "<html>caf\xe9 <a href=\"/\">home</a></html>"
	return map[string]answer{
		"/latin.html":   {mime: "text/html; charset=iso-8859-1", body: latin},
		"/wrong.html":   {mime: "text/html; charset=utf-8", body: latin},
		"/utf16.html":   {mime: "text/html; charset=utf-16", body: "\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00x\x00"},
		"/sjis.html":    {mime: "text/html; charset=shift_jis", body: "<html>\x93\xfa\x96\x7b</html>"},
		"/bom.html":     {mime: "text/html", body: "\xef\xbb\xbf<html>bom</html>"},
		"/nul.html":     {mime: "text/html", body: "<html>a\x00b</html>"},
		"/notype":       {body: "<html>no type</html>"},
		"/badtype.html": {mime: "text/html; charset=", body: "<html>bad type</html>"},
		"/picture.php":  {mime: "image/png", body: "\x89PNG\r\n\x1a\nyyyy"},
		"/coded.html":   {mime: "text/html", body: "<html>coded", coded: true},
		"/always.html": answer{mime: "text/html", body: "<html>always coded",
			sent: zipped("<html>always coded")}.with("Content-Encoding: gzip"),
		"/badgzip.html": answer{mime: "text/html", body: "no gzip at all"}.with("Content-Encoding: gzip"),
		"/cutgzip.html": answer{mime: "text/html",
			body: zipped(strings.Repeat("cut gzip ", 99))[:30]}.with("Content-Encoding: gzip"),
		"/archive.gz": {mime: "application/gzip", body: zipped("an archive")},
		"/chunked.html": answer{mime: "text/html", body: "<html>in chunks",
			framed: "6\r\n<html>\r\n9\r\nin chunks\r\n0\r\n\r\n"}.with(chunked),
		"/trailer.html": answer{mime: "text/html", body: "<html>trailer",
			framed: "D;ext=1\r\n<html>trailer\r\n0\r\nX-Sum: 1\r\n\r\n"}.with(chunked, "Trailer: X-Sum"),
		"/cutchunk.bin": answer{mime: "application/octet-stream", body: bin(100), broken: true,
			framed: "64\r\n" + bin(100) + "\r\n1000\r\n" + bin(7)}.with(chunked),
		"/short.bin": {mime: "application/octet-stream", body: bin(5000), announced: 20000, broken: true},
		"/short.pdf": {mime: "application/pdf", body: "%PDF-1.4 " + bin(4000), announced: 9000, broken: true},
		"/more.bin": answer{mime: "application/octet-stream", body: bin(50),
			framed: bin(80)}.with("Content-Length: 50"),
		"/old.http":   {mime: "text/html", body: "<html>1.0", framed: "<html>1.0", line: "HTTP/1.0 200 OK"},
		"/twice.html": page("two lengths").with(fmt.Sprintf("Content-Length: %d", len(page("two lengths").body))),
		"/noreason":   {mime: "text/html", body: "<html>no reason", line: "HTTP/1.1 200"},
		"/reason":     {mime: "text/html", body: "<html>reason", line: "HTTP/1.1 200 Tr\xe8s bien: [oui]"},
		"/folded":     page("folded").with("X-Folded: a", "  b"),
		"/big-head":   page("big head").with("X-Big: " + strings.Repeat("h", 3000)),
	}
}

// names is the third host: the names of URLs.
func names() map[string]answer {
	all := map[string]answer{"/file": page("a file"), "/file/in.html": page("in a folder of that name"),
		"/Dir/a.html": page("upper folder"), "/dir/a.html": page("lower folder"),
		"/" + strings.Repeat("d/", 30) + "deep.html": page("deep"),
		"/q?" + strings.Repeat("long=query&", 30):    page("long query"),
		"/index.html":    page("index by name"),
		"/raw-%E9.html":  page("bytes"),
		"/raw2-%E9.html": {mime: "text/html", body: "<html>raw", link: "/raw2-\xe9.html"},
	}
	for _, uri := range []string{"/q?b=2&a=1", "/q?a=1&b=2", "/q?a=1&a=2", "/q?a", "/q?=", "/q?a=%26", "/q?a=b%2Fc",
		"/q?u=http://elsewhere.test/", "/q.php?id=1", "/q.html?id=1", "/~tilde.html", "/a%2Fb.html", "/a%3Fb.html",
		"/a%23b.html", "/a+b.html", "/a&b.html", "/a'b.html", "/a(b).html", "/a,b=c$d!.html", "/a*b.html", "/a:b.html",
		"/a%22b.html", "/a%3Cb%3E.html", "/a%7Cb.html", "/a%0Ab.html", "/a%5Cb.html", "/CON.html", "/dot.", "/space%20",
		"/hts-cache/new.txt", "/x.html.orig", "/x.html", "/x.1", "/t.delayed", "/%E6%97%A5.html"} {
		all[uri] = page("named " + strings.ReplaceAll(uri, "<", ""))
	}
	return all
}

// statuses is the fourth host: statuses, redirects, dates, cookies and passwords.
func statuses() map[string]answer {
	all := map[string]answer{
		"/see.html": redirect(303, "/fine.html"), "/keep.html": redirect(307, "/fine.html"),
		"/ever.html": redirect(308, "/fine.html"), "/nowhere.html": {status: 301, mime: "text/html", body: "<html>to?"},
		"/other.html": redirect(301, "{1}/latin.html"), "/part.html": redirect(302, "/fine.html#part"),
		"/self.html": redirect(302, "/self.html"), "/relative.html": redirect(302, "./fine.html"),
		"/fine.html": page("fine"), "/304.html": {status: 304}, "/204.html": {status: 204},
		"/cookie-set": redirect(302, "/cookie-get").with("Set-Cookie: seen=1; Path=/"),
		"/cookie-get": {mime: "text/html", body: "<html>cookie", asks: "Cookie"},
		"/secret.html": {mime: "text/html", body: "<html>secret", asks: "Authorization",
			link: "{@3}/secret.html"},
		"/nodate.html":   {mime: "text/html", body: "<html>no date", date: "none"},
		"/wrongday.html": {mime: "text/html", body: "<html>no day", date: "Sun, 31 Feb 2015 07:28:00 GMT"},
		"/850.html":      page("RFC 850").with("Last-Modified: Wednesday, 21-Oct-15 07:28:00 GMT"),
		"/asctime.html":  page("asctime").with("Last-Modified: Wed Oct 21 07:28:00 2015"),
		"/iso.html":      page("ISO").with("Last-Modified: 2015-10-21T07:28:00Z"),
		"/2605.html":     page("2605").with("Last-Modified: Mon, 21 Oct 2605 07:28:00 GMT"),
		"/1970.html":     page("1970").with("Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT"),
		"/never.html":    page("never").with("Last-Modified: never", "Expires: 0"),
	}
	for _, n := range []int{400, 402, 405, 410, 418, 451, 501, 502, 504} {
		all[fmt.Sprintf("/%d.html", n)] = status(n)
	}
	for i := range 5 {
		all[fmt.Sprintf("/chain%d.html", i)] = redirect(302, fmt.Sprintf("/chain%d.html", i+1))
	}
	all["/chain5.html"] = page("end of the chain")
	return all
}

// few are the URLs for HTTrack in the short form: it takes a second for each.
var few = []string{"/plain.html", "/case-3.html", "/CASE-3.html", "/q?a=1", "/a%20b.html", "/caf%C3%A9.html",
	"/x.htmorig", "/z.tmp", "/i.png", "/short.bin", "/old.html", "/gone.html", "/dl/a.warc", "/empty", "/more.bin",
	"/cutgzip.html", "/cutchunk.bin", "/secret.html", "/part.html", "/304.html", "/raw2-%E9.html", "/hts-cache/new.txt"}
