package wacz_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"quire/format/wacz"
)

func ExampleCheck() {
	contents := map[string]string{
		"datapackage.json": `{"profile":"data-package","resources":[{"path":"archive/data.warc",` +
			`"hash":"md5:900150983cd24fb0d6963f7d28e17f72","bytes":3}]}`,
		"archive/data.warc":    "abc",
		"pages/pages.jsonl":    `{"url":"http://a.example/","ts":"2024-05-01T10:00:00Z"}`,
		"indexes/index.cdx.gz": "",
	}
	files := wacz.Files{Open: func(path string) (io.ReadCloser, error) {
		s, ok := contents[path]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return io.NopCloser(strings.NewReader(s)), nil
	}}
	check, err := wacz.Check(context.Background(), files, wacz.Options{})
	if err != nil {
		return
	}
	for _, s := range check.Steps {
		fmt.Printf("%s: %s (%s)\n", s.Name, s.Verdict, s.Evidence)
	}
	// Output:
	// resources: pass (1 of 1 resources compared with their hashes)
	// digest: not checked (there is no datapackage-digest.json)
}
