package rewrite

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// item is a typical part of a news page: some text, links and pictures.
const item = `<div class="item" id="n1"><h3><a href="/news/2015/03/article-17.html">A headline with some words</a>` +
	`</h3><p>Some words of text that a page ` +
	`has between its <b>tags</b> &amp; entities, which goes on for a line or two before there is another link, as it ` +
	`does in most.</p>` +
	`<a class="more" href="article.php?id=17&amp;page=2">more</a> <img src="../images/photo.jpg" width="200" ` +
	`height="100" alt="a photo">` +
	`<script>track("item", 17);</script><span style="color:red">19 comments</span> <a ` +
	`href="http://b.example/share?u=http://a.example/" target="_blank">share</a></div>` + "\n"

func BenchmarkHTML(b *testing.B) {
	bench(b, HTML,
		`<!DOCTYPE html><html><head><meta charset="utf-8"><title>News</title><link rel="stylesheet" href="/a.css">`+
			`</head><body>`+strings.Repeat(item, 400))
}

// BenchmarkPage measures a typical page of about 14 kB.
func BenchmarkPage(b *testing.B) {
	bench(b, HTML,
		`<!DOCTYPE html><html><head><meta charset="utf-8"><title>News</title><link rel="stylesheet" href="/a.css">`+
			`</head><body>`+strings.Repeat(item, 20))
}

func BenchmarkCSS(b *testing.B) {
	bench(b, CSS,
		strings.Repeat("#nav > .item a:hover, .box { color: #a0b1c2; background: url(\"../img/back.png\") no-repeat "+
			"0 -16px; padding: 0 12px; margin: 1.5em auto }\n"+
			".plain { font: 12px/1.5 Verdana, sans-serif; border: 1px solid #ccc; display: block; float: left }\n",
			500))
}

func bench(b *testing.B, what What, doc string) {
	rw := Rewriter{Base: site, URL: replayed, Head: []byte("<script src=/static/page.js></script>"), Target: "replay",
		ContentType: "text/html; charset=utf-8"}
	r := strings.NewReader(doc)
	var sum counter
	if err := rw.Rewrite(&sum, bytes.NewReader([]byte(doc)), what); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		r.Reset(doc)
		if err := rw.Rewrite(io.Discard, r, what); err != nil {
			b.Fatal(err)
		}
	}
}

type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
