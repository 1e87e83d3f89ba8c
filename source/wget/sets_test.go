package wget

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quire/model"
)

// container is the first record of a container by Wget.
const container = "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-11-22T15:16:28Z" +
	"\r\nContent-Length: 21\r\n\r\nsoftware: Wget/1.21.3\r\n\r\n\r\n"

// claimed returns the claims as lines: "root: files".
func claimed(t *testing.T, files map[string]string) (all []string) {
	t.Helper()
	claims, err := (Reader{}).Find(context.Background(), folder(t, files))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range claims {
		slices.Sort(c.Files)
		all = append(all, fmt.Sprint(c.Root, ": ", c.Files))
	}
	return all
}

// TestLogOfASet has the log of a run that deletes its files (--warc-file, --delete-after, -nd, -o): it
// names files that are gone, and the container. It is a log of the set, and no mirror.
func TestLogOfASet(t *testing.T) {
	log := "Opening WARC file ‘crawl.warc’.\n\n" + request("http://a.test/", "text/html", "index.html.tmp", 8) +
		"Removing index.html.tmp.\n" + logEnd
	expect(t, claimed(t, map[string]string{"w/crawl.warc": container, "w/any.log": log}),
		"w: [w/any.log w/crawl.warc]")
	expect(t, claimed(t, map[string]string{"crawl.warc": container, "logs/any.log": log}),
		".: [crawl.warc logs/any.log]")
	h, err := readOne(t, map[string]string{"w/crawl.warc": container, "w/any.log": log})
	if err != nil {
		t.Fatal(err)
	}
	if roles := h.Files; len(roles) != 2 || roles[1].Role != model.RoleLog {
		t.Errorf("%+v", roles)
	}
	// what it leaves when it breaks off belongs to it, whether the log has it as saved or not
	deletes := strings.Replace(strings.Replace(container, "21", "63", 1), "1.21.3\r\n",
		"1.21.3\r\nwget-arguments: \"-nd\" \"--delete-after\"\r\n", 1)
	begun, _, _ := strings.Cut(request("http://a.test/s", "text/html", "s.tmp", 8), "’")
	broken := strings.TrimSuffix(log, logEnd) + begun + "’\n"
	files := map[string]string{"crawl.warc": deletes, "w.log": broken, "s.tmp": "1234", "index.html.tmp": "<html>",
		"other.tmp": "1234"}
	expect(t, claimed(t, files), ".: [crawl.warc index.html.tmp s.tmp w.log]")
	if h, err = readOne(t, files); err != nil || len(h.Files) != 4 {
		t.Errorf("%+v, %v", h.Files, err)
	}
	// a run that keeps its files is both
	both := "Opening WARC file ‘crawl.warc’.\n\n" +
		request("http://a.test/", "text/html", "a.test/index.html", 8) + logEnd
	expect(t, claimed(t, map[string]string{"crawl.warc": container, "w.log": both, "a.test/index.html": "<html>"}),
		".: [crawl.warc w.log]", ".: [a.test/index.html w.log]")
}

func readOne(t *testing.T, files map[string]string) (*model.Harvest, error) {
	t.Helper()
	claims, err := (Reader{}).Find(context.Background(), folder(t, files))
	if err != nil || len(claims) != 1 {
		t.Fatalf("%d claims, %v", len(claims), err)
	}
	h, err := claims[0].Read(context.Background())
	if err != nil {
		return nil, err
	}
	return h.About(), nil
}

// TestContainerForDownload has a container of Wget that a website offered, and that a mirror saved: it
// is content of the mirror.
func TestContainerForDownload(t *testing.T) {
	log := request("http://a.test/dl/x.warc", "application/warc", "a.test/dl/x.warc", 8) + logEnd
	expect(t, claimed(t, map[string]string{"w.log": log, "a.test/dl/x.warc": container, "own.warc": container}),
		".: [own.warc]", ".: [a.test/dl/x.warc w.log]")
	flat := request("http://a.test/x.warc", "application/warc", "x.warc", 8) +
		request("http://a.test/i.png", "image/png", "i.png", 8) + logEnd
	expect(t, claimed(t, map[string]string{"w.log": flat, "x.warc": container, "i.png": "png"}),
		".: [i.png w.log x.warc]")
}
