package playlist_test

import (
	"fmt"

	"quire/access/playlist"
)

func Example() {
	const master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=9\nhigh.m3u8\n"
	form := playlist.Of("application/vnd.apple.mpegurl", []byte(master))
	captured := map[string]bool{"http://a.example/film/low.m3u8": true}
	out, removed := playlist.Offer(form, []byte(master), "http://a.example/film/master.m3u8",
		func(url string) bool { return captured[url] })
	fmt.Printf("%d variant is not there\n%s", removed, out)
	// Output:
	// 1 variant is not there
	// #EXTM3U
	// #EXT-X-STREAM-INF:BANDWIDTH=1
	// low.m3u8
}
