package siterules

import (
	"net/http"
	"strings"
	"testing"

	"quire/format/surt"
)

func request(url, mime string) Request { return Request{URL: url, Key: surt.Key(url), MIME: mime} }

// TestOwn checks each of our rules: pairs of a URL without a capture and a captured one, with the
// rule by which they are alike; "" if they must not be.
func TestOwn(t *testing.T) {
	const video = "https://www.youtube.com/embed/dQw4w9WgXcQ"
	const clip = "https://rr3---sn-aigl6nsd.googlevideo.com/videoplayback"
	seen := map[string]bool{}
	for _, c := range []struct{ rule, asked, captured, mime string }{
		{"cache-busters", "http://a.example/x?_=1", "http://a.example/x?_=2", ""},
		{"cache-busters", "http://a.example/x?id=1&nocache=1", "http://a.example/x?id=1", ""},
		{"", "http://a.example/x?id=1&_=1", "http://a.example/x?id=2&_=1", ""},
		{"", "http://a.example/x?_=1", "http://a.example/y?_=1", ""},
		{"", "http://a.example/x?_=1", "http://b.example/x?_=1", ""},
		{"times", "http://a.example/x?t=1420000000", "http://a.example/x", ""},
		{"times", "http://a.example/x?1420000000", "http://a.example/x", ""},
		{"", "http://a.example/x?t=14", "http://a.example/x", ""},
		{"times", "http://a.example/x?t=0.348148855943035", "http://a.example/x?t=0.118859", ""},
		{"", "http://a.example/x?t=0.34", "http://a.example/x?t=0.11", ""},
		{"", "http://a.example/x?id=0.348148855943035", "http://a.example/x?id=0.118859761585931", ""},
		{"matomo", "http://s.a.example/matomo.php?idsite=5&url=http%3A%2F%2Fa.example%2F&r=481963&h=20",
			"http://s.a.example/matomo.php?url=http%3A%2F%2Fa.example%2Fb&idsite=5&r=1", "image/gif"},
		{"", "http://s.a.example/matomo.php?idsite=5&r=1", "http://s.a.example/matomo.php?idsite=6&r=1", "image/gif"},
		{"callbacks", "http://a.example/x?callback=jQuery_2", "http://a.example/x?callback=jQuery_1", ""},
		{"campaigns", "http://a.example/?utm_source=a&UTM_term=b", "http://a.example/?fbclid=c", ""},
		{"", "http://a.example/?utm=a", "http://a.example/", ""},
		{"signatures", "https://b.s3.amazonaws.com/f?X-Amz-Date=1&X-Amz-Signature=2",
			"https://b.s3.amazonaws.com/f?X-Amz-Date=3&X-Amz-Signature=4", ""},
		{"signatures-in-paths", "https://v.example/exp=17~acl=%2F1%2F*~hmac=0a/1/2.mp4",
			"https://v.example/exp=99~acl=/1/*~hmac=ff/1/2.mp4", "video/mp4"},
		{"", "https://v.example/exp=17~acl=%2F1%2F*~hmac=0a/1/2.mp4", "https://v.example/exp=9~acl=/1/*~hmac=f/1/3.mp4",
			"video/mp4"},
		{"", "https://v.example/exp=17~acl=%2F1%2F*~hmac=0a/1/2.mp4", "https://w.example/exp=9~acl=/1/*~hmac=f/1/2.mp4",
			"video/mp4"},
		{"cloudfront", "https://d1.cloudfront.net/f?Expires=1&Signature=a", "https://d1.cloudfront.net/f?Policy=b", ""},
		{"", "https://a.example/f?expires=1", "https://a.example/f?expires=2", ""},
		{"azure-storage", "https://a.blob.core.windows.net/f?sv=1&sig=a", "https://a.blob.core.windows.net/f", ""},
		{"wordpress-assets", "http://a.example/blog/wp-includes/js/x.js?ver=1",
			"http://a.example/blog/wp-includes/js/x.js?ver=2",
			"application/javascript; charset=utf-8"},
		{"", "http://a.example/wp-content/x?ver=1", "http://a.example/wp-content/x?ver=2", "text/html"},
		{"", "http://a.example/js/x.js?ver=1", "http://a.example/js/x.js?ver=2", "text/javascript"},
		{"mediawiki-modules", "http://w.example/w/load.php?modules=site&version=1a",
			"http://w.example/w/load.php?modules=site&version=2b", "text/javascript"},
		{"", "http://w.example/w/load.php?modules=site&version=1a",
			"http://w.example/w/load.php?modules=user&version=1a",
			"text/javascript"},
		{"mediawiki-pictures", "http://w.example/skins-1.18/vector/images/tab.png?2011-09-19T16:11:40Z",
			"http://w.example/skins-1.18/vector/images/tab.png?303-4", "image/png"},
		{"", "http://w.example/skins-1.18/x.php?a", "http://w.example/skins-1.18/x.php?b", "image/png"},
		{"google-analytics", "http://www.google-analytics.com/r/__utm.gif?utmn=1&utmp=/",
			"http://www.google-analytics.com/__utm.gif?utmn=2", "image/gif"},
		{"google-analytics", "https://www.google-analytics.com/j/collect?v=1",
			"https://www.google-analytics.com/collect?v=2", "text/plain"},
		{"", "https://www.google-analytics.com/j/collect?v=1", "https://www.google-analytics.com/collect?v=2",
			"text/html"},
		{"", "https://www.google-analytics.com/collect?v=1", "https://www.google-analytics.com/analytics.js",
			"text/javascript"},
		{"plumx", "https://api.plu.mx/widget/other/artifact?id=1&pageToken=a",
			"https://api.plu.mx/widget/other/artifact?id=1&pageToken=b", "text/javascript"},
		{"", "https://api.plu.mx/widget/other/artifact?id=1&pageToken=a",
			"https://api.plu.mx/widget/other/artifact?id=2&pageToken=a", "text/javascript"},
		{"files", "http://a.example/images/lma.jpg?cnt=0", "http://a.example/images/lma.jpg", "image/jpeg"},
		{"files", "http://a.example/f.woff2?v=4.7.0", "http://a.example/f.woff2?v=4.6", "font/woff2"},
		{"", "http://a.example/images/lma.jpg?cnt=0", "http://a.example/images/lma.jpg", "text/html"},
		{"", "http://a.example/images/lma.jpg?cnt=0", "http://a.example/images/lmb.jpg", "image/jpeg"},
		{"files", "http://a.example/f.eot?iefix", "http://a.example/f.eot?v=2&w=3", "application/vnd.ms-fontobject"},
		{"", "http://a.example/webcam.jpg?cam=1", "http://a.example/webcam.jpg?cam=2", "image/jpeg"},
		{"", "http://a.example/logo.png?red", "http://a.example/logo.png?blue", "image/png"},
		{"", "http://a.example/tile.png?x=12&y=7&z=3", "http://a.example/tile.png?x=1&y=1&z=3", "image/png"},
		{"", "http://a.example/chart.svg?year=2011", "http://a.example/chart.svg", "image/svg+xml"},
		{"", "http://a.example/a.jpg?crop=left", "http://a.example/a.jpg?crop=right", "image/jpeg"},
		{"", "http://a.example/image.php?id=1", "http://a.example/image.php?id=2", "image/jpeg"},
		{"youtube-watch", "https://www.youtube.com/watch?v=dQw4w9WgXcQ&feature=share",
			"http://youtube.com/watch?list=PL1&v=dQw4w9WgXcQ", "text/html"},
		{"", "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1", "https://www.youtube.com/watch?v=DQW4W9WGXCQ&t=2",
			"text/html"}, // identifiers keep their case
		{"", "https://www.youtube.com/watch?list=PL1", "https://www.youtube.com/watch?list=PL2", "text/html"},
		{"youtube-embed", video + "?autoplay=1",
			"https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0", "text/html"},
		{"", video + "?autoplay=1", "https://www.youtube.com/embed/dQw4w9WgXcR", "text/html"},
		{"youtube-facts", "https://www.youtube.com/get_video_info?video_id=abc&eurl=x",
			"https://www.youtube.com/get_video_info?html5=1&video_id=abc", ""},
		{"youtube-films", clip + "?id=o-A&itag=22&range=0-99&cpn=x",
			"https://rr1---sn-other.googlevideo.com/videoplayback?itag=22&id=o-A&range=0-99&cpn=y", "video/mp4"},
		{"", clip + "?id=o-A&itag=22&range=0-99", clip + "?id=o-A&itag=22&range=100-199", "video/mp4"},
		{"", clip + "?id=o-A&itag=22&range=0-99", clip + "?id=o-A&itag=22", "video/mp4"},
		{"youtube-pictures", "https://i.ytimg.com/vi/a/hq.jpg?sqp=1&rs=2",
			"https://i.ytimg.com/vi/a/hq.jpg", "image/jpeg"},
		{"vimeo-player", "https://player.vimeo.com/video/76979871?title=0", "https://player.vimeo.com/video/76979871",
			"text/html"},
		{"", "https://player.vimeo.com/video/76979871/config?x",
			"https://player.vimeo.com/video/76979871", "text/html"},
		{"", "https://player.vimeo.com/video/76979?x", "https://player.vimeo.com/video/76979871", "text/html"},
		{"twitter-tweets", "https://cdn.syndication.twimg.com/tweet-result?id=20&lang=en&token=a",
			"https://cdn.syndication.twimg.com/tweet-result?token=b&lang=en&id=20", ""},
		{"", "https://cdn.syndication.twimg.com/tweet-result?id=20&lang=en",
			"https://cdn.syndication.twimg.com/tweet-result?id=20&lang=fr", ""},
		{"twitter-pictures", "https://pbs.twimg.com/media/Ab?format=jpg&name=large",
			"https://pbs.twimg.com/media/Ab?format=jpg&name=small", "image/jpeg"},
		{"facebook-plugins", "https://www.facebook.com/v2.5/plugins/post.php?href=http%3A%2F%2Fx&width=1",
			"https://www.facebook.com/v2.5/plugins/post.php?width=2&href=http://x", "text/html"},
		{"", "https://www.facebook.com/plugins/post.php?href=x",
			"https://www.facebook.com/plugins/like.php?href=x", "text/html"},
		{"facebook-pictures", "https://scontent.xx.fbcdn.net/v/t1/a.jpg?stp=s&oh=1&oe=2&_nc_ht=3",
			"https://scontent.xx.fbcdn.net/v/t1/a.jpg?stp=s&_nc_cat=4", "image/jpeg"},
		{"", "https://scontent.xx.fbcdn.net/v/t1/a.jpg?stp=s&oh=1",
			"https://scontent.xx.fbcdn.net/v/t1/a.jpg?stp=t&oh=1",
			"image/jpeg"},
		{"disqus", "https://disqus.com/embed/comments/?f=a&t_u=http://x&s_o=1",
			"https://disqus.com/embed/comments/?t_u=http://x&f=a",
			"text/html"},
		{"soundcloud-player", "https://w.soundcloud.com/player/?url=http://x&color=red",
			"https://w.soundcloud.com/player/?url=http://x", "text/html"},
	} {
		l := Own().Lookup(request(c.asked, ""))
		captured := request(c.captured, c.mime)
		got := ""
		if a, ok := l.Compare(captured); ok {
			got = strings.Join(l.Names(captured, a), "; ")
		}
		if want := c.rule != ""; want != (got != "") || !strings.HasPrefix(got, c.rule) {
			t.Errorf("%s by %s: %q, want %q", c.asked, c.captured, got, c.rule)
		}
		seen[c.rule] = true
	}
	seen["youtube-player"] = true // TestOwnOfBodies
	for _, r := range Own().Rules {
		if !seen[r.Name] {
			t.Errorf("the rule %s is not tested", r.Name)
		}
	}
}

// TestOwnOfBodies checks rules about values of a request body.
func TestOwnOfBodies(t *testing.T) {
	const player = "https://www.youtube.com/youtubei/v1/player?key=k"
	post := func(url, body string) Request {
		sent := surt.WithRequest(url, http.MethodPost, "application/json", []byte(body))
		return Request{URL: url, Key: surt.Key(sent)}
	}
	l := Own().Lookup(post(player, `{"videoId": "abc", "context": {"client": {"now": 1, "zone": "a", "hl": "en"}}}`))
	if a, ok := l.Compare(post(player, `{"videoId": "abc", "playbackContext": {"x": 5}}`)); !ok || a.rank == 0 {
		t.Errorf("%+v %v", a, ok)
	}
	for _, body := range []string{`{"videoId": "abd", "playbackContext": {"x": 5}}`, `{"playbackContext": {"x": 5}}`} {
		if a, ok := l.Compare(post(player, body)); ok {
			t.Errorf("%s: %+v", body, a)
		}
	}
	if _, ok := l.Compare(request(player+"&videoId=abc", "")); ok {
		t.Error("the answer to a GET is given for a POST")
	}
}

// TestNearestRule checks that a request in which only ignored arguments differ wins over one that is
// alike by a rule for the site.
func TestNearestRule(t *testing.T) {
	l := Own().Lookup(request("https://www.youtube.com/watch?v=a&list=b&_=1", ""))
	near, ok := l.Compare(request("https://www.youtube.com/watch?v=a&list=b&_=2", ""))
	far, also := l.Compare(request("https://www.youtube.com/watch?v=a", ""))
	if !ok || !also || near.Compare(far) >= 0 {
		t.Errorf("%+v %v, %+v %v", near, ok, far, also)
	}
}

func FuzzLookup(f *testing.F) {
	f.Add("https://www.youtube.com/watch?v=a&_=1", "https://player.vimeo.com/video/1?x#y")
	f.Add("http://v.example/exp=1~acl=/~hmac=0/x?%zz&=&&a=b", "")
	f.Fuzz(func(t *testing.T, asked, captured string) {
		l := Own().Lookup(request(asked, ""))
		if len(l.Ranges()) > maxRanges {
			t.Errorf("%d ranges", len(l.Ranges()))
		}
		c := request(captured, "text/html")
		if a, ok := l.Compare(c); ok {
			l.Names(c, a)
		}
	})
}
