package figures

import (
	"fmt"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, page, declared, images string }{
		{"declared, the best first", `<link rel=image_src href=c.png><meta name=twitter:image content=b.png>
			<meta property=og:image content=a.png>`,
			"http://a.example/x/a.png http://a.example/x/b.png http://a.example/x/c.png", ""},
		{"a base", `<base href="https://b.example/y/"><img src=1.png>`, "", "https://b.example/y/1.png||"},
		{"no data, no script",
			`<img src="data:image/png;base64,AA"><img src="javascript:1"><img src="//c.example/1.png">`,
			"", "http://c.example/1.png||"},
		{"lazy", `<img data-src=1.png><img srcset="2.png 1x, 3.png 2x">`, "",
			"http://a.example/x/1.png|| http://a.example/x/2.png||"},
		{"text of its block alone", `<p>Far<p>Before <img src=1.png alt=tug> behind<p>Next`, "",
			"http://a.example/x/1.png|tug|Before behind"},
		{"no words of scripts", `<div><script>var x = 1</script><img src=1.png title=T><style>p{}</style>`, "",
			"http://a.example/x/1.png||T"},
		{"caption of its figure",
			`<figure><img src=1.png><p>other</p><figcaption>The <b>quay</b></figcaption></figure>Out`, "",
			"http://a.example/x/1.png||The quay"},
		{"once", `<img src=1.png alt=a><img src=1.png alt=b>`, "", "http://a.example/x/1.png|a|"},
	} {
		p := Read([]byte(c.page), "text/html; charset=utf-8", "http://a.example/x/")
		var images []string
		for _, i := range p.Images {
			images = append(images, i.URL+"|"+i.Alt+"|"+i.Words)
		}
		if got := strings.Join(p.Declared, " "); got != c.declared {
			t.Errorf("%s: declared %s, want %s", c.name, got, c.declared)
		}
		if got := strings.Join(images, " "); got != c.images {
			t.Errorf("%s: images %s, want %s", c.name, got, c.images)
		}
	}
}

func TestReadDecodes(t *testing.T) {
	p := Read([]byte("<img src=1.png alt='\xcf\xf0\xe8\xe2\xe5\xf2'>"), "text/html; charset=windows-1251",
		"http://a.example/")
	if len(p.Images) != 1 || p.Images[0].Alt != "Привет" {
		t.Errorf("%+v", p.Images)
	}
}

func TestReadIsBounded(t *testing.T) {
	var page strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&page, "<img src=%d.png alt='%s'>%s", i, strings.Repeat("a", 600), strings.Repeat("ä ", 900))
	}
	p := Read([]byte(page.String()), "text/html; charset=utf-8", "http://a.example/")
	if len(p.Images) == 0 || len(p.Images) > maxImages {
		t.Fatalf("%d images", len(p.Images))
	}
	for _, i := range p.Images {
		if len(i.Alt) > maxText || len(i.Words) > maxText || !strings.HasPrefix(i.URL, "http://a.example/") {
			t.Fatalf("%+v", i)
		}
	}
}
